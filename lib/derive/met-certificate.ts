import type { WebhookCall } from "../kube/error-text.ts";
import { type Fact, knownValue, type Lookup } from "../model/facts.ts";
import type { KubeObject, Pod } from "../model/kubernetes.ts";

/** A certificate that the API server met where it called the webhook, and refused for its names. */
export interface MetCertificate {
  readonly names: string;
  /** The name that it called. */
  readonly wanted: string;
  /** Whether it is the one of a node; `unknown` where nothing tells. */
  readonly whose: "node" | "other" | "unknown";
}

const refusal = /x509: certificate is valid for (?<names>.+), not (?<wanted>[^\s"]+)/;
const nodeName = /compute\.internal|\.ec2\.internal|\bip-\d+/;

/** The certificate that a failed call was refused with; `pods` are those of the webhook that was called, `nodes` theirs and those of the certificate's names. */
export function metCertificate({ reason }: WebhookCall, pods: readonly Pod[], nodes: Fact<readonly Lookup<KubeObject>[]>): MetCertificate | undefined {
  const { names, wanted } = refusal.exec(reason)?.groups ?? {};
  if (names === undefined || wanted === undefined) return undefined;
  // Nodes on premises have names of their own: there only the nodes tell.
  const known = [...pods.map(({ spec }) => spec.nodeName ?? ""), ...(knownValue(nodes) ?? []).flatMap(({ ref, object }) => (object ? ref.name : ""))];
  const hosts = names.split(", ").map(host);
  const onNode = nodeName.test(names) || known.some((node) => node !== "" && hosts.includes(host(node)));
  const told = names.includes(".svc") || nodes.state === "known";
  return { names, wanted, whose: onNode ? "node" : told ? "other" : "unknown" };
}

function host(name: string): string {
  return name.split(".")[0] ?? name;
}
