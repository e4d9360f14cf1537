import { useCheckupAction } from "./use-checkup-action.ts";

/** Adds the errors in a text to a cluster's diagnosis, or takes one out. */
export function useReportedErrors(cluster: string) {
  const { step, refusal, ask } = useCheckupAction(cluster);
  const path = `/api/c/${encodeURIComponent(cluster)}/reported-errors`;
  return {
    step,
    refusal,
    add: (text: string) => ask(path, { method: "POST", body: text }),
    drop: (text: string) => ask(path, { method: "DELETE", body: text }),
  };
}
