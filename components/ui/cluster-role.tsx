import { clusterRoleYaml } from "@/lib/client/cluster-role-yaml.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { Rule } from "@/lib/model/facts.ts";
import { CodeBlock } from "./code-block.tsx";

/** RBAC rules as a ClusterRole to copy. */
export function ClusterRole({ rules, name = "certmedic-missing", t }: { rules: readonly Rule[]; name?: string; t: Pick<Ui, "common" | "rules"> }) {
  return <CodeBlock text={clusterRoleYaml(rules, name, t.rules)} t={t.common} />;
}
