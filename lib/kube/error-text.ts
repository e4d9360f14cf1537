import type { Pattern } from "../model/check.ts";

/** A failed webhook call as the API server words it (catalogue 0.5). */
export interface WebhookCall {
  /** An admission webhook's name, or the group, version and kind that were to be converted; empty where the text doesn't tell. */
  readonly hook: string;
  readonly purpose: "admission" | "conversion";
  /** Whether it is cert-manager's webhook that was called. */
  readonly ours: boolean;
  /** What went wrong, after the URL. */
  readonly reason: string;
  readonly service?: string;
  readonly namespace?: string;
  readonly path?: string;
  readonly timeoutSeconds?: number;
}

const envelope = /failed calling (?:admission )?webhook "(?<hook>[^"]+)":(?: failed to call webhook:)? (?<reason>[\s\S]*)/;
const conversion = /conversion webhook for (?<gvk>[^ ]+, Kind=\w+) failed: (?<reason>[\s\S]*)/;
// The scheme is unquoted by API servers built with Go before 1.14.
const url = /Post "?https:\/\/(?<service>[^./]+)\.(?<namespace>[^./]+)\.svc(?::\d+)?\/(?<path>[^?"\s]*)\?timeout=(?<timeout>\d+)s"?: (?<tail>[\s\S]*)/;
const ourHook = /^webhook\.cert-manager\.io$|^(?:validate|mutate)\.webhooks\.cert-manager\.io$|certmanager\.k8s\.io$/;
const denial = /admission webhook "(?<hook>[^"]+)" denied the request/;

/** Whether an admission webhook of this name is cert-manager's own. */
export function isOurHook(name: string): boolean {
  return ourHook.test(name);
}

/** Structured logs and JSON put backslashes before each quote of an error that they hold, more where one holds the other. */
function unescaped(text: string): string {
  return text.replaceAll(/(?<!\\)\\+"/g, '"');
}

/** Reads the API server's words about a failed webhook call, or null where the text isn't about one. */
export function readWebhookCall(text: string): WebhookCall | null {
  const plain = unescaped(text);
  const outer = envelope.exec(plain) ?? conversion.exec(plain);
  if (!outer?.groups) return readBareCall(plain);
  const { hook, gvk, reason = "" } = outer.groups;
  const name = hook ?? gvk ?? "";
  const purpose = hook === undefined ? "conversion" : "admission";
  const inner = url.exec(reason)?.groups;
  const ours = ourHook.test(name) || /^(?:acme\.)?cert-manager\.io\//.test(name);
  if (!inner) return { hook: name, purpose, ours, reason: reason.trim() };
  const { service, namespace, path, timeout, tail = "" } = inner;
  return { hook: name, purpose, ours, reason: tail.trim(), service, namespace, path, timeoutSeconds: Number(timeout) };
}

const ourService = String.raw`(?<service>[^\s"/.]*cert-?manager[^\s"/.]*webhook[^\s"/.]*)`;
const ourServicesName = new RegExp(`^${ourService}$`);
const barely: readonly RegExp[] = [
  new RegExp(`service "${ourService}" not found`),
  new RegExp(String.raw`no (?:endpoints available|service port \d+ found) for service "${ourService}"`),
  new RegExp(String.raw`x509: certificate is (?:valid for .*, not|not valid for any names, but wanted to match) ${ourService}\.(?<namespace>[^\s"/.]+)\.svc`),
  /x509: certificate signed by unknown authority \(possibly because of .* candidate authority certificate "[^"]*cert-?manager[^"]*webhook-ca"/,
];

/** People copy the end of an error: a call of cert-manager's own Service (or one that names its CA), without the words before it. */
function readBareCall(plain: string): WebhookCall | null {
  const call = url.exec(plain)?.groups;
  if (call) {
    const { service = "", namespace, path, timeout, tail = "" } = call;
    const purpose = path === "convert" ? "conversion" : "admission";
    const ours = ourServicesName.test(service) && /^(?:validate|mutate|convert)$/.test(path ?? "");
    return ours ? { hook: "", purpose, ours, reason: tail.trim(), service, namespace, path, timeoutSeconds: Number(timeout) } : null;
  }
  for (const words of barely) {
    const found = words.exec(plain);
    if (found) return { hook: "", purpose: "admission", ours: true, reason: plain.slice(found.index).trim(), ...found.groups };
  }
  return null;
}

/** The admission webhook that answered, and said no, or null. */
export function readDenial(text: string): { hook: string; ours: boolean } | null {
  const hook = denial.exec(unescaped(text))?.groups?.hook;
  return hook ? { hook, ours: ourHook.test(hook) } : null;
}

/** Workloads of cert-manager as policies name them, soon after they deny: `Pod/cert-manager/…`, `container <cert-manager-webhook>`. */
const ownWorkload =
  /denied the request[\s\S]{0,300}?(?:\b(?:Pod|Deployment|Job)s?\/\S*cert-manager|\b(?:pods|deployments\.apps|jobs\.batch) "[^"]*cert-manager|\bcontainers?\W{1,3}cert-manager|\/cert-manager-(?:controller|webhook|cainjector))/i;

/** Whether somebody else's webhook kept out cert-manager's own pods or Deployments. */
function refusesOurWorkload(text: string): boolean {
  const by = readDenial(text);
  return by !== null && !by.ours && ownWorkload.test(unescaped(text));
}

/** The image whose pull failed, from a kubelet's event or container state, or null. */
export function readImagePull(text: string): { image: string } | null {
  const image = /(?:Failed to pull image|Back-off pulling image|failed to pull and unpack image) "(?<image>[^"]+)"/.exec(unescaped(text))?.groups?.image;
  return image ? { image } : null;
}

/** Where a pattern is found in a text, in the part of it that the pattern is about; null where it isn't. */
export function findPattern(text: string, pattern: Pattern): RegExpExecArray | null {
  switch (pattern.in) {
    case "webhook-call": {
      // A failed conversion is another fault: since 1.7 no CRD of cert-manager has a conversion webhook that could be repaired.
      const call = readWebhookCall(text);
      return call?.ours && call.purpose === "admission" ? pattern.text.exec(call.reason) : null;
    }
    case "image-pull":
      return readImagePull(text) ? pattern.text.exec(unescaped(text)) : null;
    case "refusal":
      return refusesOurWorkload(text) ? pattern.text.exec(unescaped(text)) : null;
    case "anywhere":
      return pattern.text.exec(unescaped(text));
  }
}

/** Whether one of the patterns is found in the text. */
export function matchesAny(text: string, patterns: readonly Pattern[]): boolean {
  return patterns.some((pattern) => findPattern(text, pattern) !== null);
}
