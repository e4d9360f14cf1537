import { type ApiProbe, type Fact, knownValue } from "../model/facts.ts";
import { readWebhookCall } from "./error-text.ts";
import { stageOf } from "./webhook-failure.ts";

interface Told {
  readonly apiProbe: Fact<ApiProbe>;
  readonly reportedErrors: Fact<readonly string[]>;
}

/**
 * Whether a call to cert-manager's webhook failed in a way that something between the API server and its pod may be to blame for, by
 * the API check or, where that wasn't let in, by reported errors. Gatherers of the second wave ask only then.
 */
export function isWayBlocked(told: Told): boolean {
  // Whoever sees a certificate has got through; a Service that leads nowhere isn't a matter of the way.
  return reasonsTold(told).some((reason) => stageOf(reason) !== "unrouted" && !/x509: |root certificates/.test(reason));
}

/** Whether one met somebody whose certificate the API server doesn't accept: that may be another one than the webhook. */
export function isStrangerMet(told: Told): boolean {
  return reasonsTold(told).some((reason) => reason.includes("x509: "));
}

function reasonsTold({ apiProbe, reportedErrors }: Told): readonly string[] {
  const probe = knownValue(apiProbe);
  const refusals = [probe?.valid, probe?.invalid].flatMap((answer) => (answer && !answer.accepted ? answer.message : []));
  const texts = probe?.valid.accepted ? refusals : [...refusals, ...(knownValue(reportedErrors) ?? [])];
  return texts.flatMap((text) => {
    const call = readWebhookCall(text);
    return call?.ours && call.purpose === "admission" ? call.reason : [];
  });
}
