import type { Evidence } from "@/lib/model/check.ts";

/** What was found, as `path: value`; for logs, events and answers the words themselves. */
export function EvidenceValue({ evidence, absent }: { evidence: Evidence; absent: string }) {
  const { path, value } = evidence;
  const speaksForItself = path === "metadata" || path === "answer" || path.startsWith("log/") || path.startsWith("event/");
  return (
    <>
      {speaksForItself ? null : `${path}: `}
      <span className="text-blocker">{value === null ? absent : value === "" ? '""' : value}</span>
    </>
  );
}
