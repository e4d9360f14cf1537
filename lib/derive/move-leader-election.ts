import { accountOf, type Install, mainContainer } from "../kube/install.ts";
import { leaseNames } from "../kube/lease.ts";
import type { Deployment } from "../model/kubernetes.ts";

/**
 * The kubectl commands that move leader election of an install's controller and cainjector into its own namespace:
 * rights on the leases there first, and then the flags, which restart the pods.
 */
export function moveLeaderElection({ namespace, components: { controller, cainjector } }: Install): string {
  const electing = [
    ...(cainjector ? [{ deployment: cainjector, lease: leaseNames.cainjector }] : []),
    ...(controller ? [{ deployment: controller, lease: leaseNames.controller }] : []),
  ];
  return [
    ...electing.flatMap(({ deployment, lease }) => grantLease(deployment, lease, namespace)),
    ...electing.map(({ deployment }) => setFlag(deployment, namespace)),
  ].join("\n");
}

/** The commands that let a component's account hold its lease in a namespace, with the rights that the chart gives it. */
export function grantLease(deployment: Deployment, lease: string, namespace: string): readonly string[] {
  const role = `${deployment.metadata.name}:leaderelection`;
  return [
    `kubectl -n ${namespace} create role ${role} --verb=get,update,patch --resource=leases.coordination.k8s.io --resource-name=${lease}`,
    `kubectl -n ${namespace} create role ${role}-create --verb=create --resource=leases.coordination.k8s.io`,
    ...[role, `${role}-create`].map(
      (name) => `kubectl -n ${namespace} create rolebinding ${name} --role=${name} --serviceaccount=${deployment.metadata.namespace}:${accountOf(deployment)}`,
    ),
  ];
}

/** Where the flag stands in the Deployment: its container, and its place among the arguments or -1. */
export function electionFlag(deployment: Deployment): { readonly container: number; readonly args: readonly string[]; readonly at: number } {
  const { containers } = deployment.spec.template.spec;
  const main = mainContainer(deployment);
  const args = main?.args ?? [];
  return { container: main ? containers.indexOf(main) : 0, args, at: args.findIndex((arg) => arg.startsWith("--leader-election-namespace=")) };
}

function setFlag(deployment: Deployment, namespace: string): string {
  const { container, args, at } = electionFlag(deployment);
  const path = `/spec/template/spec/containers/${container}/args`;
  const value = `--leader-election-namespace=${namespace}`;
  const change = at >= 0 ? { op: "replace", path: `${path}/${at}`, value } : { op: "add", path: `${path}/-`, value };
  const operation = args.length > 0 ? change : { op: "add", path, value: [value] };
  return `kubectl -n ${deployment.metadata.namespace} patch deployment ${deployment.metadata.name} --type=json -p '${JSON.stringify([operation])}'`;
}
