import { checks } from "../checks/index.gen.ts";
import { findPattern, readDenial, readWebhookCall } from "../kube/error-text.ts";

export interface Explanation {
  readonly matches: readonly { readonly check: string; readonly details: Readonly<Record<string, string>> }[];
  /** The webhook that the error is about, where it is somebody else's. */
  readonly notOurs: string | null;
}

/** The failure modes that an error text names, best match (the longest) first. */
export function explain(text: string): Explanation {
  const call = readWebhookCall(text);
  const other = [call, readDenial(text)].find((webhook) => webhook && !webhook.ours);
  if (other) return { matches: [], notOurs: other.hook };
  const found = checks.flatMap((check) => {
    const hits = (check.patterns ?? []).map((pattern) => findPattern(text, pattern)).filter((hit) => hit !== null);
    const best = hits.sort((a, b) => b[0].length - a[0].length)[0];
    return best ? [{ check: check.id, length: best[0].length, details: { ...defined(best.groups), ...callDetails(call) } }] : [];
  });
  found.sort((a, b) => b.length - a.length);
  return { matches: found.map(({ check, details }) => ({ check, details })), notOurs: null };
}

function callDetails(call: ReturnType<typeof readWebhookCall>): Record<string, string> {
  if (!call) return {};
  return defined({ webhook: call.hook, service: call.service, namespace: call.namespace });
}

function defined(of: Record<string, string | undefined> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(of ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}
