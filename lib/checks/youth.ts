import { installs } from "../derive/installs.ts";
import { caSecretOf, type Install } from "../kube/install.ts";
import type { Windows } from "../model/check.ts";
import { type Facts, knownValue } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";

/** How far an install's start has come: in its first minutes, starting again, or neither (architecture.md, Settling). */
export type Youth = "settling" | "recovering" | "grown";

/**
 * Whether the install in `namespace` (any of them, without) is so young that transient failures are normal. Its newest
 * CRD, Deployment, registration or CA Secret decides; younger pods alone only mean that it starts again.
 */
export function youthOf(facts: Facts, namespace: string | undefined, now: Date, windows: Windows): Youth {
  const found = installs({ deployments: knownValue(facts.deployments) ?? [] }).filter((install) => !namespace || install.namespace === namespace);
  if (
    isYoung(
      found.flatMap((install) => foundations(facts, install)),
      now,
      windows,
    )
  )
    return "settling";
  const pods = (knownValue(facts.pods) ?? []).filter((pod) => !namespace || pod.metadata.namespace === namespace);
  return isYoung(pods, now, windows) ? "recovering" : "grown";
}

function foundations(facts: Facts, install: Install): readonly KubeObject[] {
  const registrations = (knownValue(facts.webhooks) ?? []).map((webhook) => webhook.configuration);
  const secret = caSecretOf(install);
  const caSecrets = (knownValue(facts.caSecrets) ?? []).filter(({ ref }) => ref.namespace === secret?.namespace && ref.name === secret?.name);
  return [
    ...Object.values(install.components),
    ...(knownValue(facts.crds) ?? []).flatMap((crd) => crd.object ?? []),
    ...registrations.filter((one) => one.webhooks?.some((webhook) => webhook.clientConfig.service?.namespace === install.namespace)),
    ...caSecrets.flatMap((one) => one.object ?? []),
  ];
}

function isYoung(objects: readonly KubeObject[], now: Date, windows: Windows): boolean {
  const newest = Math.max(...objects.map((object) => Date.parse(object.metadata.creationTimestamp ?? "") || 0));
  return newest > 0 && now.getTime() - newest < windows.settling;
}
