import { queryOptions } from "@tanstack/react-query";
import type { FindingView } from "../model/view.ts";
import { pollInterval } from "./checkup-query.ts";
import { RequestError, requestJson } from "./request-json.ts";

/** One check of a cluster; null while the cluster was not looked at yet. */
export function findingQuery(cluster: string, id: string) {
  return queryOptions({
    queryKey: ["finding", cluster, id],
    queryFn: ({ signal }) => find(cluster, id, signal),
    refetchInterval: ({ state: { data } }) => (data?.running ? pollInterval : false),
  });
}

async function find(cluster: string, id: string, signal: AbortSignal): Promise<FindingView | null> {
  try {
    return await requestJson<FindingView>(`/api/c/${encodeURIComponent(cluster)}/findings/${encodeURIComponent(id)}`, { signal });
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return null;
    throw error;
  }
}
