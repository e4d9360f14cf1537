import { builtInResources } from "./built-in-resources.ts";

/** What a file of a troubleshoot.sh bundle is, by its path. */
export type TroubleshootPath =
  | {
      readonly is: "objects";
      readonly plural: string;
      readonly namespace?: string /** Found where errors should be. */;
      readonly errorsFolder: boolean;
    }
  | { readonly is: "custom"; readonly plural: string; readonly group: string; readonly namespace?: string }
  | { readonly is: "log"; readonly namespace: string; readonly pod: string; readonly container: string; readonly previous: boolean }
  | { readonly is: "errors"; readonly plural: string }
  | { readonly is: "other" };

const other: TroubleshootPath = { is: "other" };

/** Folder names that aren't the plural with hyphens. */
const plurals: Readonly<Record<string, string>> = {
  "network-policy": "networkpolicies",
  "resource-quota": "resourcequotas",
  ingress: "ingresses",
  pvcs: "persistentvolumeclaims",
  pvs: "persistentvolumes",
  "custom-resources": "custom-resources",
};

/** Reads a path; `other` is everything that holds no object, log or error of a cluster resource. */
export function troubleshootPath(path: string): TroubleshootPath {
  const [root, folder = "", ...rest] = path.split("/");
  if (root !== "cluster-resources" || folder === "auth-cani-list") return other;
  if (folder === "custom-resources") return customPath(rest);
  if (folder === "pods" && rest[0] === "logs") return logPath(rest.slice(1));
  const [file, nested] = rest;
  if (nested !== undefined || !path.endsWith(".json")) return other;
  const errors = /^(.*)-errors(?:\.json)?$/.exec(folder);
  const plural = pluralOf(errors?.[1] ?? folder.replace(/\.json$/, ""));
  if (plural === undefined) return other;
  if (errors && file === undefined) return { is: "errors", plural };
  return { is: "objects", plural, namespace: file?.replace(/\.json$/, ""), errorsFolder: errors !== null };
}

function customPath(rest: readonly string[]): TroubleshootPath {
  const [first = "", file] = rest;
  if (file === undefined && first === "custom-resources-errors.json") return { is: "errors", plural: "custom-resources" };
  if (rest.length > 2 || !/\.(json|yaml)$/.test(rest.at(-1) ?? "")) return other;
  const [plural = "", ...group] = (file === undefined ? first.replace(/\.(json|yaml)$/, "") : first).split(".");
  if (group.length === 0) return other;
  return { is: "custom", plural, group: group.join("."), namespace: file?.replace(/\.(json|yaml)$/, "") };
}

function logPath(rest: readonly string[]): TroubleshootPath {
  const [namespace, pod, file, nested] = rest;
  const match = /^(.+?)(-previous)?\.log$/.exec(file ?? "");
  if (!namespace || !pod || !match || nested !== undefined || file?.endsWith("-logs-errors.log")) return other;
  return { is: "log", namespace, pod, container: match[1] ?? "", previous: match[2] !== undefined };
}

function pluralOf(folder: string): string | undefined {
  const plural = plurals[folder] ?? folder.replaceAll("-", "");
  return plural === "custom-resources" || builtInResources.some((resource) => resource.plural === plural) ? plural : undefined;
}
