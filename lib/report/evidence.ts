import { stringify } from "yaml";
import type { Evidence } from "../model/check.ts";
import { type Fact, type Facts, knownValue } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { type ObjectRef, refText } from "../model/object-ref.ts";
import type { EvidenceView } from "../model/view.ts";

/** Lines around a marked one: enough to see where one is. */
const around = 6;

type Line = EvidenceView["lines"][number];

/** What was looked at, with its surroundings and the lines that matter marked. */
export function evidenceView(facts: Facts, evidence: Evidence): EvidenceView {
  return { ...evidence, of: refText(evidence.object), lines: linesOf(facts, evidence) };
}

function linesOf(facts: Facts, evidence: Evidence): readonly Line[] {
  const { path, value, object } = evidence;
  if (path.startsWith("log/")) return logLines(facts, object, path.slice(4), value ?? "");
  const found = objectOf(facts, object);
  if (!found || path.startsWith("event/") || path === "answer") return value === null ? [] : value.split("\n").map((text) => ({ text, marked: true }));
  return yamlLines(found, path, value);
}

/** The log's lines around the first that holds the value. */
function logLines(facts: Facts, pod: ObjectRef, container: string, value: string): readonly Line[] {
  const log = (knownValue(facts.logs) ?? []).find(
    (one) => one.pod === pod.name && one.namespace === pod.namespace && one.container === container && one.lines.some((line) => line.includes(value)),
  );
  if (!log) return value.split("\n").map((text) => ({ text, marked: true }));
  const at = log.lines.findLastIndex((line) => line.includes(value));
  return log.lines.slice(Math.max(0, at - around), at + 3).map((text) => ({ text, marked: text.includes(value) }));
}

/** The object as it was read, from whichever fact holds it; Secrets only as the gatherer passed them on. */
function objectOf(facts: Facts, ref: ObjectRef): KubeObject | undefined {
  const values = Object.values(facts).map((fact: Fact<unknown>) => knownValue(fact));
  const objects = values.flatMap((value) => (Array.isArray(value) ? value : value && typeof value === "object" ? Object.values(value).flat() : []));
  for (const entry of objects as unknown[]) {
    if (entry === null || typeof entry !== "object") continue;
    const held = entry as { object?: KubeObject | null; configuration?: KubeObject } & Partial<KubeObject>;
    const object = held.object ?? held.configuration ?? (held.metadata ? (held as KubeObject) : undefined);
    if (object?.metadata && object.kind === ref.kind && object.metadata.name === ref.name && object.metadata.namespace === ref.namespace) return object;
  }
  return undefined;
}

/** The object's YAML around the field, whose lines are marked. What every object carries is left out. */
function yamlLines(object: KubeObject, path: string, value: string | null): readonly Line[] {
  const { managedFields: _, ...metadata } = object.metadata;
  // JSONPath as kubectl writes it: dots in a key are escaped.
  const steps = (path.match(/(?:\\.|[^.[\]'"\\])+/g) ?? []).map((step) => step.replaceAll("\\", ""));
  const marker = "certmedic-marked-here";
  const text = stringify(withMarker({ ...object, metadata }, steps, marker), { lineWidth: 0 });
  const lines = text.split("\n").filter((line) => line !== "");
  const at = lines.findIndex((line) => line.includes(marker));
  if (at < 0) return value === null ? [] : [{ text: `${path}: ${value}`, marked: true }];
  const shown = lines.slice(Math.max(0, at - around), at + around + 1);
  return shown.map((line) => ({ text: line.includes(marker) ? line.replace(marker, shortened(value)) : shortened(line), marked: line.includes(marker) }));
}

function withMarker(node: unknown, steps: readonly string[], marker: string): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return marker;
  if (Array.isArray(node)) return node.map((item, index) => (String(index) === step ? withMarker(item, rest, marker) : item));
  const fields = node !== null && typeof node === "object" ? (node as Record<string, unknown>) : {};
  return { ...fields, [step]: withMarker(fields[step], rest, marker) };
}

/** A caBundle is a kilobyte of base64, whose start is enough to recognise it; a message says what happened at its end. */
function shortened(value: string | null): string {
  if (value === null) return "# absent";
  if (value === "") return '""';
  const room = /\S{200}/.test(value) ? 200 : 4_000;
  return value.length > room ? `${value.slice(0, room)}…` : value;
}
