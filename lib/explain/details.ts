import { readDenial, readImagePull, readWebhookCall } from "../kube/error-text.ts";
import { readImage } from "../kube/image.ts";

/** What an error says about the things it is about: each by the first of its patterns that is found. */
const readers: Readonly<Record<string, readonly RegExp[]>> = {
  address: [/\bdial (?:tcp|udp) (?<value>[\d.]+:\d+|\[[\da-f:]+\]:\d+)/],
  host: [/\blookup (?<value>[\w.-]+\.?)(?= on |:)/],
  release: [
    /meta\.helm\.sh\/release-name":? must (?:be set to|equal) "(?<value>[^"]+)"/,
    /\bRelease "(?<value>[^"]+)"/i,
    /"(?<value>[\w.-]+)" has no deployed releases/,
    /\bhelm (?:upgrade|install|template)(?: -{1,2}[\w-]+)* (?<value>[a-z0-9][\w.-]*) /,
  ],
  user: [/\bUser "(?<value>[^"]+)"/],
  kind: [
    /\bno matches for kind "(?<value>\w+)"/,
    /\b(?<value>[A-Z]\w+) "[^"]+" in namespace "[^"]*" exists/,
    /\b(?<value>[A-Z]\w+) in version "\w+" cannot be handled/,
    /, Kind=(?<value>\w+)/,
  ],
  resource: [/cannot \w+ resource "(?<value>[^"]+)"/, /\((?:get|post|put|patch|delete) (?<value>[a-z.]+\.cert-manager\.io)\)/],
  name: [
    /\b[A-Z]\w+ "(?<value>[^"]+)" in namespace "[^"]*" exists/,
    /resource mapping not found for name: "(?<value>[^"]+)"/,
    /\b[a-z]+(?:\.[a-z0-9.-]+)? "(?<value>[^"]+)" is (?:forbidden|invalid)/,
    /[Ss]ecret "(?<value>[^"]+)" not found/,
    /applying object (?<value>\/?[\w./-]+)/,
  ],
  field: [/unknown field "(?<value>[^"]+)"/],
};

/** What can be read from an error: of a webhook call, of an image, of the object, release and account it names. */
export function detailsOf(text: string): Readonly<Record<string, string>> {
  const call = readWebhookCall(text);
  const image = readImagePull(text)?.image;
  const { hook, service, namespace, path, timeoutSeconds } = call ?? { hook: readDenial(text)?.hook };
  return defined({
    webhook: hook,
    service,
    namespace: namespace ?? namespaceOf(text),
    path,
    timeoutSeconds: timeoutSeconds === undefined ? undefined : String(timeoutSeconds),
    image,
    registry: image === undefined ? undefined : readImage(image).registry,
    ...Object.fromEntries(Object.entries(readers).map(([key, patterns]) => [key, first(text, patterns)])),
  });
}

function namespaceOf(text: string): string | undefined {
  return first(text, [/\bin (?:the )?namespace "(?<value>[^"]+)"/, /resource mapping not found for name: "[^"]+" namespace: "(?<value>[^"]+)"/]);
}

function first(text: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const value = pattern.exec(text)?.groups?.value;
    if (value) return value;
  }
  return undefined;
}

/** Without the fields that have no value. */
export function defined(of: Readonly<Record<string, string | undefined>> | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(of ?? {}).flatMap(([key, value]) => (value === undefined || value === "" ? [] : [[key, value]])));
}
