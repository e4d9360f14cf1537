import type { SnapshotObject } from "./snapshot.ts";

/** A selector that an API server would refuse with 400. */
export class SelectorError extends Error {
  override readonly name = "SelectorError";
}

export type Matcher = (object: SnapshotObject) => boolean;

const requirement = /^\s*(?:(!)\s*([\w./-]+)|([\w./-]+)\s*(?:(==|!=|=)\s*([\w.-]*)|\s(in|notin)\s*\(([^)]*)\))?)\s*$/;

/** Reads a label selector: `a=b, c!=d, e in (f,g), h notin (i), j, !k`. */
export function labelMatcher(selector: string): Matcher {
  const requirements = splitOutsideParentheses(selector).map((part) => {
    const match = requirement.exec(part);
    if (!match) throw new SelectorError(`unable to parse requirement: ${part.trim()}`);
    const [, not, absentKey, key = "", equality, value = "", set, values = ""] = match;
    if (not && absentKey) return (labels: Labels) => labels[absentKey] === undefined;
    const wanted = set ? values.split(",").map((item) => item.trim()) : [value];
    if (equality === "!=" || set === "notin") return (labels: Labels) => !wanted.includes(labels[key] ?? "\0");
    if (equality || set) return (labels: Labels) => wanted.includes(labels[key] ?? "\0");
    return (labels: Labels) => labels[key] !== undefined;
  });
  return (object) => requirements.every((holds) => holds(object.metadata.labels ?? {}));
}

type Labels = Readonly<Record<string, string>>;

const everywhere = /^metadata\.(name|namespace)$/;
const fieldsOfKind: Readonly<Record<string, RegExp>> = {
  Event: /^(type|reason|reportingComponent|source|involvedObject\.(kind|namespace|name|uid|apiVersion|resourceVersion|fieldPath))$/,
  Secret: /^type$/,
  Pod: /^(spec\.(nodeName|restartPolicy|schedulerName|serviceAccountName|hostNetwork)|status\.(phase|podIP|nominatedNodeName))$/,
  Node: /^spec\.unschedulable$/,
  Namespace: /^status\.phase$/,
  Job: /^status\.successful$/,
  ReplicaSet: /^status\.replicas$/,
  CertificateSigningRequest: /^spec\.signerName$/,
};

/** Reads a field selector (`metadata.name=x,type!=Normal`) for one kind; a field that the kind can't be selected by is an error. */
export function fieldMatcher(selector: string, kind: string): Matcher {
  const requirements = selector.split(/(?<!\\),/).filter((part) => part !== "");
  const matchers = requirements.map((part): Matcher => {
    const match = /^([\w.]+)(==|!=|=)((?:\\.|[^\\])*)$/.exec(part);
    if (!match) throw new SelectorError(`invalid selector: '${selector}'; can't understand '${part}'`);
    const [, field = "", operator, raw = ""] = match;
    if (!everywhere.test(field) && !fieldsOfKind[kind]?.test(field)) throw new SelectorError(`field label not supported: ${field}`);
    const value = raw.replace(/\\(.)/g, "$1");
    return (object) => (fieldText(object, field) === value) === (operator !== "!=");
  });
  return (object) => matchers.every((holds) => holds(object));
}

/** An absent field is selected as its zero value. */
function fieldText(object: SnapshotObject, field: string): string {
  if (field === "source") return String((object.source as { component?: string } | undefined)?.component ?? "");
  let value: unknown = object;
  for (const key of field.split(".")) value = (value as Record<string, unknown> | null | undefined)?.[key];
  if (value === undefined || value === null) return field === "spec.unschedulable" || field === "spec.hostNetwork" ? "false" : "";
  return String(value);
}

function splitOutsideParentheses(text: string): string[] {
  return text.split(/,(?![^(]*\))/).filter((part) => part.trim() !== "");
}
