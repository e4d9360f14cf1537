import type { Rule } from "../model/facts.ts";

/** What the comments say; a rule that is needed everywhere needs none. */
export interface RuleComments {
  readonly comment: string;
  readonly inInstall: string;
  readonly inLeaderElection: string;
  readonly inProbe: string;
}

/** Rules as one ClusterRole to copy. Written by hand, since a YAML library is larger than the page. */
export function clusterRoleYaml(rules: readonly Rule[], name: string, comments: RuleComments): string {
  const distinct = [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
  return [
    "apiVersion: rbac.authorization.k8s.io/v1",
    "kind: ClusterRole",
    "metadata:",
    `  name: ${name} # ${comments.comment}`,
    "rules:",
    ...distinct.flatMap((rule) => ruleLines(rule, comments)),
    "",
  ].join("\n");
}

function ruleLines(rule: Rule, comments: RuleComments): readonly string[] {
  const scope = { cluster: "", install: comments.inInstall, "leader-election": comments.inLeaderElection, probe: comments.inProbe }[rule.in];
  const [first = "", ...others] = [
    ...field("apiGroups", rule.apiGroups),
    ...field("resources", rule.resources),
    ...field("verbs", rule.verbs),
    ...(rule.resourceNames?.length ? field("resourceNames", rule.resourceNames) : []),
  ];
  return [...(scope ? [`# ${scope}`] : []), `- ${first}`, ...others.map((line) => `  ${line}`)];
}

/** On one line, unless it would be too long for the page. A JSON string is a YAML string, whatever it holds. */
function field(name: string, items: readonly string[]): readonly string[] {
  const quoted = items.map((item) => JSON.stringify(item));
  const line = `${name}: [${quoted.join(", ")}]`;
  return line.length <= 60 ? [line] : [`${name}:`, ...quoted.map((item) => `- ${item}`)];
}
