import { setValues } from "../kube/chart-values.ts";
import { reapply } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import type { FixStep } from "../model/fix.ts";
import type { Text } from "../model/text.ts";
import type { RightsGap } from "./rights-gap.ts";

interface Step<S extends string> {
  readonly title: Text<S>;
  readonly changes: Text<S>;
  readonly undo?: Text<S>;
}

/** Puts the roles of an install back the way they came; a chart that was told to bring none is told to bring them. */
export function restoreRoles<S extends string>(
  install: Install,
  { withoutRoles }: RightsGap,
  { restore, create }: { readonly restore: Step<S>; readonly create: Step<S> },
): readonly FixStep<S>[] {
  const values = withoutRoles && install.method === "helm" ? setValues(install, create, { global: { rbac: { create: true } } }) : [];
  return values.length > 0 ? values : reapply(install, restore);
}
