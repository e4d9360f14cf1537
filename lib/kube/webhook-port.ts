import type { Deployment } from "../model/kubernetes.ts";
import { flagsOf, mainContainer } from "./install.ts";

/** The port that kubelets listen on, and that the chart gives the webhook in the pod's own network. */
export const kubeletPort = 10250;
/** The port that cert-manager's documentation moves the webhook to where 10250 is taken. */
export const freePort = 10260;
const defaultHealthPort = 6080;

/** The container port that the webhook's Service leads to, by its name. */
export function declaredPort(webhook: Deployment | undefined): number | undefined {
  return webhook && mainContainer(webhook)?.ports?.find((port) => port.name === "https")?.containerPort;
}

/** The port that the webhook is told to listen on; undefined where a configuration file may say it. */
export function listeningPort(webhook: Deployment | undefined): number | undefined {
  return lastNumber(webhook, "secure-port");
}

/** Where the port named https stands in the Deployment, as an evidence path. */
export function declaredPortPath(webhook: Deployment): string {
  const container = containerIndex(webhook);
  const port = webhook.spec.template.spec.containers[container]?.ports?.findIndex((one) => one.name === "https") ?? -1;
  return `spec.template.spec.containers[${container}].ports${port < 0 ? "" : `[${port}].containerPort`}`;
}

/** Where `--secure-port` stands in the Deployment, as an evidence path. */
export function listeningPortPath(webhook: Deployment): string {
  const container = containerIndex(webhook);
  const arg = webhook.spec.template.spec.containers[container]?.args?.findLastIndex((one) => one.startsWith("--secure-port=")) ?? -1;
  return `spec.template.spec.containers[${container}].args${arg < 0 ? "" : `[${arg}]`}`;
}

/** `kubectl patch` that moves the webhook to a port, on the nodes' own network where that is asked for. */
export function movePort(webhook: Deployment, port: number, { hostNetwork = false } = {}): string {
  const { namespace, name } = webhook.metadata;
  const base = "/spec/template/spec";
  const container = `${base}/containers/${containerIndex(webhook)}`;
  const { args = [], ports = [] } = mainContainer(webhook) ?? {};
  const arg = args.findLastIndex((one) => one.startsWith("--secure-port="));
  const declared = ports.findIndex((one) => one.name === "https");
  const operations = [
    arg < 0
      ? { op: "add", path: `${container}/args${args.length > 0 ? "/-" : ""}`, value: args.length > 0 ? `--secure-port=${port}` : [`--secure-port=${port}`] }
      : { op: "replace", path: `${container}/args/${arg}`, value: `--secure-port=${port}` },
    declared < 0
      ? {
          op: "add",
          path: `${container}/ports${ports.length > 0 ? "/-" : ""}`,
          value: ports.length > 0 ? { name: "https", containerPort: port } : [{ name: "https", containerPort: port }],
        }
      : { op: "replace", path: `${container}/ports/${declared}/containerPort`, value: port },
    // Older API servers write it into the template too, and both must be the same.
    ...(ports[declared]?.hostPort === undefined ? [] : [{ op: "replace", path: `${container}/ports/${declared}/hostPort`, value: port }]),
    ...(hostNetwork
      ? [
          { op: "add", path: `${base}/hostNetwork`, value: true },
          { op: "add", path: `${base}/dnsPolicy`, value: "ClusterFirstWithHostNet" },
        ]
      : []),
  ];
  return `kubectl -n ${namespace} patch deployment ${name} --type=json -p '${JSON.stringify(operations)}'`;
}

/** The port of the webhook's health checks: what it is told, or its own default; undefined where a configuration file may say it. */
export function healthPort(webhook: Deployment): number | undefined {
  const told = lastNumber(webhook, "healthz-port");
  return told ?? (flagsOf(webhook, "config").length > 0 ? undefined : defaultHealthPort);
}

/** The port that the kubelet asks whether the webhook is ready. */
export function probedPort(webhook: Deployment): number | undefined {
  const main = mainContainer(webhook);
  const port = main?.readinessProbe?.httpGet?.port;
  return typeof port === "string" ? main?.ports?.find(({ name }) => name === port)?.containerPort : port;
}

/** Where `--healthz-port` stands in the Deployment, as an evidence path. */
export function healthPortPath(webhook: Deployment): string {
  const container = containerIndex(webhook);
  const arg = webhook.spec.template.spec.containers[container]?.args?.findLastIndex((one) => one.startsWith("--healthz-port=")) ?? -1;
  return `spec.template.spec.containers[${container}].args${arg < 0 ? "" : `[${arg}]`}`;
}

/** Of a flag that is given twice the last one counts. */
function lastNumber(webhook: Deployment | undefined, flag: string): number | undefined {
  const value = Number(flagsOf(webhook, flag).at(-1));
  return Number.isInteger(value) && value > 0 ? value : undefined;
}

function containerIndex(webhook: Deployment): number {
  const main = mainContainer(webhook);
  return main ? webhook.spec.template.spec.containers.indexOf(main) : 0;
}
