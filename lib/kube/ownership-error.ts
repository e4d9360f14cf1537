import type { ObjectRef } from "../model/object-ref.ts";
import type { HelmOwner } from "./ownership.ts";

/** What Helm says when an object that it would create is there already and isn't its own. */
export interface OwnershipError {
  readonly object: ObjectRef;
  /** The release that was to own it; empty strings where the text doesn't tell. */
  readonly wanted: { readonly release: string; readonly namespace: string };
  /** The release that owns it instead; undefined where the object names none. */
  readonly current: Pick<HelmOwner, "release" | "namespace"> | undefined;
}

const refused =
  /\b(?<kind>\w+) "(?<name>[^"]+)" in namespace "(?<namespace>[^"]*)" exists and cannot be imported into the current release: invalid ownership metadata/;

/** Reads Helm's refusal (catalogue, table e), or null where the text is another one. */
function readOwnershipError(text: string): OwnershipError | null {
  const found = refused.exec(text)?.groups;
  if (!found) return null;
  const { kind = "", name = "", namespace } = found;
  const annotation = (key: string) =>
    new RegExp(`meta\\.helm\\.sh/${key}":? must (?:be set to|equal) "(?<want>[^"]+)"(?:: current value is "(?<have>[^"]+)")?`).exec(
      text.replaceAll("missing key ", ""),
    )?.groups;
  const [byName, byNamespace] = [annotation("release-name"), annotation("release-namespace")];
  const other = byName?.have !== undefined || byNamespace?.have !== undefined;
  return {
    object: { kind, name, ...(namespace ? { namespace } : {}) },
    wanted: { release: byName?.want ?? "", namespace: byNamespace?.want ?? "" },
    current: other ? { release: byName?.have ?? byName?.want, namespace: byNamespace?.have ?? byNamespace?.want } : undefined,
  };
}

/** Helm's refusals among reported texts that are about an object of cert-manager. */
export function readOwnershipErrors(texts: readonly string[]): readonly OwnershipError[] {
  return texts.flatMap((text) => readOwnershipError(text) ?? []).filter(({ object }) => /cert-?manager/.test(object.name));
}
