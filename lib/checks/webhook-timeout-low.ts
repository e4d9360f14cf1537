import { installServed, registrationRef } from "../derive/called-services.ts";
import { installs } from "../derive/installs.ts";
import { setValues } from "../kube/chart-values.ts";
import type { Install } from "../kube/install.ts";
import { patchRegistration } from "../kube/patch-registration.ts";
import { isAtLeast } from "../kube/version.ts";
import { defineCheck } from "../model/check.ts";

/** Seconds: what cert-manager's manifests have since 1.14, and what they had before. */
const shipped = 30;
const shippedBefore = 10;

export default defineCheck({
  id: "webhook-timeout-low",
  area: "webhook-registration",
  severity: "info",
  needs: ["webhooks", "deployments"],
  uses: [],
  causedBy: [],
  sources: [
    "catalogue 1.6 webhook-timeout-low",
    "https://cert-manager.io/docs/releases/release-notes/release-notes-1.14/",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
  ],
  strings: {
    title: "Short time limit for webhook calls",
    headline: "*If the webhook can't be reached, the error won't say why,* because the API server gives up the call too early.",
    why: "A call that is dropped on the way and one that hangs fail with different words only after more than ten seconds. Before that the API server says nothing but that its time was up. A short limit can also refuse requests while the webhook is merely slow.",
    ignore: "While the webhook answers, the time limit changes nothing.",
    low: {
      text: "{kind} {name} gives the webhook {seconds} seconds to answer, instead of the {shipped} that cert-manager's manifests have since 1.14.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    raise: "Give the webhook 30 seconds",
    "raise-changes": "The API server waits up to 30 seconds for the webhook. While it answers, nothing changes.",
    "raise-undo": "Set the time limit that was there before.",
    none: "No registration belongs to an install of cert-manager.",
  },
  run({ webhooks, deployments }) {
    const found = installs({ deployments });
    const owned = webhooks.flatMap(({ configuration }) => {
      const install = installServed(configuration, { webhooks, installs: found });
      return install ? [{ configuration, install }] : [];
    });
    if (owned.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const low = owned.flatMap(({ configuration, install }) =>
      (configuration.webhooks ?? []).flatMap(({ timeoutSeconds }, index) =>
        typeof timeoutSeconds === "number" && timeoutSeconds < expectedOf(install) ? [{ configuration, install, index, timeoutSeconds }] : [],
      ),
    );
    if (low.length === 0) return { status: "pass" };
    return {
      status: "fail",
      problems: low.map(({ configuration, install, index, timeoutSeconds }) => {
        const commands = low
          .filter((one) => one.install === install)
          .map((one) => patchRegistration(one.configuration, one.index, [{ op: "replace", field: "timeoutSeconds", value: shipped }]));
        const isFirst = low.find((one) => one.install === install)?.configuration === configuration;
        return {
          key: "low" as const,
          values: { kind: configuration.kind, name: configuration.metadata.name, seconds: timeoutSeconds, shipped },
          severity: "info" as const,
          subject: registrationRef(configuration),
          install: install.namespace,
          evidence: [{ object: registrationRef(configuration), path: `webhooks[${index}].timeoutSeconds`, value: String(timeoutSeconds) }],
          // One command for both registrations, told once.
          fix: isFirst
            ? setValues(
                install,
                { title: { key: "raise" as const }, changes: { key: "raise-changes" as const }, undo: { key: "raise-undo" as const } },
                { webhook: { timeoutSeconds: shipped } },
                commands.join("\n"),
              )
            : [],
        };
      }),
    };
  },
});

/** Operators and older releases have the API's own default; where they go below that, somebody chose it. */
function expectedOf(install: Install): number {
  return install.method === "olm" || !isAtLeast(install.version, "1.14.0") ? shippedBefore : shipped;
}
