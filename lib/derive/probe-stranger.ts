import { readDenial, readWebhookCall, type WebhookCall } from "../kube/error-text.ts";
import type { ApiProbe, ProbeAnswer } from "../model/facts.ts";

/** Who else than cert-manager kept the API check's request out. */
export interface Stranger {
  /** A webhook that said no, one that couldn't be called, or a policy of the API server's own. */
  readonly how: "denied" | "unreachable" | "policy";
  readonly name: string;
  readonly message: string;
  readonly call?: WebhookCall;
}

/** The refusal that isn't cert-manager's own, if there is one. */
export function strangerIn({ valid, invalid }: ApiProbe): Stranger | undefined {
  return strangerOf(valid) ?? (invalid ? strangerOf(invalid) : undefined);
}

function strangerOf(answer: ProbeAnswer): Stranger | undefined {
  if (answer.accepted) return undefined;
  const { message } = answer;
  const denial = readDenial(message);
  if (denial) return denial.ours ? undefined : { how: "denied", name: denial.hook, message };
  const call = readWebhookCall(message);
  if (call) return call.ours ? undefined : { how: "unreachable", name: call.hook, message, call };
  const policy = /ValidatingAdmissionPolicy '(?<name>[^']+)'/.exec(message)?.groups?.name;
  return policy ? { how: "policy", name: policy, message } : undefined;
}
