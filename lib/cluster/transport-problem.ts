import type { MissingReason } from "../model/facts.ts";

/** What a failed connection means, and what to do about it. */
export function transportProblem(error: unknown, server: string): { reason: MissingReason; message: string } {
  const { code, message } = innermost(error);
  const unreachable = (why: string) => ({ reason: "unreachable" as const, message: `The API server at ${server} can't be reached: ${why}` });
  switch (code) {
    case "ECONNREFUSED":
      return unreachable("the connection was refused. Is the cluster running, and is the kubeconfig's server address right?");
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return unreachable("its name can't be resolved. Check the kubeconfig's server address, DNS and VPN.");
    case "ETIMEDOUT":
    case "UND_ERR_CONNECT_TIMEOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return unreachable("no answer. Check network, VPN and firewall.");
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "CERT_SIGNATURE_FAILURE":
      return unreachable("its certificate isn't signed by the CA in the kubeconfig. Check certificate-authority, or fetch a new kubeconfig.");
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return unreachable("its certificate is for another name. Check the kubeconfig's server address or tls-server-name.");
    case "CERT_HAS_EXPIRED":
      return unreachable("its certificate has expired.");
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "EPROTO":
      return unreachable("it doesn't speak TLS there. Check scheme and port of the kubeconfig's server address.");
    case "ECONNRESET":
    case "UND_ERR_SOCKET":
    case "EPIPE":
    case "ERR_HTTP2_STREAM_ERROR":
      return { reason: "bad-answer", message: `the connection was cut off (${message})` };
    default:
      return { reason: "unreachable", message: `The API server at ${server} can't be reached: ${message}` };
  }
}

function innermost(error: unknown): { code: string; message: string } {
  let at = error as { code?: string; message?: string; cause?: unknown; errors?: unknown[] };
  while (at.cause || at.errors?.length) at = (at.cause ?? at.errors?.[0]) as typeof at;
  return { code: at.code ?? "", message: at.message ?? String(error) };
}
