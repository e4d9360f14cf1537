import { queryOptions } from "@tanstack/react-query";
import { longestInAddress } from "../model/paste-limits.ts";
import type { ExplainView } from "../model/view.ts";
import { requestJson } from "./request-json.ts";

/** What a pasted text means; nothing is asked while there is none. A text that is too long for an address is sent as a body. */
export function explainQuery(cluster: string, text: string) {
  const path = `/api/c/${encodeURIComponent(cluster)}/explain`;
  return queryOptions({
    queryKey: ["explain", cluster, text],
    queryFn: ({ signal }) =>
      text.length > longestInAddress
        ? requestJson<ExplainView>(path, { method: "POST", body: text, signal })
        : requestJson<ExplainView>(`${path}?text=${encodeURIComponent(text)}`, { signal }),
    enabled: text !== "",
  });
}
