import { expect, test } from "vitest";
import type { ApiProbe, Fact, ProbeAnswer } from "../model/facts.ts";
import { isWayBlocked } from "./way-blocked.ts";

const failing = (reason: string) =>
  `failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/mutate?timeout=30s": ${reason}`;
const probe = (valid: ProbeAnswer): Fact<ApiProbe> => ({ state: "known", value: { namespace: "default", valid, invalid: null } });
const accepted: ProbeAnswer = { accepted: true, username: "me", durationMs: 1 };
const refused = (reason: string): ProbeAnswer => ({ accepted: false, code: 500, reason: "", message: failing(reason), durationMs: 1 });
const missing: Fact<never> = { state: "missing", reason: "forbidden", detail: "" };

test.each<[boolean, string]>([
  [true, "dial tcp 10.0.0.1:443: i/o timeout"],
  [true, "dial tcp 10.0.0.1:443: connect: connection refused"],
  [true, "context deadline exceeded"],
  [true, "net/http: TLS handshake timeout"],
  [true, "EOF"],
  [false, "tls: failed to verify certificate: x509: certificate signed by unknown authority"],
  [false, "unable to load root certificates: unable to parse bytes as PEM block"],
  [false, 'service "cert-manager-webhook" not found'],
  [false, 'no endpoints available for service "cert-manager-webhook"'],
])("%s: %s", (blocked, reason) => {
  expect(isWayBlocked({ apiProbe: probe(refused(reason)), reportedErrors: missing })).toBe(blocked);
  expect(isWayBlocked({ apiProbe: missing, reportedErrors: { state: "known", value: [failing(reason)] } })).toBe(blocked);
});

test("what was reported doesn't count against an API check that is let in", () => {
  const reportedErrors: Fact<readonly string[]> = { state: "known", value: [failing("dial tcp 10.0.0.1:443: i/o timeout")] };
  expect(isWayBlocked({ apiProbe: probe(accepted), reportedErrors })).toBe(false);
});
