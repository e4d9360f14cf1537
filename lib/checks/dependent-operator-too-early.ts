import { registrationRef } from "../derive/called-services.ts";
import { probeEvidence, probeObject } from "../derive/probe-evidence.ts";
import { probeCall, serviceCalled } from "../derive/webhook-call.ts";
import { readWebhookCall, type WebhookCall } from "../kube/error-text.ts";
import { isNormalAtStart } from "../kube/webhook-failure.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { type ApiProbe, knownValue, type WebhookRegistration } from "../model/facts.ts";
import type { ObjectRef } from "../model/object-ref.ts";

/** What cert-manager's own API check says of an install that isn't ready yet. */
const notReadyYet = /the cert-manager webhook (?:CA bundle is not injected|deployment is not ready|service is not created) yet/;

export default defineCheck({
  id: "dependent-operator-too-early",
  area: "api-probe",
  severity: "info",
  needs: ["reportedErrors"],
  uses: ["apiProbe", "webhooks"],
  causedBy: [],
  sources: ["catalogue 1.11 dependent-operator-too-early", "https://cert-manager.io/docs/reference/cmctl/#check"],
  strings: {
    title: "Error from before the webhook was ready",
    headline: "*The reported error is over:* the same call to cert-manager's webhook succeeds now.",
    why: "Whoever creates an Issuer or a Certificate right after cert-manager was installed, such as another operator's installer, comes before the webhook's CA is in place. Waiting for the Deployments isn't enough: they are Available a little earlier than that. Run the other installer again; it will get through.",
    ignore: "If the installer succeeded when it tried again, nothing is left to do.",
    early: "The reported failure of {webhook} belongs to the first minutes of an install, or to an outage that has ended.",
    answers: "The API server accepted a well-formed CertificateRequest just now, and the webhook filled in who made it.",
    wait: "Wait for cert-manager before the other installer starts",
    certmedic: "The same with this tool, which also says what is missing",
    none: "No error was reported.",
    "other-error": "None of the reported errors is one that an install makes in its first minutes.",
    still: "The API check doesn't pass now either, so the error isn't over.",
  },
  run({ reportedErrors, apiProbe: probe, webhooks }) {
    if (reportedErrors.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const early = reportedErrors.flatMap((text): readonly { text: string; call: WebhookCall | null }[] => {
      const call = readWebhookCall(text);
      if (call?.ours && call.purpose === "admission" && isNormalAtStart(call.reason)) return [{ text, call }];
      return notReadyYet.test(text) ? [{ text, call: null }] : [];
    });
    if (early.length === 0) return { status: "not-applicable", because: { key: "other-error" } };
    if (probe.state !== "known") return { status: "needs", fact: "apiProbe" };
    const apiProbe = probe.value;
    const { valid, invalid } = apiProbe;
    const passes = probeCall(apiProbe).outcome === "answered" && valid.accepted && valid.username !== "" && invalid?.accepted === false;
    if (!passes) return { status: "not-applicable", because: { key: "still" } };
    return {
      status: "fail",
      problems: early.map(({ text, call }) => ({
        key: "early" as const,
        values: { webhook: call?.hook || "webhook.cert-manager.io" },
        severity: "info" as const,
        subject: subjectOf(call, apiProbe),
        install: call?.namespace,
        evidence: [
          { object: subjectOf(call, apiProbe), path: "answer", value: text },
          probeEvidence({ apiProbe }, `accepted with spec.username: "${valid.username}"`),
          ...injections(knownValue(webhooks) ?? []),
        ],
        fix: [
          { title: { key: "wait" as const }, for: "kubectl" as const, command: "cmctl check api --wait=2m", effect: "none" as const },
          { title: { key: "certmedic" as const }, for: "kubectl" as const, command: "npx certmedic check --wait 5m", effect: "none" as const },
        ],
      })),
      because: [{ key: "answers" }],
    };
  },
});

function subjectOf(call: WebhookCall | null, apiProbe: ApiProbe): ObjectRef {
  return (call && serviceCalled(call)) ?? probeObject({ apiProbe });
}

/** When cainjector last wrote each CA bundle, where the API server says so: an older error came before it. */
function injections(webhooks: readonly WebhookRegistration[]): readonly Evidence[] {
  return webhooks.flatMap(({ configuration }) =>
    (configuration.metadata.managedFields ?? []).flatMap(({ manager, time }, index) =>
      manager?.includes("cainjector") && time ? [{ object: registrationRef(configuration), path: `metadata.managedFields[${index}].time`, value: time }] : [],
    ),
  );
}
