import type { FixStep } from "../model/fix.ts";
import type { ReleaseName } from "./crd-owners.ts";

/** What the step says; for the `strings` of checks that offer it. */
export const forgetStrings = {
  forget: { text: "Remove the record of release {have} first", note: "{have} is a Helm release's name" },
  "forget-changes":
    "Helm forgets the release, whose objects it has uninstalled already. With the record gone nobody can uninstall it a second time, which would delete objects that belong to another release by then.",
} as const;

/** Removes the record that an uninstall kept, before another release takes the objects over. */
export function forgetRelease({ release, namespace }: ReleaseName): FixStep<keyof typeof forgetStrings> {
  return {
    title: { key: "forget", values: { have: release } },
    for: "helm",
    command: `helm uninstall ${release} --namespace ${namespace}`,
    effect: "cluster",
    changes: { key: "forget-changes" },
  };
}
