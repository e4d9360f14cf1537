import { leaseClocks } from "../derive/lease-clocks.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { leaseNames } from "../kube/lease.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

const early = /x509: certificate has expired or is not yet valid: current time (?<current>\S+) is before (?<limit>\S+)/;
/** Leases are renewed within seconds; what is apart by more is apart by its clock. */
const tolerated = 60_000;

export default defineCheck({
  id: "clock-skew",
  area: "platform",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "leases"],
  causedBy: [],
  patterns: [{ in: "webhook-call", text: early }],
  sources: [
    "catalogue 1.12 clock-skew",
    "https://cert-manager.io/docs/installation/best-practice/",
    "https://github.com/cert-manager/cert-manager/issues/8464",
  ],
  strings: {
    title: "Clocks in the cluster apart",
    headline: "*No Certificate or Issuer can be created or changed,* because the webhook's certificate lies in the future for the API server.",
    apart: "*Fresh certificates can be refused as not yet valid, and old ones used too long,* because clocks in the cluster differ.",
    why: "A certificate is valid from a moment on that the clock of its maker names. Where another machine's clock is behind, the certificate isn't valid there yet. Certificates that cert-manager's issuers make are hit in the same way.",
    early: "The API server's call to {target} met a certificate that is valid from {limit} on, and the API server's clock read {current}.",
    "noted-at": "{holder} renewed its lease {lease} at {renewed} by its own clock, and the API server noted that at {noted}.",
    told: "The API server names both times itself.",
    noted: "Both times are of the same renewal, and lie {seconds} seconds apart.",
    "not-expired": "The certificate isn't valid yet, which is the opposite of expired.",
    where: "See on which nodes the webhook and the API server run",
    clocks: "Compare the nodes' clocks: this shows the time on each",
    sync: "On a node whose clock is wrong: have it set",
    "sync-changes": "The node's clock is set by its time server at once and kept right from then on.",
    restart: "Have the webhook make a new certificate when the clocks agree",
    "restart-changes": "The webhook's pods are replaced, and the new ones sign a fresh certificate with the same CA.",
    untold: "The API server saw no certificate of the future, and no lease tells of two clocks.",
  },
  run({ apiProbe, reportedErrors, leases }, now) {
    const made = webhookCall({ apiProbe, reportedErrors });
    const told = made.outcome === "failed" ? early.exec(made.call.reason)?.groups : undefined;
    const sync = {
      title: { key: "sync" as const },
      for: "kubectl" as const,
      command: "sudo timedatectl set-ntp true && (sudo chronyc makestep || sudo systemctl restart systemd-timesyncd) && timedatectl",
      effect: "cluster" as const,
      changes: { key: "sync-changes" as const },
    };
    const where = (namespace: string) => ({
      title: { key: "where" as const },
      for: "kubectl" as const,
      command: `kubectl -n ${namespace} get pods -o wide && kubectl get nodes -o wide`,
      effect: "none" as const,
    });
    const clocks = {
      title: { key: "clocks" as const },
      for: "kubectl" as const,
      command: `kubectl -n kube-node-lease get leases -o custom-columns='NODE:.metadata.name,RENEWED:.spec.renewTime' && date -u +%Y-%m-%dT%H:%M:%SZ`,
      effect: "none" as const,
    };
    if (made.outcome === "failed" && told) {
      const { current = "", limit = "" } = told;
      const { namespace } = made.call;
      return {
        status: "fail",
        problems: [
          {
            key: "early",
            values: { target: targetOf(made.call), current, limit },
            severity: "blocker",
            subject: made.subject,
            component: "webhook",
            install: namespace,
            transient: true,
            evidence: [made.evidence],
            fix: [
              ...(namespace ? [where(namespace)] : []),
              clocks,
              sync,
              ...(namespace
                ? [
                    {
                      title: { key: "restart" as const },
                      for: "kubectl" as const,
                      command: `kubectl -n ${namespace} rollout restart deployment -l app.kubernetes.io/component=webhook`,
                      effect: "cluster" as const,
                      changes: { key: "restart-changes" as const },
                    },
                  ]
                : []),
            ],
          },
        ],
        because: [{ key: "told" }],
        ruledOut: [{ check: "webhook-serving-cert-expired", key: "not-expired" }],
      };
    }
    const seen = leaseClocks(knownValue(leases) ?? []);
    const apart = seen.filter(({ holder, server }) => {
      const ahead = holder.getTime() - server.getTime();
      // What is renewed ahead of its time is also ahead of the checkup's own clock: a note that is merely old isn't taken for a slow clock.
      return ahead > tolerated ? holder.getTime() - now.getTime() > tolerated : -ahead > tolerated;
    });
    const [first] = apart;
    if (!first) {
      if (seen.length > 0 || made.outcome === "answered") return { status: "pass" };
      return made.outcome === "unknown" ? { status: "needs", fact: "apiProbe" } : { status: "not-applicable", because: { key: "untold" } };
    }
    return {
      status: "fail",
      headline: { key: "apart" },
      problems: apart.map(({ lease, holder, server }) => ({
        key: "noted-at" as const,
        values: {
          lease: lease.ref.name,
          holder: lease.object?.spec?.holderIdentity?.split("_")[0] ?? "?",
          renewed: holder.toISOString(),
          noted: server.toISOString(),
        },
        severity: "warning" as const,
        subject: lease.ref,
        component: lease.ref.name === leaseNames.cainjector ? ("cainjector" as const) : ("controller" as const),
        evidence: [{ object: lease.ref, path: "spec.renewTime", value: lease.object?.spec?.renewTime ?? null }],
        fix: [clocks, sync],
      })),
      because: [{ key: "noted", values: { seconds: Math.round(Math.abs(first.holder.getTime() - first.server.getTime()) / 1000) } }],
    };
  },
});
