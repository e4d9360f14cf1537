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
    refetchInterval: (query) => (query.state.data && canStillChange(query.state.data) ? pollInterval : false),
  });
}

/** Whether the report that is shown isn't the last word. */
export function canStillChange(view: CheckupView): boolean {
  return view.running || view.report?.final === false;
}
