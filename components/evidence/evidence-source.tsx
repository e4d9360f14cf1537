import { fill } from "@/lib/i18n/fill.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { Evidence } from "@/lib/model/check.ts";

/** Where something was found: the object, and for a log or an event which one. */
export function EvidenceSource({ evidence, t }: { evidence: Evidence; t: Ui["finding"] }) {
  const { kind, namespace, name } = evidence.object;
  const object = `${kind} ${namespace ? `${namespace}/` : ""}${name}`;
  return <span title={object}>{object + detail(evidence.path, t)}</span>;
}

function detail(path: string, t: Ui["finding"]): string {
  const name = path.slice(path.indexOf("/") + 1);
  if (path.startsWith("log/")) return `, ${fill(t.log, { name })}`;
  if (path.startsWith("event/")) return `, ${fill(t.event, { name })}`;
  return "";
}
