import { describe, expect, test } from "vitest";
import type { Role, RoleBinding } from "../model/kubernetes.ts";
import { type Access, Rights } from "./rbac.ts";

const account = { namespace: "cert-manager", name: "cert-manager-cainjector" };
const subject = { kind: "ServiceAccount", ...account };

const role = (rules: Role["rules"], namespace?: string): Role => ({ metadata: { name: "r", namespace }, rules });
const binding = (kind: "Role" | "ClusterRole", namespace?: string, subjects: RoleBinding["subjects"] = [subject]): RoleBinding => ({
  metadata: { name: "b", namespace },
  roleRef: { kind, name: "r" },
  subjects,
});
const secrets = { apiGroups: [""], resources: ["secrets"], verbs: ["get", "list"] };
const read: Access = { verb: "get", group: "", resource: "secrets" };

function allowed(roles: readonly Role[], bindings: readonly RoleBinding[], access: Access = read): boolean {
  return new Rights({ roles, bindings }, account).allow(access);
}

describe("who is meant", () => {
  const roles = [role([secrets])];
  test.each([
    ["the account itself", subject, true],
    ["an account of the same name elsewhere", { ...subject, namespace: "infra" }, false],
    ["another account", { ...subject, name: "cert-manager" }, false],
    ["every ServiceAccount", { kind: "Group", name: "system:serviceaccounts" }, true],
    ["every ServiceAccount of its namespace", { kind: "Group", name: "system:serviceaccounts:cert-manager" }, true],
    ["every ServiceAccount of another namespace", { kind: "Group", name: "system:serviceaccounts:infra" }, false],
    ["whoever is known", { kind: "Group", name: "system:authenticated" }, true],
    ["its user name", { kind: "User", name: "system:serviceaccount:cert-manager:cert-manager-cainjector" }, true],
    ["a person", { kind: "User", name: "cert-manager-cainjector" }, false],
  ])("%s", (_, one, expected) => {
    expect(allowed(roles, [binding("ClusterRole", undefined, [one])])).toBe(expected);
  });
  test("nobody", () => {
    expect(allowed(roles, [{ ...binding("ClusterRole"), subjects: undefined }])).toBe(false);
  });
});

describe("where it holds", () => {
  test("a ClusterRole bound in one namespace holds only there", () => {
    const bindings = [binding("ClusterRole", "cert-manager")];
    expect(allowed([role([secrets])], bindings)).toBe(false);
    expect(allowed([role([secrets])], bindings, { ...read, namespace: "cert-manager" })).toBe(true);
    expect(allowed([role([secrets])], bindings, { ...read, namespace: "kube-system" })).toBe(false);
  });
  test("a ClusterRole bound in the cluster holds everywhere", () => {
    expect(allowed([role([secrets])], [binding("ClusterRole")], { ...read, namespace: "kube-system" })).toBe(true);
  });
  test("a Role is looked for in its binding's namespace", () => {
    expect(allowed([role([secrets], "infra")], [binding("Role", "cert-manager")], { ...read, namespace: "cert-manager" })).toBe(false);
  });
});

describe("what is allowed", () => {
  const withRule = (rule: NonNullable<Role["rules"]>[number], access: Access) => allowed([role([rule])], [binding("ClusterRole")], access);
  const lease: Access = { verb: "get", group: "coordination.k8s.io", resource: "leases", name: "cert-manager-cainjector-leader-election" };
  const named = {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    verbs: ["create", "get", "update", "patch"],
    resourceNames: ["cert-manager-cainjector-leader-election", "cert-manager-cainjector-leader-election-core"],
  };
  test("a rule with names allows what has one of them", () => {
    expect(withRule(named, lease)).toBe(true);
    expect(withRule(named, { ...lease, name: "other" })).toBe(false);
    expect(withRule(named, { ...lease, verb: "list", name: undefined })).toBe(false);
  });
  test("but never a create: its name isn't known when it is authorised", () => {
    expect(withRule(named, { ...lease, verb: "create" })).toBe(false);
    expect(withRule({ ...named, resourceNames: [] }, { ...lease, verb: "create" })).toBe(true);
  });
  test("everything", () => {
    expect(withRule({ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }, { ...read, resource: "secrets/any" })).toBe(true);
  });
  test("a subresource isn't its resource", () => {
    const status: Access = { verb: "update", group: "cert-manager.io", resource: "issuers/status" };
    const rule = { apiGroups: ["cert-manager.io"], verbs: ["update"] };
    expect(withRule({ ...rule, resources: ["issuers"] }, status)).toBe(false);
    expect(withRule({ ...rule, resources: ["issuers/status"] }, status)).toBe(true);
    expect(withRule({ ...rule, resources: ["*/status"] }, status)).toBe(true);
  });
  test("another group, another verb, or a rule without any", () => {
    expect(withRule({ ...secrets, apiGroups: ["apps"] }, read)).toBe(false);
    expect(withRule(secrets, { ...read, verb: "delete" })).toBe(false);
    expect(withRule({}, read)).toBe(false);
    expect(allowed([role(undefined)], [binding("ClusterRole")])).toBe(false);
  });
});

test("a binding to a ClusterRole that isn't known leaves it open, one to a Role that is gone doesn't", () => {
  const open = (bound: RoleBinding): boolean => new Rights({ roles: [], bindings: [bound] }, account).leadElsewhere;
  expect(open(binding("ClusterRole"))).toBe(true);
  expect(open(binding("Role", "cert-manager"))).toBe(false);
});
