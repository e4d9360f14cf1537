import { checks } from "../checks/index.gen.ts";
import { checkText } from "../i18n/check-texts.ts";
import type { Locale } from "../i18n/locales.ts";
import type { ClusterView, StatusView } from "../model/view.ts";
import type { Checkup } from "./report.ts";

/** One cluster on the status page: a word and titles from the catalogue, nothing that the cluster itself says. */
export function statusOf(
  cluster: Pick<ClusterView, "name" | "title">,
  checkup: Checkup | null,
  seen: { readonly asOf: string | null; readonly since: string | null; readonly unreachable: boolean },
  locale: Locale,
): StatusView["clusters"][number] {
  const named = { name: cluster.name, title: cluster.title };
  if (!checkup || seen.unreachable) return { ...named, verdict: seen.unreachable ? "unreachable" : "checking", since: null, asOf: seen.asOf, rootCauses: [] };
  const { verdict, rootCauses, results } = checkup.diagnosis;
  return {
    ...named,
    verdict: checkup.final ? verdict : "checking",
    since: seen.since,
    asOf: seen.asOf,
    rootCauses: rootCauses.flatMap(({ check: id }) => {
      const check = checks.find((one) => one.id === id);
      const severity = results.find((result) => result.check.id === id)?.problems[0]?.severity ?? "info";
      return check ? [{ title: checkText(check, { key: "title" }, locale), severity }] : [];
    }),
  };
}
