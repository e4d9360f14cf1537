import { restart } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import type { FixStep } from "../model/fix.ts";
import { registrationRef } from "./called-services.ts";
import type { CaEntry } from "./trusted-ca.ts";

/** What the steps say; for the `strings` of checks that offer them. */
export const refillStrings = {
  again: "Make cainjector write the bundle again",
  "again-changes":
    "cainjector starts again, takes its lease and writes the CA of Secret {secret} into both registrations. Calls go through as soon as that is done. No Certificate or Secret is touched.",
  copy: "Copy the CA into the registration by hand",
  "copy-changes":
    "The registration trusts the CA that is in Secret {secret} now. This install has no cainjector, so the copy has to be made again whenever that CA changes.",
  "copy-undo": "There is nothing worth going back to: with the old value every call failed.",
  verify: "See whether the bundle contains the CA",
} as const;

type RefillText = keyof typeof refillStrings;

/** Has the right CA written into registration entries of one install: one start of cainjector mends them all, without it each is mended by itself. */
export function refillBundles(install: Install, entries: readonly CaEntry[]): readonly FixStep<RefillText>[] {
  const cainjector = install.components.cainjector?.metadata.name;
  const secret = entries[0]?.secret.name ?? "";
  const write: readonly FixStep<RefillText>[] = cainjector
    ? [
        {
          title: { key: "again" },
          for: "kubectl",
          command: restart(install.namespace, cainjector),
          effect: "cluster",
          changes: { key: "again-changes", values: { secret } },
        },
      ]
    : entries.map(copy);
  return [...write, { title: { key: "verify" }, for: "kubectl", command: entries.map(containment).join("\n"), effect: "none" }];
}

function copy({ configuration, index, secret }: CaEntry): FixStep<RefillText> {
  const patch = `[{"op":"add","path":"/webhooks/${index}/clientConfig/caBundle","value":"'"$(${readCa(secret)})"'"}]`;
  return {
    title: { key: "copy" },
    for: "kubectl",
    command: `kubectl patch ${configuration.kind.toLowerCase()} ${configuration.metadata.name} --type=json -p '${patch}'`,
    effect: "cluster",
    changes: { key: "copy-changes", values: { secret: secret.name } },
    undo: { key: "copy-undo" },
  };
}

/** The second line of the PEM form holds the serial number, which no other CA shares. */
function containment({ configuration, index, secret }: CaEntry): string {
  const { kind, name } = registrationRef(configuration);
  const bundle = `kubectl get ${kind.toLowerCase()} ${name} -o jsonpath='{.webhooks[${index}].clientConfig.caBundle}'`;
  return `${bundle} | base64 -d | grep -F "$(${readCa(secret)} | base64 -d | sed -n 2p)" && echo "the bundle contains the CA"`;
}

function readCa({ namespace, name }: CaEntry["secret"]): string {
  return `kubectl -n ${namespace} get secret ${name} -o jsonpath='{.data.ca\\.crt}'`;
}
