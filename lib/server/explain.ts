import "server-only";
import { accountsFor, type Judged } from "../checks/account.ts";
import { checks } from "../checks/index.gen.ts";
import { explain } from "../explain/explain.ts";
import { checkText } from "../i18n/check-texts.ts";
import type { Locale } from "../i18n/locales.ts";
import type { ExplainedCheck, ExplainView } from "../model/view.ts";
import { linksTo } from "../report/catalogue.ts";
import { detailRows } from "../report/detail-rows.ts";
import { latestCheckup } from "./checkups.ts";
import { findCluster } from "./clusters.ts";

/** What a pasted error means, and whether what this cluster shows accounts for it. Null for an unknown cluster. */
export async function explainView(cluster: string, text: string, locale: Locale): Promise<ExplainView | null> {
  if (!(await findCluster(cluster))) return null;
  return explanationOf(text, latestCheckup(cluster)?.diagnosis ?? null, locale);
}

/** What a pasted text means; with what was judged of a cluster, also whether that accounts for it. */
export function explanationOf(text: string, judged: Judged | null, locale: Locale): ExplainView {
  const { matches, errors } = explain(text);
  const named = matches.flatMap((match): readonly ExplainedCheck[] => {
    const check = checks.find((one) => one.id === match.check);
    if (!check) return [];
    return [
      {
        id: check.id,
        title: checkText(check, { key: "title" }, locale),
        why: checkText(check, { key: "why" }, locale),
        severity: check.severity,
        details: detailRows(match.details, locale),
        saw: errors.flatMap((error) => {
          const found = error.matches.find((one) => one.check === check.id);
          return found ? [{ text: error.text, times: error.times, words: found.words }] : [];
        }),
        here: judged && hereOf(check.id, judged, locale),
      },
    ];
  });
  return {
    matches: named.toSorted((a, b) => Number(isSeen(b)) - Number(isSeen(a))),
    others: errors.flatMap(({ text: error, notOurs }) => (notOurs ? [{ text: error, ...notOurs }] : [])),
    unknown: errors.filter((error) => error.matches.length === 0 && !error.notOurs).map((error) => error.text),
  };
}

/** What the cluster shows comes first: an error that is over explains nothing now. */
function isSeen({ here }: ExplainedCheck): boolean {
  return here !== null && here.root !== null;
}

function hereOf(id: string, judged: Judged, locale: Locale): ExplainedCheck["here"] {
  const root = accountsFor(id, judged);
  return {
    status: judged.results.find((result) => result.check.id === id)?.status ?? null,
    root: root === null ? null : (linksTo([root], locale)[0] ?? null),
  };
}
