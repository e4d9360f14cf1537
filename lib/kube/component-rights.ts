import type { Component } from "../model/check.ts";
import { accountOf, caSecretOf, flagOf, type Install } from "./install.ts";
import { type Access, type Grants, Rights } from "./rbac.ts";

/** A right that every cert-manager from 1.12 on uses: any one of `verbs` will do. */
export interface NeededRight extends Omit<Access, "verb"> {
  readonly verbs: readonly [string, ...string[]];
  /** What doesn't work without it: everything of the component, or only a part of its work. */
  readonly scope: "all" | "part";
}

type Kind = Omit<NeededRight, "verbs" | "scope">;
const certManager = "cert-manager.io";
const acme = "acme.cert-manager.io";
const registrations = "admissionregistration.k8s.io";

/** What a component's own account has to be allowed, with the namespaces and names of this install. Nothing where the component isn't there. */
export function neededRights(install: Install, component: Component): readonly NeededRight[] {
  if (!install.components[component]) return [];
  if (component === "controller") return controllerRights(install);
  return component === "webhook" ? webhookRights(install) : cainjectorRights(install);
}

/** Those that no role gives it. */
export function missingRights(install: Install, component: Component, grants: Grants): readonly NeededRight[] {
  const deployment = install.components[component];
  if (!deployment) return [];
  const rights = new Rights(grants, { namespace: install.namespace, name: accountOf(deployment) });
  return neededRights(install, component).filter(({ verbs, scope: _, ...access }) => !verbs.some((verb) => rights.allow({ ...access, verb })));
}

/** The namespaces in which Roles may give the components what they need. */
export function roleNamespaces(install: Install): readonly string[] {
  const { controller, cainjector } = install.components;
  return [...new Set([install.namespace, caSecretOf(install)?.namespace, flagOf(controller, "namespace"), flagOf(cainjector, "namespace")])].flatMap(
    (namespace) => namespace || [],
  );
}

/** With `--namespace` the controller works in one namespace, and leaves ClusterIssuers alone. */
function controllerRights({ components: { controller } }: Install): readonly NeededRight[] {
  const namespace = flagOf(controller, "namespace");
  const selected = flagOf(controller, "controllers")?.split(",") ?? ["*"];
  const runs = (name: string): boolean => !selected.includes(`-${name}`) && (selected.includes("*") || selected.includes(name));
  const kind = (group: string, resource: string): Kind => ({ group, resource, ...(namespace ? { namespace } : {}) });
  return [
    ...[kind(certManager, "issuers"), ...(namespace ? [] : [kind(certManager, "clusterissuers")])].flatMap((of) => worked(of, "all")),
    ...worked(kind(certManager, "certificates"), "all"),
    ...worked(kind(certManager, "certificaterequests"), "all"),
    ...each(kind(certManager, "certificaterequests"), "all", ["create"], ["delete"]),
    ...watched(kind("", "secrets"), "all"),
    ...each(kind("", "secrets"), "all", ["create"], ["update", "patch"]),
    ...["orders", "challenges"].filter(runs).flatMap((resource) => {
      const of = kind(acme, resource);
      return [...worked(of, "part"), ...each(of, "part", ["create"])];
    }),
  ];
}

function cainjectorRights(install: Install): readonly NeededRight[] {
  const { cainjector } = install.components;
  const namespace = flagOf(cainjector, "namespace");
  const isOn = (flag: string): boolean => flagOf(cainjector, `enable-${flag}`) !== "false";
  const source = (group: string, resource: string): Kind => ({ group, resource, ...(namespace ? { namespace } : {}) });
  const target = (group: string, resource: string, scope: NeededRight["scope"]) =>
    isOn(`${resource}-injectable`) ? [...watched({ group, resource }, "all"), ...each({ group, resource }, scope, ["update", "patch"])] : [];
  return [
    ...each(source("", "secrets"), "all", ["get"]),
    ...watched(source("", "secrets"), "all"),
    ...(isOn("certificates-data-source") ? watched(source(certManager, "certificates"), "all") : []),
    ...target(registrations, "validatingwebhookconfigurations", "all"),
    ...target(registrations, "mutatingwebhookconfigurations", "all"),
    ...target("apiregistration.k8s.io", "apiservices", "part"),
    ...target("apiextensions.k8s.io", "customresourcedefinitions", "part"),
  ];
}

function webhookRights(install: Install): readonly NeededRight[] {
  const secret = caSecretOf(install);
  if (!secret) return [];
  const named = { group: "", resource: "secrets", ...secret };
  return [...each(named, "all", ["get"]), ...watched(named, "all"), ...each(named, "all", ["create"], ["update"])];
}

/** What is read, and has a status that is written. */
function worked(of: Kind, scope: NeededRight["scope"]): readonly NeededRight[] {
  return [...watched(of, scope), ...each({ ...of, resource: `${of.resource}/status` }, scope, ["update", "patch"])];
}

function watched(of: Kind, scope: NeededRight["scope"]): readonly NeededRight[] {
  return each(of, scope, ["list"], ["watch"]);
}

function each(of: Kind, scope: NeededRight["scope"], ...rights: readonly NeededRight["verbs"][]): readonly NeededRight[] {
  return rights.map((verbs) => ({ ...of, verbs, scope }));
}
