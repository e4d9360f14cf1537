import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CheckupView } from "../model/view.ts";
import { checkupQuery } from "./checkup-query.ts";
import { requestJson } from "./request-json.ts";

interface State {
  /** `started` once the server has begun: whether it has ended is in the checkup. */
  readonly step: "idle" | "asking" | "started" | "refused";
  /** What the server said to a refusal. */
  readonly refusal: string;
}

/** Asks the server for something that starts a checkup anew. The old report stays until the new one is whole. */
export function useCheckupAction(cluster: string) {
  const client = useQueryClient();
  const [state, setState] = useState<State>({ step: "idle", refusal: "" });

  async function ask(path: string, init: RequestInit) {
    setState({ step: "asking", refusal: "" });
    try {
      const view = await requestJson<CheckupView>(path, init);
      const { queryKey } = checkupQuery(cluster);
      // An answer to an earlier question must not overwrite this newer one.
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, view);
      await client.invalidateQueries({ queryKey: ["finding", cluster] });
      setState({ step: "started", refusal: "" });
    } catch (error) {
      setState({ step: "refused", refusal: error instanceof Error ? error.message : String(error) });
    }
  }

  return { ...state, ask };
}
