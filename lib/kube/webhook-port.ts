import type { Deployment } from "../model/kubernetes.ts";
import { flagOf, mainContainer } from "./install.ts";

/** The port that kubelets listen on, and that the chart gives the webhook in the pod's own network. */
export const kubeletPort = 10250;
/** The port that cert-manager's documentation moves the webhook to where 10250 is taken. */
export const freePort = 10260;

/** The container port that the webhook's Service leads to, by its name. */
export function declaredPort(webhook: Deployment | undefined): number | undefined {
  return webhook && mainContainer(webhook)?.ports?.find((port) => port.name === "https")?.containerPort;
}

/** The port that the webhook is told to listen on; undefined where a configuration file may say it. */
export function listeningPort(webhook: Deployment | undefined): number | undefined {
  const flag = Number(flagOf(webhook, "secure-port"));
  return Number.isInteger(flag) && flag > 0 ? flag : undefined;
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
  const arg = webhook.spec.template.spec.containers[container]?.args?.findIndex((one) => one.startsWith("--secure-port=")) ?? -1;
  return `spec.template.spec.containers[${container}].args${arg < 0 ? "" : `[${arg}]`}`;
}

/** `kubectl patch` that moves the webhook to a port, on the nodes' own network where that is asked for. */
export function movePort(webhook: Deployment, port: number, { hostNetwork = false } = {}): string {
  const { namespace, name } = webhook.metadata;
  const base = "/spec/template/spec";
  const container = `${base}/containers/${containerIndex(webhook)}`;
  const { args = [], ports = [] } = mainContainer(webhook) ?? {};
  const arg = args.findIndex((one) => one.startsWith("--secure-port="));
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
    ...(hostNetwork
      ? [
          { op: "add", path: `${base}/hostNetwork`, value: true },
          { op: "add", path: `${base}/dnsPolicy`, value: "ClusterFirstWithHostNet" },
        ]
      : []),
  ];
  return `kubectl -n ${namespace} patch deployment ${name} --type=json -p '${JSON.stringify(operations)}'`;
}

function containerIndex(webhook: Deployment): number {
  const main = mainContainer(webhook);
  return main ? webhook.spec.template.spec.containers.indexOf(main) : 0;
}
