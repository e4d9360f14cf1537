import { type RefusedPods, refusalOutcome, refusalStrings } from "../derive/refused-pods.ts";
import { copyImages, type Mirror, mirrorValues } from "../kube/air-gap.ts";
import { chartVersion, setValues } from "../kube/chart-values.ts";
import { readDenial } from "../kube/error-text.ts";
import { mainContainer } from "../kube/install.ts";
import { imagePolicyWords } from "../kube/refusal.ts";
import { defineCheck } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";

/** How Gatekeeper's rule for registries names those that it lets through: as the beginnings of image references. */
const allowed = /allowed repos are \[\\?"(?<registry>[^/"\\]+)\/?(?<path>[^"\\]*?)\/?\\?"/;

type Key = "copy" | "copy-changes" | "mirror" | "mirror-changes" | "undo" | "images" | "describe";

export default defineCheck({
  id: "image-signature-policy-denied",
  area: "platform",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhooks"],
  causedBy: [],
  patterns: [{ in: "refusal", text: imagePolicyWords }],
  sources: ["catalogue 1.2 image-signature-policy-denied", "https://cert-manager.io/docs/installation/code-signing/"],
  strings: {
    title: "Images that a policy of the cluster doesn't let in",
    headline: "*A part of cert-manager can't start,* because a policy of this cluster doesn't let its image in.",
    "headline-served":
      "*A change to cert-manager doesn't take effect,* because a policy of this cluster doesn't let the new pods' image in; the old ones still work.",
    why: "A policy says which registries images may come from, or whose signature they must carry. It is asked before a pod is made, so nothing is pulled at all. cert-manager signs its own images with cosign; copies in a mirror have no signature unless it is copied with them.",
    refused: {
      text: "No pod of the {component} can start: {by} doesn't let `{image}` in, saying: {what}",
      note: "{by} names a webhook; {what} is its own text in English",
    },
    served: {
      text: "New pods of the {component} can't start, while the old ones still work: {by} doesn't let `{image}` in, saying: {what}",
      note: "{by} names a webhook; {what} is its own text in English",
    },
    copy: "Copy the images to where the policy lets them come from",
    "copy-changes": "The images are added to `{registry}` with all their architectures. The cluster isn't touched.",
    mirror: "Take the images from there",
    "mirror-changes": "All pods of cert-manager are made anew with images from `{registry}`.",
    undo: "Set the values that were there before.",
    images: "See which images cert-manager asks for",
    describe: "Read the refusals in full",
    ...refusalStrings,
  },
  run({ deployments, webhooks }) {
    return refusalOutcome({ deployments, webhooks }, "image-policy", (one) => {
      const what = one.message.replace(/^.*?(?:denied (?:the )?request: |is forbidden: )/s, "").replace(/\s+/g, " ");
      return {
        key: one.served ? "served" : "refused",
        values: {
          component: one.component,
          by: readDenial(one.message)?.hook ?? "ImagePolicyWebhook",
          image: mainContainer(one.deployment)?.image ?? "",
          what: what.trim(),
        },
        fix: [...mirrored(one), ...looks(one)],
      };
    });
  },
});

function mirrored({ install, message }: RefusedPods): readonly FixStep<Key>[] {
  const { registry, path } = allowed.exec(message)?.groups ?? {};
  if (!install || !registry || !path) return [];
  const mirror: Mirror = { registry, path };
  const values = { registry: `${registry}/${path}` };
  const version = chartVersion(install);
  const step = { title: { key: "mirror" as const }, changes: { key: "mirror-changes" as const, values }, undo: { key: "undo" as const } };
  return [
    { title: { key: "copy" }, for: "kubectl", command: copyImages(version, mirror), effect: "none", changes: { key: "copy-changes", values } },
    ...setValues(install, step, mirrorValues(version, mirror)),
  ];
}

function looks({ namespace }: RefusedPods): readonly FixStep<Key>[] {
  const look = (title: Key, command: string): FixStep<Key> => ({ title: { key: title }, for: "kubectl", command, effect: "none" });
  return [
    look("images", `kubectl -n ${namespace} get deployments -o custom-columns='NAME:.metadata.name,IMAGE:.spec.template.spec.containers[*].image'`),
    look("describe", `kubectl -n ${namespace} get events --field-selector reason=FailedCreate`),
  ];
}
