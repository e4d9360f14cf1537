import { fixOnce, sameCommands } from "../derive/fix-once.ts";
import { type FailedPull, failedPulls, outcomeWithoutPull } from "../derive/image-pulls.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { componentValues, setValues } from "../kube/chart-values.ts";
import { type ImageReference, isPublished, readImage, upstream, upstreamRepository } from "../kube/image.ts";
import { refusedPull, usualPullSecret, writePullSecret } from "../kube/pull-secret.ts";
import { defineCheck, type Pattern } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { Text } from "../model/text.ts";

const patterns: readonly Pattern[] = [{ in: "image-pull", text: refusedPull }];

type Key =
  | "registries"
  | "repository"
  | "repository-changes"
  | "secret"
  | "secret-changes"
  | "secret-undo"
  | "attach"
  | "attach-changes"
  | "undo"
  | "again"
  | "again-changes";

export default defineCheck({
  id: "image-pull-unauthorized",
  area: "images",
  severity: "blocker",
  needs: ["pods", "events"],
  uses: ["deployments", "webhooks", "imagePullSecrets"],
  causedBy: ["image-pull-secret-missing"],
  patterns,
  sources: [
    "catalogue 1.2 image-pull-unauthorized",
    "catalogue 1.2 image-pull-secret-not-attached",
    "https://github.com/cert-manager/cert-manager/issues/4836",
  ],
  strings: {
    title: "Registry that refuses an image",
    headline: "*A part of cert-manager can't start,* because the registry doesn't let the node have its image.",
    why: "The registry wants credentials, or doesn't accept those that it was given. They come from a Secret in the pod's own namespace that the pod names; a login on the node or in another namespace doesn't count.",
    refused: {
      text: "{kind} {name} can't start the {component}: `{registry}` refuses to give out `{image}`.",
      note: "{kind} is Pod or Deployment; {component} is controller, webhook or cainjector",
    },
    untold: "{kind} {name} waits for `{image}`, and neither its status nor an event says why: events are kept for about an hour.",
    unpublished:
      "`quay.io` gives the same answer for a repository that doesn't exist, and cert-manager publishes nothing under `{repository}`: a wrong name is more likely here than a missing permission.",
    public:
      "cert-manager's images at `quay.io` are open to all, so credentials that the registry doesn't accept, or a proxy on the way, are more likely than missing ones.",
    "none-named": "{kind} {name} names no image pull Secret, so the node asks without credentials.",
    answered: "The registry answered, so its name resolves.",
    present: "Every image pull Secret that the pod names is there; what is in it may still be wrong.",
    repository: "Use the repository that cert-manager publishes",
    "repository-changes": "The {component} is rolled out with the image from `{repository}`. Nothing else changes.",
    registries: "See which registries Secret {secret} has credentials for",
    secret: "Put credentials for {registry} into Secret {secret}",
    "secret-changes": "Secret {secret} is written in namespace {namespace}. What it held before is replaced.",
    "secret-undo": "Delete Secret {secret}, or write its old credentials back.",
    attach: "Make the pods use the Secret",
    "attach-changes": "The ServiceAccounts name Secret {secret}. Pods take it over when they are made, so the waiting ones have to be made anew after it.",
    undo: "Take the entry out again.",
    again: "Try again at once",
    "again-changes": "The waiting pods are deleted and their Deployments make new ones, which ask with the credentials as they are now.",
  },
  run({ pods, events, deployments, webhooks, imagePullSecrets }) {
    const pulls = failedPulls({ pods, events, deployments }, patterns);
    if (pulls.length === 0) return outcomeWithoutPull({ pods, events, deployments });
    const secrets = knownValue(imagePullSecrets) ?? [];
    const allThere = secrets.length > 0 && secrets.every((secret) => secret.object);
    return {
      status: "fail",
      // Credentials are about all that comes from the registry.
      problems: fixOnce(
        pulls.map((pull) => ({
          key: "refused" as const,
          values: {
            kind: pull.subject.kind,
            name: pull.subject.name,
            component: pull.component ?? pull.container,
            registry: readImage(pull.image).registry,
            image: pull.image,
          },
          severity: severityWithoutPod(pull.pods[0] as (typeof pods)[number], pods, webhooks),
          subject: pull.subject,
          component: pull.component,
          install: pull.namespace,
          evidence: [...pull.evidence, ...namedSecrets(pull)],
          fix: fixOf(pull, pulls),
        })),
        sameCommands,
      ),
      because: pulls.slice(0, 1).flatMap((pull): readonly Text<"unpublished" | "public" | "none-named">[] => {
        const image = readImage(pull.image);
        const { kind, name } = pull.subject;
        if (isWrongName(image)) return [{ key: "unpublished" as const, values: { repository: image.repository } }];
        if (isPublished(image)) return [{ key: "public" as const }];
        return secretOf(pull) ? [] : [{ key: "none-named" as const, values: { kind, name } }];
      }),
      ruledOut: [{ check: "image-pull-dns", key: "answered" }, ...(allThere ? [{ check: "image-pull-secret-missing", key: "present" as const }] : [])],
    };
  },
});

