import "server-only";
import { checks } from "../checks/index.gen.ts";
import { explain } from "../explain/explain.ts";
import { checkText } from "../i18n/check-texts.ts";
import type { Locale } from "../i18n/locales.ts";
import type { ExplainView } from "../model/view.ts";
import { latestCheckup } from "./checkups.ts";
import { findCluster } from "./clusters.ts";

/** Longer pastes are cut: the words that name a cause come early. */
const longestText = 20_000;

/** What a pasted error means, and whether this cluster has that problem now. Null for an unknown cluster. */
export async function explainView(cluster: string, text: string, locale: Locale): Promise<ExplainView | null> {
  if (!(await findCluster(cluster))) return null;
  const { matches, notOurs } = explain(text.slice(0, longestText));
  const results = latestCheckup(cluster)?.diagnosis.results ?? [];
  return {
    notOurs,
    matches: matches.flatMap((match) => {
      const check = checks.find((one) => one.id === match.check);
      if (!check) return [];
      const status = results.find((result) => result.check.id === check.id)?.status;
      return [
        {
          id: check.id,
          title: checkText(check, { key: "title" }, locale),
          why: checkText(check, { key: "why" }, locale),
          failsHere: status === "fail" || status === "settling",
        },
      ];
    }),
  };
}
