import { certificateFiles } from "../derive/certificate-files.ts";
import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { caEntries, trustedCas } from "../derive/trusted-ca.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { newestVersion, reapply, restart } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import { compareVersions } from "../kube/version.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { Pod } from "../model/kubernetes.ts";

const expired = /x509: certificate has expired or is not yet valid(?:: current time (?<current>\S+) is (?<order>after|before) (?<limit>\S+))?/;

/** From this release on the webhook looks at the wall clock every minute. */
const repaired = "v1.21.0";

export default defineCheck({
  id: "webhook-serving-cert-expired",
  area: "ca-bundle",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments", "webhooks", "caSecrets", "pods", "logs"],
  causedBy: [],
  patterns: [{ in: "webhook-call", text: /x509: certificate has expired or is not yet valid(?!: current time \S+ is before)/ }],
  sources: [
    "catalogue 1.7 webhook-serving-cert-expired",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://github.com/cert-manager/cert-manager/issues/8464",
    "https://github.com/cert-manager/cert-manager/issues/7864",
  ],
  strings: {
    title: "Webhook with an expired certificate",
    headline: "*No Certificate or Issuer can be created or changed,* because the certificate that cert-manager's webhook serves has expired.",
    why: "The webhook keeps its serving certificate in memory only, where nothing in the cluster shows it, and renews it every few days. Before 1.21 a timer decides when, and that timer stands still while a node sleeps: after a suspended laptop or a virtual machine that was paused or moved the certificate runs out. Later releases look at the clock and recover within a minute.",
    ignore: "With 1.21 or later this is over a minute after a node wakes up.",
    expired: "The certificate that {target} served expired on {limit}; the CA that signs it is valid until {until}.",
    likely: "The certificate that {target} served has expired. It is likely the webhook's own and not its CA's, whose dates couldn't be read.",
    undated: "The certificate that {target} served has expired, although the CA that signs it is valid until {until}.",
    dates: "The API server names the date, and it isn't the date on which the CA expires.",
    "ca-valid": "The CA is valid until {until}.",
    restart: "Have the webhook make a new certificate",
    "restart-changes": "The webhook's pods are replaced. The new ones sign a fresh certificate with the same CA, so the CA bundles stay as they are.",
    upgrade: "Upgrade to a release that recovers by itself",
    "upgrade-changes":
      "The components are upgraded to {to} and their pods restart. The webhook then renews an overdue certificate within a minute. Certificates and Secrets stay.",
    "upgrade-undo": "Go back to {from} the same way.",
    unseen: "The API check saw no certificate of the webhook.",
    files: "The webhook serves a certificate from files, which it doesn't renew itself.",
    ca: "It is the webhook's CA that has expired.",
    early: "The certificate isn't valid yet, which is a matter of clocks that differ.",
  },
  run({ apiProbe, reportedErrors, deployments, webhooks, caSecrets, pods, logs }, now) {
    const made = webhookCall({ apiProbe, reportedErrors });
    if (made.outcome === "unknown") return { status: "needs", fact: "apiProbe" };
    if (made.outcome === "answered") return { status: "pass" };
    const failure = made.outcome === "failed" ? expired.exec(made.call.reason) : null;
    if (made.outcome !== "failed" || !failure) {
      // Dates are checked before names and issuers, so another complaint clears them.
      const seen = made.outcome === "failed" && made.call.reason.includes("x509: ");
      return seen ? { status: "pass" } : { status: "not-applicable", because: { key: "unseen" } };
    }
    const { order, limit = "" } = failure.groups ?? {};
    if (order === "before") return { status: "not-applicable", because: { key: "early" } };
    const components = knownValue(deployments) ?? [];
    const install = installs({ deployments: components }).find(({ namespace }) => namespace === made.call.namespace);
    if (install && certificateFiles(install, { pods, logs })) return { status: "not-applicable", because: { key: "files" } };
    const registered = { deployments: components, webhooks: knownValue(webhooks) ?? [] };
    const entries = install ? caEntries(registered).filter((entry) => entry.install === install) : [];
    const own = trustedCas({ ...registered, caSecrets: knownValue(caSecrets) ?? [] }).find((entry) => entry.install === install);
    // Without a look into the Secret the registrations tell when the newest CA that they trust expires.
    const cas = own?.ca ?? entries.flatMap(({ bundle }) => bundle ?? []);
    const until = Math.max(...cas.map(({ notAfter }) => Date.parse(notAfter)));
    if (cas.length > 0 && (until <= now.getTime() || until === Date.parse(limit))) return { status: "not-applicable", because: { key: "ca" } };
    const key = cas.length === 0 ? ("likely" as const) : limit === "" ? ("undated" as const) : ("expired" as const);
    const values = { target: targetOf(made.call), limit: limit.slice(0, 10), until: cas.length === 0 ? "" : new Date(until).toISOString().slice(0, 10) };
    const running = install ? componentPods({ pods: knownValue(pods) ?? [] }, install, "webhook") : [];
    return {
      status: "fail",
      problems: [
        {
          key,
          values,
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: made.call.namespace,
          evidence: [made.evidence, ...running.flatMap(startOf)],
          fix: install ? fix(install) : [],
        },
      ],
      because: key === "expired" ? [{ key: "dates" }] : [],
      ruledOut: cas.length === 0 ? [] : [{ check: "webhook-ca-expired", key: "ca-valid" as const, values }],
    };
  },
});

/** Since when a pod has run: a certificate in memory is no older. */
function startOf({ metadata: { namespace, name }, status }: Pod): readonly Evidence[] {
  const index = status?.containerStatuses?.findIndex(({ state }) => state?.running?.startedAt) ?? -1;
  const startedAt = status?.containerStatuses?.[index]?.state?.running?.startedAt;
  return startedAt ? [{ object: { kind: "Pod", namespace, name }, path: `status.containerStatuses[${index}].state.running.startedAt`, value: startedAt }] : [];
}

function fix(install: Install) {
  const name = install.components.webhook?.metadata.name;
  const again = {
    title: { key: "restart" as const },
    for: "kubectl" as const,
    command: restart(install.namespace, name ?? ""),
    effect: "cluster" as const,
    changes: { key: "restart-changes" as const },
  };
  return [...(name ? [again] : []), ...upgrade(install)];
}

/** Upgrades go one minor release at a time, so there is one command only for the release before. */
function upgrade(install: Install) {
  const { version, method } = install;
  const isNext = (compareVersions(version, "v1.20.0") ?? -1) >= 0 && (compareVersions(version, repaired) ?? 0) < 0;
  if (!isNext || method === "olm") return [];
  return reapply(
    { ...install, version: newestVersion },
    {
      title: { key: "upgrade" as const },
      changes: { key: "upgrade-changes" as const, values: { to: newestVersion } },
      undo: { key: "upgrade-undo" as const, values: { from: version } },
    },
  );
}
