import { readDenial, readWebhookCall, type WebhookCall } from "../kube/error-text.ts";
import type { Evidence } from "../model/check.ts";
import type { ApiProbe, ProbeAnswer } from "../model/facts.ts";
import type { ObjectRef } from "../model/object-ref.ts";

/** What became of the API server's call to cert-manager's webhook during the API check. */
export type ProbeCall =
  | { readonly outcome: "answered" }
  | { readonly outcome: "failed"; readonly call: WebhookCall; readonly message: string }
  /** The create ended before, or without, a call. */
  | { readonly outcome: "not-called" };

/** Reads the API check's answers; a failed call counts even where another one was answered. */
export function probeCall({ apiProbe }: { readonly apiProbe: ApiProbe }): ProbeCall {
  const answers = [apiProbe.valid, ...(apiProbe.invalid ? [apiProbe.invalid] : [])];
  for (const answer of answers) {
    const call = answer.accepted ? null : readWebhookCall(answer.message);
    if (call?.ours && !answer.accepted) return { outcome: "failed", call, message: answer.message };
  }
  return answers.some(isAnswered) ? { outcome: "answered" } : { outcome: "not-called" };
}

function isAnswered(answer: ProbeAnswer): boolean {
  // Only the mutating webhook fills in the name of the user; only the validating one denies in its own name.
  return answer.accepted ? answer.username !== "" : readDenial(answer.message)?.ours === true;
}

/** The object that the API check asked the API server to create. */
export function probeObject({ apiProbe }: { readonly apiProbe: ApiProbe }): ObjectRef {
  return { kind: "CertificateRequest", namespace: apiProbe.namespace, name: "certmedic-probe" };
}

/** What the API server answered to the API check, as evidence. */
export function probeEvidence(facts: { readonly apiProbe: ApiProbe }, value: string): Evidence {
  return { object: probeObject(facts), path: "answer", value };
}

/** The Service that a failed call was meant for, or the probe's own object where the webhook is called by URL. */
export function calledBy(facts: { readonly apiProbe: ApiProbe }, { service, namespace }: WebhookCall): ObjectRef {
  return service && namespace ? { kind: "Service", namespace, name: service } : probeObject(facts);
}

/** How a failed call's target is named in a sentence: `namespace/service`, or the webhook's own name. */
export function targetOf({ hook, service, namespace }: WebhookCall): string {
  return service && namespace ? `${namespace}/${service}` : hook;
}
