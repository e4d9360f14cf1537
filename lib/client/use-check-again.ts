import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { CheckupView } from "../model/view.ts";
import { checkupPath, checkupQuery } from "./checkup-query.ts";
import { requestJson } from "./request-json.ts";

/** Starts a checkup anew. The old report stays until the new one is whole. */
export function useCheckAgain(cluster: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => requestJson<CheckupView>(checkupPath(cluster), { method: "POST" }),
    async onSuccess(view) {
      // An answer to an earlier question must not overwrite this newer one.
      await client.cancelQueries({ queryKey: checkupQuery(cluster).queryKey });
      client.setQueryData(checkupQuery(cluster).queryKey, view);
      await client.invalidateQueries({ queryKey: ["finding", cluster] });
    },
  });
}
