import { type Install, installsIn } from "../kube/install.ts";
import type { Deployment } from "../model/kubernetes.ts";

const known = new WeakMap<readonly Deployment[], readonly Install[]>();

/** The cert-manager installs among the component Deployments. */
export function installs(facts: { readonly deployments: readonly Deployment[] }): readonly Install[] {
  let found = known.get(facts.deployments);
  if (!found) {
    found = installsIn(facts.deployments);
    known.set(facts.deployments, found);
  }
  return found;
}
