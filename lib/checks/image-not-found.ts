import { type FailedPull, failedPulls, outcomeWithoutPull } from "../derive/image-pulls.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { chartVersion, componentValues, setValues } from "../kube/chart-values.ts";
import { readImage, upstream, upstreamRepository } from "../kube/image.ts";
import { defineCheck, type Pattern } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";

// "not found" is also what containerd says of an architecture that an image lacks, and of its own snapshots.
const patterns: readonly Pattern[] = [
  { in: "image-pull", text: /code = NotFound desc = (?!.*(?:no match for platform|snapshot|dial tcp)).*/ },
  { in: "image-pull", text: /failed to resolve reference "[^"]+": (?!.*(?:no match for platform|dial tcp))\S+: not found/ },
  { in: "image-pull", text: /(?:manifest|name) unknown|manifest for \S+ not found|(?:artifact|repository) \S+ not found/ },
];

type Key = "tag" | "tag-changes" | "repository" | "repository-changes" | "copy" | "copy-changes" | "again" | "again-changes" | "undo";

export default defineCheck({
  id: "image-not-found",
  area: "images",
  severity: "blocker",
  needs: ["pods", "events"],
  uses: ["deployments", "webhooks"],
  causedBy: [],
  patterns,
  sources: ["catalogue 1.2 image-not-found", "catalogue table (c)", "https://github.com/cert-manager/cert-manager/issues/4836"],
  strings: {
    title: "Image that its registry doesn't have",
    headline: "*A part of cert-manager can't start,* because the registry doesn't have its image.",
    why: "The node reached the registry, and the registry answered that there is no such tag or repository. The kubelet asks again every few minutes, so the pod starts by itself as soon as the image is there or the reference is right.",
    ignore: "While a mirror is still copying the image, this ends by itself.",
    missing: {
      text: "{kind} {name} can't start the {component}: `{registry}` doesn't have `{image}`.",
      note: "{kind} is Pod or Deployment; {component} is controller, webhook or cainjector",
    },
    untold: "{kind} {name} waits for `{image}`, and neither its status nor an event says why: events are kept for about an hour.",
    answered: "The registry answered, so its name resolves.",
    admitted: "The registry says that the image isn't there; it would refuse a node that it doesn't know.",
    tag: "Use the tag that belongs to this version",
    "tag-changes": "The {component} is rolled out with the image of {version}. Nothing else changes.",
    repository: "Use the right repository",
    "repository-changes": "The {component} is rolled out with an image from `{repository}`. Nothing else changes.",
    copy: "Copy the image into your registry",
    "copy-changes": "The image is added to `{registry}` with all its architectures. The cluster isn't touched.",
    again: "Try again at once",
    "again-changes": "The waiting pod is deleted and its Deployment makes a new one, which pulls without waiting for the next attempt.",
    undo: "Set the value that was there before: the old pods wait for their image again.",
  },
  run({ pods, events, deployments, webhooks }) {
    const pulls = failedPulls({ pods, events, deployments }, patterns);
    if (pulls.length === 0) return outcomeWithoutPull({ pods, events, deployments });
    return {
      status: "fail",
      problems: pulls.map((pull) => ({
        key: "missing" as const,
        values: { ...named(pull), component: pull.component ?? pull.container, registry: readImage(pull.image).registry, image: pull.image },
        severity: severityWithoutPod(pull.pods[0] as (typeof pods)[number], pods, webhooks),
        subject: pull.subject,
        component: pull.component,
        install: pull.namespace,
        evidence: pull.evidence,
        fix: fixOf(pull),
      })),
      ruledOut: [
        { check: "image-pull-dns", key: "answered" },
        { check: "image-pull-unauthorized", key: "admitted" },
      ],
    };
  },
});

function named({ subject: { kind, name } }: FailedPull) {
  return { kind, name };
}

function fixOf(pull: FailedPull): readonly FixStep<Key>[] {
  const { install, deployment, component, container, namespace } = pull;
  if (!install || !deployment || !component) return [];
  const image = readImage(pull.image);
  const version = chartVersion(install);
  const set = (reference: string) => `kubectl -n ${namespace} set image deployment/${deployment.metadata.name} ${container}=${reference}`;
  const place = `${image.registry}/${image.repository}`;
  if (image.name !== `cert-manager-${component}`) {
    const repository =
      image.registry === upstream.registry ? upstreamRepository(component) : `${place.slice(0, place.lastIndexOf("/"))}/cert-manager-${component}`;
    const step = {
      title: { key: "repository" as const },
      changes: { key: "repository-changes" as const, values: { component, repository } },
      undo: { key: "undo" as const },
    };
    return setValues(install, step, componentValues(component, { image: { repository } }), set(`${repository}:${image.tag || version}`));
  }
  if (!/^v\d+\.\d+\.\d+/.test(image.tag) || place === upstreamRepository(component)) {
    // A tag left out follows the chart, and goes on doing so at the next upgrade.
    const step = { title: { key: "tag" as const }, changes: { key: "tag-changes" as const, values: { component, version } }, undo: { key: "undo" as const } };
    return setValues(install, step, componentValues(component, { image: { tag: "" } }), set(`${place}:${version}`));
  }
  const from = `${upstreamRepository(component)}:${image.tag}`;
  return [
    {
      title: { key: "copy" },
      for: "kubectl",
      command: `skopeo copy --all docker://${from} docker://${place}:${image.tag}`,
      effect: "none",
      changes: { key: "copy-changes", values: { registry: image.registry } },
    },
    {
      title: { key: "again" },
      for: "kubectl",
      command: `kubectl -n ${namespace} delete pod ${pull.pods.map((pod) => pod.metadata.name).join(" ")}`,
      effect: "cluster",
      changes: { key: "again-changes" },
    },
  ];
}
