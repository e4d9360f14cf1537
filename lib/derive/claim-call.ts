import { matchesAny } from "../kube/error-text.ts";
import { hasReached } from "../kube/webhook-failure.ts";
import type { Outcome, Pattern } from "../model/check.ts";
import type { ApiProbe, Fact } from "../model/facts.ts";
import { type FailedWebhookCall, isAnswered, webhookCall } from "./webhook-call.ts";

type Claim<S extends string> =
  | { readonly made: FailedWebhookCall; readonly verdict?: undefined }
  | { readonly made?: undefined; readonly verdict: Extract<Outcome<S>, { status: "pass" | "not-applicable" | "needs" }> };

/**
 * The failed call that one of the patterns names, or the verdict of a check that there is none for. A call that failed otherwise
 * proves something only where it got as far as `stage`; else `unseen` is said.
 */
export function claimCall<S extends string>(
  facts: { readonly apiProbe: Fact<ApiProbe>; readonly reportedErrors: Fact<readonly string[]> },
  patterns: readonly Pattern[],
  stage: "dialing" | "connected",
  unseen: S,
): Claim<S> {
  const made = webhookCall(facts);
  const unclear: Claim<S> = { verdict: { status: "not-applicable", because: { key: unseen } } };
  switch (made.outcome) {
    case "unknown":
      return { verdict: { status: "needs", fact: "apiProbe" } };
    case "answered":
      return { verdict: { status: "pass" } };
    case "not-called":
      return unclear;
    case "failed":
      if (matchesAny(made.message, patterns)) return { made };
      return made.call.purpose === "admission" && hasReached(made.call.reason, stage) ? { verdict: { status: "pass" } } : unclear;
  }
}

/** Whether it may be that only some calls fail: one was answered, or the failed one isn't this checkup's own. */
export function failsNowAndThen(made: FailedWebhookCall, apiProbe: Fact<ApiProbe>): boolean {
  return (
    made.from === "reported" || (apiProbe.state === "known" && [apiProbe.value.valid, apiProbe.value.invalid].some((answer) => answer && isAnswered(answer)))
  );
}
