import { type Explanation, explain } from "../explain/explain.ts";
import type { ReportedError, RootCause } from "../model/report.ts";
import { checks } from "./index.gen.ts";
import type { CheckResult } from "./run.ts";

/** What was judged of a cluster, as far as it can account for an error. */
export interface Judged {
  readonly results: readonly CheckResult[];
  readonly rootCauses: readonly RootCause[];
}

/** Which root cause accounts for an error that somebody saw, and what the error is where none does. Pure. */
export function accountFor(text: string, judged: Judged): ReportedError {
  const { matches, errors } = explained(text);
  const named = matches.map((match) => match.check);
  const foreign = named.length > 0 ? null : (errors.find((error) => error.notOurs)?.notOurs ?? null);
  const by = mentionedBy(text, judged) ?? first(named, (id) => accountsFor(id, judged));
  return { text, checks: named, explained: by !== null, by, notOurs: foreign && (foreign.product ?? foreign.webhook) };
}

/** The root of what the cluster shows of a failure mode, or null where it shows nothing of it. */
export function accountsFor(id: string, judged: Judged, seen = new Set<string>()): string | null {
  seen.add(id);
  const status = judged.results.find((result) => result.check.id === id)?.status;
  if (status === "fail" || status === "settling") return rootOf(id, judged);
  // What was looked for and isn't there now, nothing accounts for.
  if (status === "pass") return null;
  // What no look at a cluster can show may still follow from what one shows.
  const causes = checks.find((check) => check.id === id)?.causedBy ?? [];
  return first(causes, (cause) => (seen.has(cause) ? null : accountsFor(cause, judged, seen)));
}

const mostKept = 100;
const kept = new Map<string, Explanation>();

/** What a text means never changes, and a checkup is judged anew with every fact that comes in. */
function explained(text: string): Explanation {
  const known = kept.get(text) ?? explain(text);
  if (kept.size >= mostKept) kept.clear();
  kept.set(text, known);
  return known;
}

/** A check that fails because of this very error. */
function mentionedBy(text: string, { results }: Judged): string | null {
  const found = results.find(({ status, problems }) => status === "fail" && problems.some(({ evidence }) => evidence.some(({ value }) => value === text)));
  return found?.check.id ?? null;
}

function rootOf(id: string, { rootCauses }: Judged): string {
  return rootCauses.find((root) => root.check === id || root.explains.includes(id))?.check ?? id;
}

function first(ids: readonly string[], find: (id: string) => string | null): string | null {
  for (const id of ids) {
    const found = find(id);
    if (found !== null) return found;
  }
  return null;
}
