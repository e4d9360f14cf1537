import { queryOptions } from "@tanstack/react-query";
import type { ExplainView } from "../model/view.ts";
import { requestJson } from "./request-json.ts";

/** What stays in the address: servers and proxies refuse longer ones, and the words that name a cause come early. */
export const longestError = 4_000;

/** What a pasted error means; nothing is asked while there is none. */
export function explainQuery(cluster: string, text: string) {
  return queryOptions({
    queryKey: ["explain", cluster, text],
    queryFn: ({ signal }) => requestJson<ExplainView>(`/api/c/${encodeURIComponent(cluster)}/explain?text=${encodeURIComponent(text)}`, { signal }),
    enabled: text !== "",
  });
}
