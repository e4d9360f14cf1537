import { expect, test } from "vitest";
import type { ApiProbe, Fact, ProbeAnswer } from "../model/facts.ts";
import { webhookCall } from "./webhook-call.ts";

const url = 'Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s"';
const failing = (reason: string) => `Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: ${url}: ${reason}`;
const refused = (message: string, code = 500): ProbeAnswer => ({ accepted: false, code, reason: "", message, durationMs: 1 });
const accepted = (username: string): ProbeAnswer => ({ accepted: true, username, durationMs: 1 });
const probe = (valid: ProbeAnswer, invalid: ProbeAnswer | null = null): Fact<ApiProbe> => ({ state: "known", value: { namespace: "default", valid, invalid } });
const reported = (...value: readonly string[]): Fact<readonly string[]> => ({ state: "known", value });
const forbidden: Fact<never> = { state: "missing", reason: "forbidden", detail: "" };

test.each<[string, Fact<ApiProbe>, readonly string[], string]>([
  ["an API check that passes outweighs what was reported", probe(accepted("me"), refused("")), [failing("EOF")], "answered"],
  ["an API check that fails counts", probe(refused(failing("EOF"))), [], "failed"],
  ["one that failed counts although another one was answered", probe(accepted("me"), refused(failing("EOF"))), [], "failed"],
  ["turned away by a policy, nothing reported", probe(refused("ValidatingAdmissionPolicy 'x' denied the request", 422)), [], "not-called"],
  ["turned away by a policy, a failed call reported", probe(refused("ValidatingAdmissionPolicy 'x' denied the request", 422)), [failing("EOF")], "failed"],
  ["a namespace that is gone says nothing about calls", probe(refused('namespaces "x" not found', 404)), [failing("EOF")], "failed"],
  ["a kind that isn't known is called for by nobody", probe(refused("the server could not find the requested resource", 404)), [failing("EOF")], "not-called"],
  ["accepted without a call, so the reported one is over", probe(accepted(""), accepted("")), [failing("EOF")], "not-called"],
  ["not allowed to ask, nothing reported", forbidden, [], "unknown"],
  ["not allowed to ask, a failed call reported", forbidden, [failing("EOF")], "failed"],
  ["a snapshot with a reported error", { state: "not-asked", because: "snapshot" }, [failing("EOF")], "failed"],
  ["no kinds, so no call can fail any more", { state: "not-asked", because: "no-crds" }, [failing("EOF")], "unknown"],
  ["still waiting for the API check", { state: "pending" }, [failing("EOF")], "unknown"],
  ["somebody else's webhook", forbidden, ['failed calling webhook "validate.kyverno.svc-fail": EOF'], "unknown"],
])("%s", (_, apiProbe, errors, outcome) => {
  expect(webhookCall({ apiProbe, reportedErrors: reported(...errors) }).outcome).toBe(outcome);
});

test("of several reported errors, one counts that no install makes in its first minutes", () => {
  const made = webhookCall({
    apiProbe: forbidden,
    reportedErrors: reported(failing("dial tcp 10.0.0.1:443: connect: connection refused"), failing("net/http: TLS handshake timeout")),
  });
  expect(made).toMatchObject({
    call: { reason: "net/http: TLS handshake timeout", path: "validate" },
    subject: { kind: "Service", namespace: "cert-manager", name: "cert-manager-webhook" },
    from: "reported",
  });
});

test("a call that names no Service is about the kind that was to be created", () => {
  const message = 'failed calling webhook "webhook.cert-manager.io": the server is currently unable to handle the request';
  expect(webhookCall({ apiProbe: forbidden, reportedErrors: reported(message) })).toMatchObject({
    subject: { kind: "CustomResourceDefinition", name: "certificaterequests.cert-manager.io" },
    evidence: { path: "answer", value: message },
  });
});
