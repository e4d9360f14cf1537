import { installs } from "../derive/installs.ts";
import { refusals } from "../derive/refusals.ts";
import { restoreRoles } from "../derive/restore-roles.ts";
import { resourceText, rightsGap } from "../derive/rights-gap.ts";
import { reapply } from "../kube/commands.ts";
import { accountOf, type Install } from "../kube/install.ts";
import { Rights } from "../kube/rbac.ts";
import { compareVersions } from "../kube/version.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import type { Deployment } from "../model/kubernetes.ts";

/** Where the API server guards owners by their finalizers (OpenShift does); 1.20.0 alone lacked that right (catalogue, controller-rbac-forbidden). */
const ownerRefused = /cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on/;
const finalizers = { verb: "update", group: "cert-manager.io", resource: "issuers/finalizers" };
const versionWithoutFinalizers = "v1.20.0";
const versionWithFinalizers = "v1.20.3";

export default defineCheck({
  id: "controller-rbac-forbidden",
  area: "controller",
  severity: "blocker",
  needs: ["deployments", "componentRoles"],
  uses: ["pods", "logs"],
  causedBy: ["serviceaccount-missing"],
  patterns: [
    {
      in: "anywhere",
      text: /User "system:serviceaccount:(?<namespace>[^":]+):(?<account>(?:[^":]*-)?cert-manager(?:-controller)?)" cannot \w+ resource "(?!leases"|serviceaccounts\/token")(?<resource>[^"]+)"/,
    },
    {
      in: "anywhere",
      text: /cert-manager[\s\S]{0,500}cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on/,
    },
  ],
  sources: ["catalogue 1.10 controller-rbac-forbidden", "https://cert-manager.io/docs/releases/release-notes/release-notes-1.20/"],
  strings: {
    title: "Controller without the rights that it needs",
    headline: "*No certificate is issued or renewed,* because the API server refuses the controller what it needs to work.",
    "headline-part": {
      text: "*Certificates of some issuers aren't issued or renewed,* because the API server refuses the controller a part of what it needs.",
      note: "Said instead of the headline where only rights for ACME, or for owners of objects, are missing.",
    },
    why: "The controller reads Issuers, Certificates and Secrets and writes their states as its ServiceAccount, and Roles say what that may do. Its pod stays Ready without them, and the webhook accepts new objects, so the install looks healthy while nothing happens to a Certificate.",
    ignore: "In the first seconds of an install the Roles may follow the pods.",
    missing: {
      text: "ServiceAccount {account} of {name} isn't allowed to {verb} `{resource}`{others, plural, =0 {} one {, nor is it allowed one other thing that it needs} other {, nor is it allowed # other things that it needs}}.",
      note: "{verb} is a verb of the Kubernetes API such as list or update, {name} the name of a Deployment",
    },
    finalizers:
      "ServiceAccount {account} of {name} isn't allowed to set finalizers on Issuers, and this API server lets nobody name an object as an owner who isn't.",
    sure: "All roles that are bound to the account were read, and none of them gives it that right.",
    "logged-too": "The controller's own log says that it was refused.",
    "not-stopped": "Its Deployment and its webhook are another matter: what is missing are rights.",
    restore: "Put its roles and their bindings back",
    "restore-changes":
      "The manifest of the same version is applied again, with the roles and bindings of all three components. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay.",
    create: "Let the chart bring its roles",
    "create-changes": "The ClusterRoles, Roles and bindings of all three components are created. Nothing else changes.",
    "create-undo": "Set `global.rbac.create` back to false, if somebody else gives cert-manager its rights.",
    update: "Take a release that has the right",
    "update-changes": "cert-manager {version} is installed over this one, with the values that were set; its pods restart once. Certificates and Secrets stay.",
    verify: "See whether it is allowed now",
    none: "No controller of cert-manager is here.",
  },
  run({ deployments, componentRoles, pods, logs }) {
    const found = installs({ deployments }).flatMap((install) => {
      const { controller } = install.components;
      return controller ? [{ install, controller }] : [];
    });
    if (found.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const short = found.flatMap(({ install, controller }) => {
      const gap = rightsGap(install, "controller", { componentRoles });
      return gap ? [{ install, controller, gap }] : [];
    });
    const lacking = found.filter(
      ({ install, controller }) =>
        compareVersions(install.version, versionWithoutFinalizers) === 0 &&
        !new Rights(componentRoles, { namespace: install.namespace, name: accountOf(controller) }).allow(finalizers),
    );
    const unguarded = lacking.flatMap(({ install, controller }) => {
      const lines = refusals(install, "controller", { pods, logs }, ownerRefused);
      return lines.length > 0 ? [{ install, controller, account: accountOf(controller), lines }] : [];
    });
    const problems = [
      ...short.map(({ install, controller, gap }) => {
        const [first, ...others] = gap.missing;
        return {
          ...about(install, controller),
          key: "missing" as const,
          values: { account: gap.account, name: controller.metadata.name, verb: first.verbs[0], resource: resourceText(first), others: others.length },
          severity: first.scope === "all" ? ("blocker" as const) : ("degraded" as const),
          transient: true,
          evidence: [...refusals(install, "controller", { pods, logs }), ...gap.evidence],
          fix: [...restoreRoles(install, gap), verify(install, gap.account, first.verbs[0], resourceText(first))],
        };
      }),
      ...unguarded.map(({ install, controller, account, lines }) => ({
        ...about(install, controller),
        key: "finalizers" as const,
        values: { account, name: controller.metadata.name },
        severity: "degraded" as const,
        evidence: lines,
        fix: [...update(install), verify(install, account, finalizers.verb, resourceText(finalizers))],
      })),
    ];
    // Whether this API server guards owners, only the log can tell.
    if (problems.length === 0 && lacking.length > 0 && logs.state !== "known") return { status: "needs", fact: "logs" };
    if (problems.length === 0) return { status: "pass" };
    return {
      status: "fail",
      problems,
      ...(problems.some(({ severity }) => severity === "blocker") ? {} : { headline: { key: "headline-part" } as const }),
      because: [{ key: "sure" }, ...(problems.some(({ evidence }) => evidence.some(isLogged)) ? [{ key: "logged-too" as const }] : [])],
      ruledOut: [{ check: "controller-not-running", key: "not-stopped" }],
    };
  },
});

function about({ namespace }: Install, { metadata: { name } }: Deployment) {
  return { subject: { kind: "Deployment", namespace, name }, component: "controller" as const, install: namespace };
}

function isLogged({ path }: Evidence): boolean {
  return path.startsWith("log/");
}

function update(install: Install) {
  const values = { version: versionWithFinalizers };
  return reapply({ ...install, version: versionWithFinalizers }, { title: { key: "update" as const }, changes: { key: "update-changes" as const, values } });
}

function verify({ namespace }: Install, account: string, verb: string, resource: string) {
  const [plural, subresource] = resource.split("/");
  return {
    title: { key: "verify" as const },
    for: "kubectl" as const,
    command: `kubectl auth can-i ${verb} ${plural}${subresource ? ` --subresource=${subresource}` : ""} --all-namespaces --as=system:serviceaccount:${namespace}:${account}`,
    effect: "none" as const,
  };
}
