import { checkupPath } from "./checkup-query.ts";
import { useCheckupAction } from "./use-checkup-action.ts";

/** Starts a checkup anew. */
export function useCheckAgain(cluster: string) {
  const { step, refusal, ask } = useCheckupAction(cluster);
  return { step, refusal, start: () => ask(checkupPath(cluster), { method: "POST" }) };
}
