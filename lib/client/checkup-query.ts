import { queryOptions } from "@tanstack/react-query";
import type { CheckupView } from "../model/view.ts";
import { requestJson } from "./request-json.ts";

/** How often a checkup that is under way is asked for, in milliseconds. */
export const pollInterval = 700;

/** How often an install that settles is. */
const settlingInterval = 2_000;

export function checkupPath(cluster: string): string {
  return `/api/c/${encodeURIComponent(cluster)}/checkup`;
}

/** The state of a cluster's checkup; asked for again while it can still change. */
export function checkupQuery(cluster: string) {
  return queryOptions({
    queryKey: ["checkup", cluster],
    queryFn: ({ signal }) => requestJson<CheckupView>(checkupPath(cluster), { signal }),
    refetchInterval: (query) => intervalFor(query.state.data),
  });
}

/** A live install that settles is looked at by the server every few seconds; a snapshot stays as it is. */
function intervalFor(view: CheckupView | undefined): number | false {
  if (view?.running) return pollInterval;
  return view?.report?.verdict === "settling" && view.cluster.kind !== "snapshot" ? settlingInterval : false;
}
