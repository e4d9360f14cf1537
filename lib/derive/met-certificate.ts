import type { WebhookCall } from "../kube/error-text.ts";
import type { Pod } from "../model/kubernetes.ts";

/** A certificate that the API server met where it called the webhook, and refused for its names. */
export interface MetCertificate {
  readonly names: string;
  /** The name that it called. */
  readonly wanted: string;
  /** Whether it is the one of the webhook's node; `unknown` where nothing tells. */
  readonly whose: "node" | "other" | "unknown";
}

const refusal = /x509: certificate is valid for (?<names>.+), not (?<wanted>[^\s"]+)/;
const nodeName = /compute\.internal|\.ec2\.internal|\bip-\d+/;

/** The certificate that a failed call was refused with; `pods` are those of the webhook that was called. */
export function metCertificate({ reason }: WebhookCall, pods: readonly Pod[]): MetCertificate | undefined {
  const { names, wanted } = refusal.exec(reason)?.groups ?? {};
  if (names === undefined || wanted === undefined) return undefined;
  // Nodes on premises have names of their own: there only the pod's node tells.
  const hosts = names.split(", ").map((name) => name.split(".")[0]);
  const onNode = nodeName.test(names) || pods.some(({ spec }) => spec.nodeName !== undefined && hosts.includes(spec.nodeName.split(".")[0]));
  return { names, wanted, whose: onNode ? "node" : names.includes(".svc") || pods.length > 0 ? "other" : "unknown" };
}
