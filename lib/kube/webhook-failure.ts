import type { WebhookCall } from "./error-text.ts";

/**
 * How far the API server came when it called a webhook, from its own words: it found no address (`unrouted`), it dialed and got no
 * connection (`dialing`), it got one (`connected`), or the words don't tell (`unclear`).
 */
export type CallStage = "unrouted" | "dialing" | "connected" | "unclear";

const unrouted =
  /service "[^"]*" not found|endpoints "[^"]*" not found|no endpoints available|no service port \d+ found|cannot route to|unsupported service type|could not get REST client/;
const dialing = /\bdial (?:tcp|udp)\b|proxyconnect|dial timeout|No agent available|error dialing backend|while waiting for connection/;
const connected =
  /x509: |\btls: |TLS handshake|\bEOF\b|reset by peer|HTTP response|awaiting headers|broken pipe|invalid webhook response|undecodable patch|^(?:an error on )?the server /;

/** The stage at which a call with this failure ended (`WebhookCall.reason`). */
export function stageOf(reason: string): CallStage {
  if (unrouted.test(reason)) return "unrouted";
  if (dialing.test(reason)) return "dialing";
  // The client's own time limit covers every stage, whatever else the message says (catalogue 0.5, row 15).
  if (reason.includes("context deadline exceeded")) return "unclear";
  return connected.test(reason) ? "connected" : "unclear";
}

const stages = ["unrouted", "dialing", "connected"] as const;

/** Whether the call is known to have got as far as that: what comes before it has worked, or is what failed. */
export function hasReached(reason: string, stage: "dialing" | "connected"): boolean {
  const found = stageOf(reason);
  return found !== "unclear" && stages.indexOf(found) >= stages.indexOf(stage);
}

/** After so many seconds the API server gives up a TLS handshake, in words of its own (`TLS handshake timeout`). */
export const tlsHandshakeLimit = 10;

/** The call's own time limit ended it, whatever it was waiting for. */
export const ranOutOfTime = /^(?:Post "?https:\S+: )?context deadline exceeded/;

/** Whether a call ran out of time so late that a ready webhook can't have been connected to: a handshake ends earlier. */
export function outlastsHandshake({ reason, timeoutSeconds = 0 }: WebhookCall): boolean {
  return ranOutOfTime.test(reason) && timeoutSeconds > tlsHandshakeLimit;
}

const normalAtStart = [
  /(?:service|endpoints) "[^"]*" not found/,
  /no endpoints available for service/,
  /(?<!proxyconnect tcp: )dial tcp \S+: connect: connection refused/,
  /x509: certificate signed by unknown authority/,
  /remote error: tls: internal error/,
];

/** Whether a call fails like this in the first minutes of every install (catalogue 0.3). */
export function isNormalAtStart(reason: string): boolean {
  return normalAtStart.some((pattern) => pattern.test(reason));
}
