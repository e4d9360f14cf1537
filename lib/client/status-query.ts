import { queryOptions } from "@tanstack/react-query";
import type { StatusView } from "../model/view.ts";
import { requestJson } from "./request-json.ts";

const calmInterval = 30_000;
const checkingInterval = 1_500;

/** All clusters in a word each, also while the page is in the background: it hangs on walls. */
export function statusQuery() {
  return queryOptions({
    queryKey: ["status"],
    queryFn: ({ signal }) => requestJson<StatusView>("/api/status", { signal }),
    refetchInterval: ({ state: { data } }) => (data?.clusters.some((cluster) => cluster.verdict === "checking") ? checkingInterval : calmInterval),
    refetchIntervalInBackground: true,
  });
}
