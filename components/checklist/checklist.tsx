import type { ChecklistRow, Checklist as List } from "@/lib/client/checklist.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { plural } from "@/lib/i18n/fill.ts";
import type { MissingFact, ReportCheck } from "@/lib/model/report.ts";
import { CheckFold } from "./check-fold.tsx";
import { CheckGroup } from "./check-group.tsx";
import { CheckRow } from "./check-row.tsx";
import { MissingRules } from "./missing-rules.tsx";

/** So many that could not look are worth a line each; more of them share a reason. */
const few = 12;

/** Every check of a report: what fails first, what is well folded away. */
export function Checklist({ list, missing, href, t }: { list: List; missing: readonly MissingFact[]; href: (id: string) => string; t: ClusterTexts }) {
  const texts = t.diagnosis.list;
  const rules = missing.flatMap((fact) => (fact.rule ? [fact.rule] : []));
  const fewUnknown = list.unknown.length <= few;
  const row = (check: ReportCheck, note: string) => <CheckRow key={check.id} check={check} href={href(check.id)} note={note} t={t.common} />;
  const failing = (rows: readonly ChecklistRow[]) =>
    rows.map((one) => (
      <CheckRow key={one.check.id} check={one.check} href={href(one.check.id)} indented={one.consequence} note={failureNote(one, t)} t={t.common} />
    ));
  return (
    <>
      <CheckGroup title={texts.failing} count={list.failing.length}>
        {failing(list.failing)}
      </CheckGroup>
      <CheckGroup title={texts.warnings} count={list.warnings.length}>
        {failing(list.warnings)}
      </CheckGroup>
      <CheckGroup title={texts.settling} count={list.settling.length}>
        {list.settling.map((check) => row(check, problemText(check, t)))}
      </CheckGroup>
      <CheckGroup title={texts.pending} count={list.pending.length}>
        {list.pending.map((check) => row(check, check.because))}
      </CheckGroup>
      {fewUnknown ? (
        <CheckGroup title={texts.unknown} count={list.unknown.length} below={rules.length > 0 ? <MissingRules rules={rules} t={t} /> : null}>
          {list.unknown.map((check) => row(check, check.because))}
        </CheckGroup>
      ) : null}
      <div className="overflow-hidden rounded-xl border border-line bg-surface empty:hidden">
        {fewUnknown ? null : (
          <CheckFold tone="unknown" title={plural(texts.unknownFold, list.unknown.length, t.locale)} checks={list.unknown} href={href} t={t} />
        )}
        <CheckFold tone="passed" note={texts.passedNote} title={plural(texts.passed, list.passed.length, t.locale)} checks={list.passed} href={href} t={t} />
        <CheckFold
          tone="not-applicable"
          title={plural(texts.notApplicable, list.notApplicable.length, t.locale)}
          checks={list.notApplicable}
          href={href}
          t={t}
        />
      </div>
    </>
  );
}

function failureNote({ check, explains }: ChecklistRow, t: ClusterTexts): string {
  const texts = t.diagnosis.list;
  const parts = [explains > 0 ? plural(texts.rootOf, explains, t.locale) : "", check.recovering ? texts.recovering : "", problemText(check, t)];
  return parts.filter(Boolean).join(" ");
}

function problemText(check: ReportCheck, t: ClusterTexts): string {
  const [first, ...others] = check.problems;
  if (!first) return check.because;
  return others.length > 0 ? `${first.text} ${plural(t.diagnosis.list.moreProblems, others.length, t.locale)}` : first.text;
}
