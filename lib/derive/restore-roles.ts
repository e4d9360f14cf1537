import { setValues } from "../kube/chart-values.ts";
import { reapply } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import type { FixStep } from "../model/fix.ts";
import type { RightsGap } from "./rights-gap.ts";

type Key = "restore" | "restore-changes" | "create" | "create-changes" | "create-undo";

/** Puts the roles of an install back the way they came; a chart that was told to bring none is told to bring them. */
export function restoreRoles(install: Install, { withoutRoles }: RightsGap): readonly FixStep<Key>[] {
  const create = { title: { key: "create" }, changes: { key: "create-changes" }, undo: { key: "create-undo" } } as const;
  const values = withoutRoles && install.method === "helm" ? setValues<Key>(install, create, { global: { rbac: { create: true } } }) : [];
  return values.length > 0 ? values : reapply<Key>(install, { title: { key: "restore" }, changes: { key: "restore-changes" } });
}
