import { fixOnce } from "../derive/fix-once.ts";
import { type FailedPull, failedPulls, outcomeWithoutPull } from "../derive/image-pulls.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { copyImages, type Mirror, mirrorValues } from "../kube/air-gap.ts";
import { chartVersion, setValues } from "../kube/chart-values.ts";
import { lines } from "../kube/commands.ts";
import { readImage, upstream } from "../kube/image.ts";
import { mainContainer } from "../kube/install.ts";
import { defineCheck, type Pattern } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";

// A proxy's name that doesn't resolve isn't about the registry.
const lookup =
  /(?<!proxyconnect tcp: )dial tcp: lookup (?<host>[^\s:]+)(?: on \S+)?: (?:.*: )?(?:no such host|server misbehaving|Try again|Temporary failure in name resolution|i\/o timeout|(?:read: )?connection refused)/;
const patterns: readonly Pattern[] = [{ in: "image-pull", text: lookup }];

/** Stands for the site's own registry where nothing tells which it is. */
const example: Mirror = { registry: "harbor.example.local", path: "cert-manager" };

type Key = "nodes" | "copy" | "copy-changes" | "mirror" | "mirror-changes" | "mirror-example" | "mirror-undo";

export default defineCheck({
  id: "image-pull-dns",
  area: "air-gap",
  severity: "blocker",
  needs: ["pods", "events"],
  uses: ["deployments", "webhooks"],
  causedBy: [],
  patterns,
  sources: ["catalogue 1.2 image-pull-dns", "catalogue 1.13 airgap-image-list-incomplete", "catalogue table (c)"],
  strings: {
    title: "Registry that the node can't resolve",
    headline: "*A part of cert-manager can't start,* because its node can't find the registry of its image.",
    why: "The node itself looks up the registry, with its own resolver and not with the cluster's DNS. In a cluster without internet access this means that the image's address was left as it is by default.",
    lookup: {
      text: "{kind} {name} can't start the {component}: its node can't resolve `{host}`, which it has to ask for `{image}`.",
      note: "{kind} is Pod or Deployment; {component} is controller, webhook or cainjector",
    },
    untold: "{kind} {name} waits for `{image}`, and neither its status nor an event says why: events are kept for about an hour.",
    partly: "Other components of this install come from `{registry}`, so only some of the image values were changed.",
    unanswered: "The registry was never reached, so it has said nothing about the image.",
    unasked: "The registry was never reached, so it hasn't refused anybody.",
    copy: "Copy the images into {registry}",
    "copy-changes":
      "The images of {version} are added to `{registry}` with all their architectures, from a machine that reaches both registries. The cluster isn't touched.",
    mirror: "Take all images from your own registry",
    "mirror-changes": "All components are rolled out with images from `{place}`. Nothing else changes.",
    "mirror-example": {
      text: "All components are rolled out with images from the registry that you name; `{place}` stands for it in values. They have to be there: controller, webhook, cainjector, acmesolver and startupapicheck.",
      note: "{place} is an example of a registry's address",
    },
    "mirror-undo": "Set the values that were there before: the old pods wait for their images again.",
    nodes: "See which nodes can't resolve it",
  },
  run({ pods, events, deployments, webhooks }) {
    const pulls = failedPulls({ pods, events, deployments }, patterns);
    if (pulls.length === 0) return outcomeWithoutPull({ pods, events, deployments });
    const mirrors = pulls.flatMap((pull) => mirrorOf(pull) ?? []);
    return {
      status: "fail",
      // The values are about all components of an install at once.
      problems: fixOnce(
        pulls.map((pull) => ({
          key: "lookup" as const,
          values: { kind: pull.subject.kind, name: pull.subject.name, component: pull.component ?? pull.container, host: hostOf(pull), image: pull.image },
          severity: severityWithoutPod(pull.pods[0] as (typeof pods)[number], pods, webhooks),
          subject: pull.subject,
          component: pull.component,
          install: pull.namespace,
          evidence: pull.evidence,
          fix: fixOf(pull),
        })),
      ),
      because: mirrors.slice(0, 1).map(({ registry }) => ({ key: "partly" as const, values: { registry } })),
      ruledOut: [
        { check: "image-not-found", key: "unanswered" },
        { check: "image-pull-unauthorized", key: "unasked" },
      ],
    };
  },
});

function hostOf(pull: FailedPull): string {
  return lookup.exec(pull.cause ?? "")?.groups?.host ?? readImage(pull.image).registry;
}

/** The registry that other components of the install come from. */
function mirrorOf(pull: FailedPull): Mirror | undefined {
  const images = Object.values(pull.install?.components ?? {}).map((deployment) => readImage(mainContainer(deployment)?.image ?? ""));
  const found = images.find(
    ({ registry, repository }) => registry !== upstream.registry && registry !== readImage(pull.image).registry && repository.includes("/"),
  );
  return found && { registry: found.registry, path: found.repository.slice(0, found.repository.lastIndexOf("/")) };
}

function fixOf(pull: FailedPull): readonly FixStep<Key>[] {
  const { install, namespace } = pull;
  const instance = pull.pods[0]?.metadata.labels?.["app.kubernetes.io/instance"];
  const nodes: FixStep<Key> = {
    title: { key: "nodes" },
    for: "kubectl",
    command: `kubectl -n ${namespace} get pods -o wide${instance ? ` -l app.kubernetes.io/instance=${instance}` : ""}`,
    effect: "none",
  };
  const image = readImage(pull.image);
  const mirror = mirrorOf(pull);
  if (!install || (image.registry !== upstream.registry && !mirror)) return [nodes];
  const version = chartVersion(install);
  const deployments = Object.values(install.components).map((deployment) => deployment.metadata.name);
  const old = `${image.registry}/${image.repository.slice(0, image.repository.lastIndexOf("/") + 1)}`;
  const direct = (place: string) =>
    lines(`kubectl -n ${namespace} get deployments ${deployments.join(" ")} -o yaml |`, `sed "s#${old}#${place}/#" |`, "kubectl replace -f -");
  const title = { key: "mirror" as const };
  const undo = { key: "mirror-undo" as const };
  if (mirror) {
    const changes = { key: "mirror-changes" as const, values: { place: `${mirror.registry}/${mirror.path}` } };
    return [
      {
        title: { key: "copy", values: { registry: mirror.registry } },
        for: "kubectl",
        command: copyImages(version, mirror),
        effect: "none",
        changes: { key: "copy-changes", values: { registry: mirror.registry, version } },
      },
      ...setValues(install, { title, changes, undo }, mirrorValues(version, mirror), direct(`${mirror.registry}/${mirror.path}`)),
      nodes,
    ];
  }
  const changes = { key: "mirror-example" as const, values: { place: `${example.registry}/${example.path}` } };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills these in
  const asked: Mirror = { registry: "${REGISTRY%%/*}", path: "${REGISTRY#*/}" };
  const ask = `printf 'Registry that the nodes reach, such as ${example.registry}/${example.path}: ' && read -r REGISTRY &&`;
  const values = setValues(install, { title, changes, undo }, mirrorValues(version, example)).filter((step) => step.for === "values");
  const shell = setValues(install, { title, changes, undo }, mirrorValues(version, asked), direct("$REGISTRY")).filter((step) => step.for !== "values");
  return [...shell.map((step) => ({ ...step, command: lines(ask, step.command) })), ...values, nodes];
}
