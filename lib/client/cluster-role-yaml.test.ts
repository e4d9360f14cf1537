import { expect, it } from "vitest";
import { parse } from "yaml";
import { clusterRoleYaml } from "./cluster-role-yaml.ts";

const comments = { comment: "made", inInstall: "there", inLeaderElection: "leases", inProbe: "dry" };

it("writes a ClusterRole that says what the rules say, each once", () => {
  const rule = { apiGroups: ["apps"], resources: ["deployments"], verbs: ["list"], in: "cluster" as const };
  const named = { apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames: ["a: b"], in: "install" as const };
  const text = clusterRoleYaml([rule, rule, named], "certmedic", comments);
  expect(parse(text)).toEqual({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "certmedic" },
    rules: [
      { apiGroups: ["apps"], resources: ["deployments"], verbs: ["list"] },
      { apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames: ["a: b"] },
    ],
  });
  expect(text).toContain("# there");
});

it("breaks a list that is too long for a line", () => {
  const rule = { apiGroups: ["apiextensions.k8s.io"], resources: ["a".repeat(40), "b".repeat(40)], verbs: ["list"], in: "cluster" as const };
  const text = clusterRoleYaml([rule], "x", comments);
  expect(parse(text).rules).toEqual([{ apiGroups: rule.apiGroups, resources: rule.resources, verbs: rule.verbs }]);
  expect(text).toContain('  resources:\n  - "aaa');
});
