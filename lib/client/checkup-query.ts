import { queryOptions } from "@tanstack/react-query";
import type { CheckupView } from "../model/view.ts";
import { requestJson } from "./request-json.ts";

/** How often a checkup that is under way is asked for, in milliseconds. */
export const pollInterval = 700;

export function checkupPath(cluster: string): string {
  return `/api/c/${encodeURIComponent(cluster)}/checkup`;
}

/** The state of a cluster's checkup; asked for again while it can still change. */
export function checkupQuery(cluster: string) {
  return queryOptions({
    queryKey: ["checkup", cluster],
    queryFn: ({ signal }) => requestJson<CheckupView>(checkupPath(cluster), { signal }),
    refetchInterval: (query) => (query.state.data?.running ? pollInterval : false),
    select: withoutBrokenReport,
  });
}

/** A look that failed half-way has said nothing: every check of it is unknown for the same reason. */
function withoutBrokenReport(view: CheckupView): CheckupView {
  return view.problem && view.report?.final === false ? { ...view, report: null } : view;
}
