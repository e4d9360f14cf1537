import { installs } from "../derive/installs.ts";
import { caSecretOf, type Install } from "../kube/install.ts";
import type { Windows } from "../model/check.ts";
import { type Facts, knownValue } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";

/** How far an install's start has come: in its first minutes, starting again, or neither (architecture.md, Settling). */
export type Youth = "settling" | "recovering" | "grown";

const known = new WeakMap<Facts, Map<string, Youth>>();

/**
 * Whether the install in `namespace` (any of them, without) is so young that transient failures are normal. Its newest
 * CRD, Deployment, registration or CA Secret decides; younger pods alone only mean that it starts again.
 */
export function youthOf(facts: Facts, namespace: string | undefined, now: Date, windows: Windows): Youth {
  // Every transient problem of every check asks, and an install may have thousands of pods.
  const told = known.get(facts) ?? new Map<string, Youth>();
  known.set(facts, told);
  const key = `${namespace ?? ""} ${now.getTime()} ${windows.settling}`;
  const youth = told.get(key) ?? judgedYouth(facts, namespace, now, windows);
  told.set(key, youth);
  return youth;
}

function judgedYouth(facts: Facts, namespace: string | undefined, now: Date, windows: Windows): Youth {
  const found = installs({ deployments: knownValue(facts.deployments) ?? [] }).filter((install) => !namespace || install.namespace === namespace);
  const isNew = isYoung(
    found.flatMap((install) => foundations(facts, install)),
    now,
    windows,
  );
  if (isNew) return "settling";
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
  const newest = objects.reduce((latest, object) => Math.max(latest, Date.parse(object.metadata.creationTimestamp ?? "") || 0), 0);
  return newest > 0 && now.getTime() - newest < windows.settling;
}
