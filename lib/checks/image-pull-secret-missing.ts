import { fixOnce, sameCommands } from "../derive/fix-once.ts";
import { failedPulls, timeOf } from "../derive/image-pulls.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { readImage } from "../kube/image.ts";
import { refusedPull, writePullSecret } from "../kube/pull-secret.ts";
import { waitsForImage } from "../kube/readiness.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { Event, Pod } from "../model/kubernetes.ts";
import type { ObjectRef } from "../model/object-ref.ts";

const minute = 60_000;
const unretrieved = /Unable to retrieve some image pull secrets \((?<names>[^)]*)\)/;

export default defineCheck({
  id: "image-pull-secret-missing",
  area: "images",
  severity: "blocker",
  needs: ["pods"],
  uses: ["imagePullSecrets", "events", "deployments", "webhooks"],
  causedBy: [],
  patterns: [{ in: "anywhere", text: unretrieved }],
  sources: ["catalogue 1.2 image-pull-secret-missing", "https://github.com/kubernetes/kubernetes/issues/104535"],
  strings: {
    title: "Image pull Secret that doesn't exist",
    headline: "*A part of cert-manager can't fetch its image,* because the Secret with the registry's credentials isn't in its namespace.",
    why: "Secrets don't reach over namespaces: the Secret that a pod names must be in the pod's own namespace. Without it the node asks the registry without credentials, which only an open registry grants.",
    ignore: "Where the registry is open to all, the image comes without the Secret.",
    missing: { text: "{pods} can't log in to `{registry}`: Secret {secret} doesn't exist in namespace {namespace}.", note: "{pods} is one or more pod names" },
    named: "The pod names the Secret, and the API server says that it doesn't exist.",
    told: "The pod names the Secret, and its node says that it can't get it. Secrets may not be read here, so nothing else was asked.",
    other: "The image doesn't come for another reason, so the Secret alone won't help.",
    secret: "Make Secret {secret} with credentials for {registry}",
    "secret-changes": "Secret {secret} is made in namespace {namespace}. The waiting pods pull with it at their next attempt, within five minutes.",
    "secret-undo": "Delete Secret {secret}.",
    elsewhere: "See whether it is in another namespace, or has another name here",
    again: "Try again at once",
    "again-changes": "The waiting pods are deleted and their Deployments make new ones, which ask with the new Secret.",
  },
  run({ pods, imagePullSecrets, events, deployments, webhooks }) {
    const seen = knownValue(events) ?? [];
    const read = knownValue(imagePullSecrets);
    const missing = read ? read.filter((secret) => !secret.object).map(({ ref }) => ref) : toldMissing(pods, seen);
    if (missing.length === 0) return read ? { status: "pass" } : { status: "needs", fact: "imagePullSecrets" };
    const pulls = failedPulls({ pods, events: seen, deployments });
    let elsewhere = false;
    const problems = missing.flatMap((ref) => {
      const waiting = pods.filter((pod) => pod.metadata.namespace === ref.namespace && waitsForImage(pod) && names(pod, ref.name) >= 0);
      const all = pulls.filter((pull) => pull.pods.some((pod) => waiting.includes(pod)));
      return all.map((pull) => {
        const own = pull.pods.filter((pod) => waiting.includes(pod));
        const namespace = pull.namespace;
        const { registry } = readImage(pull.image);
        const fellows = all
          .filter((other) => readImage(other.image).registry === registry)
          .flatMap((other) => other.pods.filter((pod) => waiting.includes(pod)));
        const refused = pull.cause === null || refusedPull.test(pull.cause);
        if (!refused) elsewhere = true;
        return {
          key: "missing" as const,
          values: { pods: own.map((pod) => pod.metadata.name).join(", "), registry, secret: ref.name, namespace },
          severity: refused ? severityWithoutPod(own[0] as Pod, pods, webhooks) : ("warning" as const),
          subject: pull.subject,
          component: pull.component,
          install: namespace,
          evidence: [
            ...(read ? [{ object: ref, path: "metadata", value: null }] : []),
            ...own.map((pod) => ({
              object: { kind: "Pod", namespace, name: pod.metadata.name },
              path: `spec.imagePullSecrets[${names(pod, ref.name)}].name`,
              value: ref.name,
            })),
            ...seen
              .filter((event) => own.some((pod) => tellsOf(event, pod)))
              .slice(0, 1)
              .map((event) => ({
                object: { kind: "Pod", namespace, name: event.involvedObject.name ?? "" },
                path: "event/FailedToRetrieveImagePullSecret",
                value: event.message ?? null,
              })),
          ],
          fix: [
            {
              title: { key: "elsewhere" as const },
              for: "kubectl" as const,
              command: "kubectl get secrets -A --field-selector type=kubernetes.io/dockerconfigjson",
              effect: "none" as const,
            },
            {
              title: { key: "secret" as const, values: { secret: ref.name, registry } },
              for: "kubectl" as const,
              command: writePullSecret(namespace, ref.name, registry),
              effect: "cluster" as const,
              changes: { key: "secret-changes" as const, values: { secret: ref.name, namespace } },
              undo: { key: "secret-undo" as const, values: { secret: ref.name } },
            },
            {
              title: { key: "again" as const },
              for: "kubectl" as const,
              command: `kubectl -n ${namespace} delete pod ${fellows.map((pod) => pod.metadata.name).join(" ")}`,
              effect: "cluster" as const,
              changes: { key: "again-changes" as const },
            },
          ],
        };
      });
    });
    // The Secret is made once for all components.
    return {
      status: "fail",
      problems: fixOnce(problems, sameCommands),
      because: [{ key: read ? "named" : "told" }, ...(elsewhere ? [{ key: "other" as const }] : [])],
    };
  },
});

function names(pod: Pod, secret: string): number {
  return pod.spec.imagePullSecrets?.findIndex(({ name }) => name === secret) ?? -1;
}

function tellsOf(event: Event, pod: Pod): boolean {
  const { name, namespace } = event.involvedObject;
  return event.reason === "FailedToRetrieveImagePullSecret" && name === pod.metadata.name && namespace === pod.metadata.namespace;
}

/** The Secrets that a node misses for pods that wait now. What it missed before the last attempt may be there by now. */
function toldMissing(pods: readonly Pod[], events: readonly Event[]): readonly ObjectRef[] {
  const found = new Map<string, ObjectRef>();
  for (const pod of pods.filter(waitsForImage)) {
    const { name, namespace = "" } = pod.metadata;
    const attempts = events.filter(
      ({ involvedObject: of, message }) => of.name === name && of.namespace === namespace && message?.startsWith("Failed to pull"),
    );
    const last = Math.max(0, ...attempts.map(timeOf));
    for (const event of events.filter((one) => tellsOf(one, pod) && timeOf(one) > last - minute)) {
      const missed = unretrieved.exec(event.message ?? "")?.groups?.names?.split(", ") ?? [];
      for (const secret of missed.filter((one) => names(pod, one) >= 0)) found.set(`${namespace}/${secret}`, { kind: "Secret", namespace, name: secret });
    }
  }
  return [...found.values()];
}
