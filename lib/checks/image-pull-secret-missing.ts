import { type FailedPull, failedPulls } from "../derive/image-pulls.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { readImage } from "../kube/image.ts";
import { refusedPull, writePullSecret } from "../kube/pull-secret.ts";
import { waitsForImage } from "../kube/readiness.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { Pod } from "../model/kubernetes.ts";

export default defineCheck({
  id: "image-pull-secret-missing",
  area: "images",
  severity: "blocker",
  needs: ["pods", "imagePullSecrets"],
  uses: ["events", "deployments", "webhooks"],
  causedBy: [],
  patterns: [{ in: "anywhere", text: /Unable to retrieve some image pull secrets \((?<names>[^)]*)\)/ }],
  sources: ["catalogue 1.2 image-pull-secret-missing", "https://github.com/kubernetes/kubernetes/issues/104535"],
  strings: {
    title: "Image pull Secret that doesn't exist",
    headline: "*A part of cert-manager can't fetch its image,* because the Secret with the registry's credentials isn't in its namespace.",
    why: "Secrets don't reach over namespaces: the Secret that a pod names must be in the pod's own namespace. Without it the node asks the registry without credentials, which only an open registry grants.",
    ignore: "Where the registry is open to all, the image comes without the Secret.",
    missing: { text: "{pods} can't log in to `{registry}`: Secret {secret} doesn't exist in namespace {namespace}.", note: "{pods} is one or more pod names" },
    named: "The pod names the Secret, and the API server says that it doesn't exist.",
    other: "The image doesn't come for another reason, so the Secret alone won't help.",
    secret: "Make Secret {secret} with credentials for {registry}",
    "secret-changes": "Secret {secret} is made in namespace {namespace}. The waiting pods pull with it at their next attempt, within five minutes.",
    "secret-undo": "Delete Secret {secret}.",
    elsewhere: "See whether it is in another namespace, or has another name here",
    again: "Try again at once",
    "again-changes": "The waiting pods are deleted and their Deployments make new ones, which ask with the new Secret.",
  },
  run({ pods, imagePullSecrets, events, deployments, webhooks }) {
    const missing = imagePullSecrets.filter((secret) => !secret.object);
    if (missing.length === 0) return { status: "pass" };
    const pulls = failedPulls({ pods, events: knownValue(events) ?? [], deployments });
    let elsewhere = false;
    const problems = missing.flatMap(({ ref }) => {
      const waiting = pods.filter((pod) => pod.metadata.namespace === ref.namespace && waitsForImage(pod) && names(pod, ref.name) >= 0);
      return byComponent(pulls, waiting).map((pull) => {
        const own = pull.pods.filter((pod) => waiting.includes(pod));
        const namespace = pull.namespace;
        const { registry } = readImage(pull.image);
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
            { object: ref, path: "metadata", value: null },
            ...own.map((pod) => ({
              object: { kind: "Pod", namespace, name: pod.metadata.name },
              path: `spec.imagePullSecrets[${names(pod, ref.name)}].name`,
              value: ref.name,
            })),
            ...(knownValue(events) ?? [])
              .filter((event) => event.reason === "FailedToRetrieveImagePullSecret" && own.some((pod) => pod.metadata.name === event.involvedObject.name))
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
              command: `kubectl -n ${namespace} delete pod ${own.map((pod) => pod.metadata.name).join(" ")}`,
              effect: "cluster" as const,
              changes: { key: "again-changes" as const },
            },
          ],
        };
      });
    });
    return { status: "fail", problems, because: [{ key: "named" }, ...(elsewhere ? [{ key: "other" as const }] : [])] };
  },
});

function names(pod: Pod, secret: string): number {
  return pod.spec.imagePullSecrets?.findIndex(({ name }) => name === secret) ?? -1;
}

/** The pulls of these pods: one for each component. */
function byComponent(pulls: readonly FailedPull[], pods: readonly Pod[]): readonly FailedPull[] {
  return pulls.filter((pull) => pull.pods.some((pod) => pods.includes(pod)));
}
