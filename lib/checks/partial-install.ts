import { installs } from "../derive/installs.ts";
import { bundlesAreFilled, severityWithout } from "../derive/outage.ts";
import { chartVersion, isUpstreamChart, setValues } from "../kube/chart-values.ts";
import { reapply } from "../kube/commands.ts";
import { caSecretOf, components, type Install } from "../kube/install.ts";
import { type Component, defineCheck } from "../model/check.ts";
import type { Fact, WebhookRegistration } from "../model/facts.ts";

export default defineCheck({
  id: "partial-install",
  area: "discovery",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhooks"],
  causedBy: [],
  sources: ["catalogue 1.1 partial-install", "catalogue table (b)"],
  strings: {
    title: "Install without one of its three components",
    headline: "*cert-manager is only partly there,* because one of its Deployments is missing.",
    why: "cert-manager is made of a controller, a webhook and cainjector. Usually an install or a clean-up was stopped half-way, or a tool removed what it didn't know.",
    ignore: "cainjector may be left out on purpose where something else fills in the webhook's CA bundle.",
    controller: "Nothing is issued or renewed: namespace {namespace} has no Deployment {name} for the controller.",
    webhook: "No Certificate or Issuer can be created or changed: namespace {namespace} has no Deployment {name} for the webhook.",
    cainjector: "Nobody keeps the webhook's CA bundle up to date: namespace {namespace} has no Deployment {name} for cainjector.",
    filled: "The CA bundles are filled in now; they stop fitting when the webhook renews its CA.",
    gone: "A Deployment that is scaled to zero would still be there.",
    restore: "Put the missing Deployment back",
    "restore-changes":
      "What belongs to the manifest of {version} and is missing is made again, with the values that were set. Certificates and their Secrets stay as they are.",
    none: "No component of cert-manager is installed.",
    foreign: "This isn't cert-manager's own chart, and its components may be called otherwise.",
  },
  run({ deployments, webhooks }) {
    const found = installs({ deployments });
    if (found.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const judged = found.filter(isUpstreamChart);
    if (judged.length === 0) return { status: "not-applicable", because: { key: "foreign" } };
    const problems = judged.flatMap((install) =>
      missingFrom(install, found, webhooks).map((component) => {
        const { namespace } = install;
        const subject = { kind: "Deployment", namespace, name: expectedName(install, component) };
        return {
          key: component,
          values: { namespace, name: subject.name },
          severity: severityWithout(component, namespace, webhooks),
          subject,
          component,
          install: namespace,
          evidence: [
            { object: subject, path: "metadata", value: null },
            ...Object.values(install.components).map(({ metadata }) => ({
              object: { kind: "Deployment", namespace, name: metadata.name },
              path: 'metadata.labels["app.kubernetes.io/component"]',
              value: metadata.labels?.["app.kubernetes.io/component"] ?? null,
            })),
          ],
          fix: restore(install, component),
        };
      }),
    );
    if (problems.length === 0) return { status: "pass" };
    return {
      status: "fail",
      problems,
      because: problems.some(({ severity }) => severity === "degraded") ? [{ key: "filled" }] : [],
      ruledOut: [{ check: "deployment-scaled-to-zero", key: "gone" }],
    };
  },
});

/** What neither the install nor a neighbour in its namespace has: labels that differ make one install look like two. */
function missingFrom(install: Install, found: readonly Install[], webhooks: Fact<readonly WebhookRegistration[]>): readonly Component[] {
  const neighbours = found.filter(({ namespace }) => namespace === install.namespace);
  if (neighbours[0] !== install) return [];
  return components.filter(
    (component) => !neighbours.some((one) => one.components[component]) && !(component === "cainjector" && managesWithout(install, webhooks)),
  );
}

/** Whether the webhook's certificate comes from elsewhere than from its own CA, and its registrations are filled in all the same. */
function managesWithout(install: Install, webhooks: Fact<readonly WebhookRegistration[]>): boolean {
  if (install.method === "olm") return true;
  const ownCa = !install.components.webhook || caSecretOf(install) !== undefined;
  return !ownCa && webhooks.state === "known" && bundlesAreFilled(install.namespace, webhooks.value);
}

/** The chart names webhook and cainjector after the controller. */
function expectedName({ components: { controller, webhook, cainjector } }: Install, component: Component): string {
  const base = controller?.metadata.name ?? webhook?.metadata.name.replace(/-webhook$/, "") ?? cainjector?.metadata.name.replace(/-cainjector$/, "") ?? "";
  return component === "controller" ? base : `${base}-${component}`;
}

function restore(install: Install, component: Component) {
  const version = chartVersion(install);
  const step = { title: { key: "restore" as const }, changes: { key: "restore-changes" as const, values: { version } } };
  // Only cainjector has a switch in the values, which may be why it is missing.
  if (component === "cainjector" && install.method === "helm") return setValues(install, step, { cainjector: { enabled: true } });
  return reapply({ ...install, version }, step);
}
