import { type ApiProbe, type Fact, knownValue } from "../model/facts.ts";
import { readWebhookCall } from "./error-text.ts";
import { stageOf } from "./webhook-failure.ts";

/**
 * Whether a call to cert-manager's webhook failed in a way that something between the API server and its pod may be to blame for, by
 * the API check or, where that wasn't let in, by reported errors. Gatherers of the second wave ask only then.
 */
export function isWayBlocked({ apiProbe, reportedErrors }: { readonly apiProbe: Fact<ApiProbe>; readonly reportedErrors: Fact<readonly string[]> }): boolean {
  const probe = knownValue(apiProbe);
  const refusals = [probe?.valid, probe?.invalid].flatMap((answer) => (answer && !answer.accepted ? answer.message : []));
  const texts = probe?.valid.accepted ? refusals : [...refusals, ...(knownValue(reportedErrors) ?? [])];
  return texts.some((text) => {
    const call = readWebhookCall(text);
    // Whoever sees a certificate has got through; a Service that leads nowhere isn't a matter of the way.
    return call?.ours === true && call.purpose === "admission" && stageOf(call.reason) !== "unrouted" && !/x509: |root certificates/.test(call.reason);
  });
}