function isWrongName(image: ImageReference): boolean {
  return image.registry === upstream.registry && image.repository.startsWith(`${upstream.path}/`) && !isPublished(image);
}

function secretOf(pull: FailedPull): string | undefined {
  return pull.pods[0]?.spec.imagePullSecrets?.[0]?.name;
}

function namedSecrets(pull: FailedPull) {
  return [
    {
      object: pull.subject,
      path: pull.subject.kind === "Pod" ? "spec.imagePullSecrets" : "spec.template.spec.imagePullSecrets",
      value: secretOf(pull) ?? null,
    },
  ];
}

function fixOf(pull: FailedPull, pulls: readonly FailedPull[]): readonly FixStep<Key>[] {
  const { install, deployment, component, container, namespace } = pull;
  if (!install || !deployment || !component) return [];
  const image = readImage(pull.image);
  if (isWrongName(image)) {
    const repository = upstreamRepository(component);
    const step = {
      title: { key: "repository" as const },
      changes: { key: "repository-changes" as const, values: { component, repository } },
      undo: { key: "undo" as const },
    };
    const direct = `kubectl -n ${namespace} set image deployment/${deployment.metadata.name} ${container}=${repository}:${image.tag || install.version}`;
    return setValues(install, step, componentValues(component, { image: { repository } }), direct);
  }
  const named = secretOf(pull);
  const secret = named ?? usualPullSecret;
  const alike = pulls.filter((one) => one.namespace === namespace && secretOf(one) === named && readImage(one.image).registry === image.registry);
  const again: FixStep<Key> = {
    title: { key: "again" },
    for: "kubectl",
    command: `kubectl -n ${namespace} delete pod ${alike.flatMap((one) => one.pods.map((pod) => pod.metadata.name)).join(" ")}`,
    effect: "cluster",
    changes: { key: "again-changes" },
  };
  const registries: FixStep<Key> = {
    title: { key: "registries", values: { secret } },
    for: "kubectl",
    command: `kubectl -n ${namespace} get secret ${secret} -o jsonpath='{.data.\\.dockerconfigjson}' | base64 -d | jq '.auths | keys'`,
    effect: "none",
  };
  // Anybody may have these: new credentials wouldn't help, and would replace those for another registry.
  if (isPublished(image)) return named ? [registries, again] : [again];
  const attach = { title: { key: "attach" as const }, changes: { key: "attach-changes" as const, values: { secret } }, undo: { key: "undo" as const } };
  const accounts = Object.values(install.components).map((one) => one.spec.template.spec.serviceAccountName ?? "default");
  const patch = `kubectl -n ${namespace} patch serviceaccount ${[...new Set(accounts)].join(" ")} -p '{"imagePullSecrets":[{"name":"${secret}"}]}'`;
  return [
    ...(named ? [registries] : []),
    {
      title: { key: "secret", values: { secret, registry: image.registry } },
      for: "kubectl",
      command: writePullSecret(namespace, secret, image.registry),
      effect: "cluster",
      changes: { key: "secret-changes", values: { secret, namespace } },
      undo: { key: "secret-undo", values: { secret } },
    },
    ...(named ? [] : setValues(install, attach, { global: { imagePullSecrets: [{ name: secret }] } }, patch)),
    again,
  ];
}
