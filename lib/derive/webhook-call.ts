import { readDenial, readWebhookCall, type WebhookCall } from "../kube/error-text.ts";
import { crdName, resources } from "../kube/resources.ts";
import { isNormalAtStart } from "../kube/webhook-failure.ts";
import type { Evidence } from "../model/check.ts";
import { type ApiProbe, type Fact, knownValue, type ProbeAnswer } from "../model/facts.ts";
import type { ObjectRef } from "../model/object-ref.ts";
import { probeEvidence, probeObject } from "./probe-evidence.ts";

/** What became of the API server's call to cert-manager's webhook. */
export type WebhookCallOutcome =
  | { readonly outcome: "answered" }
  | FailedWebhookCall
  /** The create ended before, or without, a call. */
  | { readonly outcome: "not-called" }
  /** The API check isn't known, and nobody reported a failed call. */
  | { readonly outcome: "unknown" };

export interface FailedWebhookCall {
  readonly outcome: "failed";
  readonly call: WebhookCall;
  readonly message: string;
  /** The Service that the call was meant for, or what it was about where the webhook is called by URL. */
  readonly subject: ObjectRef;
  readonly evidence: Evidence;
  readonly from: "api-probe" | "reported";
}

/**
 * The API check decides where it got as far as the webhook. Where it can't be asked, or was turned away before, an error that
 * somebody reported stands in for it.
 */
export function webhookCall(facts: { readonly apiProbe: Fact<ApiProbe>; readonly reportedErrors: Fact<readonly string[]> }): WebhookCallOutcome {
  const { apiProbe, reportedErrors } = facts;
  const reported = knownValue(reportedErrors) ?? [];
  if (apiProbe.state === "known") {
    const made = probeCall(apiProbe.value);
    if (made.outcome !== "not-called") return made;
    return isTurnedAway(apiProbe.value) ? (reportedCall(reported) ?? made) : made;
  }
  // Without the kinds no call can fail any more.
  const canAsk = apiProbe.state === "pending" || (apiProbe.state === "not-asked" && apiProbe.because !== "snapshot");
  return (canAsk ? undefined : reportedCall(reported)) ?? { outcome: "unknown" };
}

/** The API check's own call; one that failed counts even where another one was answered. */
export function probeCall(apiProbe: ApiProbe): Exclude<WebhookCallOutcome, { outcome: "unknown" }> {
  const answers = [apiProbe.valid, ...(apiProbe.invalid ? [apiProbe.invalid] : [])];
  for (const answer of answers) {
    if (answer.accepted) continue;
    const { message } = answer;
    const call = readWebhookCall(message);
    if (!call?.ours) continue;
    return {
      outcome: "failed",
      call,
      message,
      subject: serviceCalled(call) ?? probeObject({ apiProbe }),
      evidence: probeEvidence({ apiProbe }, message),
      from: "api-probe",
    };
  }
  return answers.some(isAnswered) ? { outcome: "answered" } : { outcome: "not-called" };
}

/** How a failed call's target is named in a sentence: `namespace/service`, or the webhook's own name. */
export function targetOf({ hook, service, namespace }: WebhookCall): string {
  return service && namespace ? `${namespace}/${service}` : hook;
}

/** Whether the webhook had its say about one of the API check's requests. */
export function isAnswered(answer: ProbeAnswer): boolean {
  // Only the mutating webhook fills in the name of the user; only the validating one denies in its own name.
  return answer.accepted ? answer.username !== "" : readDenial(answer.message)?.ours === true;
}

/** Whether somebody else refused the request before cert-manager's webhook could be called; an unknown kind is called for by nobody. */
function isTurnedAway({ valid }: ApiProbe): boolean {
  return !valid.accepted && (valid.code !== 404 || /^namespaces "/.test(valid.message));
}

/** Of several reported calls the one that tells most: what every install says in its first minutes may be over. */
function reportedCall(texts: readonly string[]): FailedWebhookCall | undefined {
  const failed = texts.flatMap((message): readonly FailedWebhookCall[] => {
    const call = readWebhookCall(message);
    if (!call?.ours) return [];
    const subject = serviceCalled(call) ?? { kind: "CustomResourceDefinition", name: crdName(resources.certificaterequests) };
    return [{ outcome: "failed", call, message, subject, evidence: { object: subject, path: "answer", value: message }, from: "reported" }];
  });
  return failed.find(({ call }) => !isNormalAtStart(call.reason)) ?? failed[0];
}

/** The Service that a call was meant for; undefined where the webhook is called by URL. */
export function serviceCalled({ service, namespace }: WebhookCall): ObjectRef | undefined {
  return service && namespace ? { kind: "Service", namespace, name: service } : undefined;
}
