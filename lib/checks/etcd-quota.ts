import { probeEvidence } from "../derive/probe-evidence.ts";
import { isHeld } from "../kube/lease.ts";
import { logTime } from "../kube/log-time.ts";
import { crdName, resources } from "../kube/resources.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { type ApiProbe, type ContainerLog, type Fact, knownValue } from "../model/facts.ts";
import type { Event } from "../model/kubernetes.ts";

const full =
  /ETCD storage quota exceeded|OVHcloud storage quota has been reached|etcdserver: mvcc: database space exceeded|quota computation: etcdserver: not capable/;
/** etcd itself takes nothing any more when it says this. */
const alarm = /database space exceeded/;
/** Older lines may be of a time that is over. */
const recent = 15 * 60_000;
const shown = 3;

export default defineCheck({
  id: "etcd-quota",
  area: "platform",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "logs", "events", "leases"],
  causedBy: [],
  patterns: [{ in: "anywhere", text: full }],
  sources: ["catalogue 1.8 etcd-quota", "https://cert-manager.io/docs/troubleshooting/webhook/", "https://etcd.io/docs/latest/op-guide/maintenance/"],
  strings: {
    title: "Full store behind the API server",
    headline: "*Nothing can be created or changed in this cluster,* because the API server's store has reached its quota.",
    why: "A full etcd refuses every write. Leases aren't renewed, so that cert-manager's controllers stop; endpoints aren't published, so that a ready webhook has none; and new pods aren't recorded. Many CertificateRequests, Orders and events can fill a small quota, and other products' objects can as well.",
    told: "The API server's store refuses writes: {words}.",
    sure: "These words come from the store itself.",
    "not-service": "A Service without endpoints beside ready pods is what a full store looks like.",
    count: "See which kinds fill the store",
    requests: "Delete requests that are done: cert-manager doesn't need them, and deleting works in a full store",
    "requests-changes":
      "CertificateRequests that were fulfilled are deleted, with the Orders that they own. Certificates and their Secrets stay. What was asked for and when is no longer recorded.",
    defrag: "Where you run etcd yourself: give the space back and lift the alarm, on each of its nodes",
    "defrag-changes": "etcd forgets old revisions, defragments its file and takes writes again. It doesn't answer for some seconds meanwhile.",
    quiet: "Nothing that was read speaks of a full store.",
  },
  run({ apiProbe, reportedErrors, logs, events, leases }, now) {
    const told = [...fromProbe(apiProbe), ...fromReports(reportedErrors), ...fromLogs(logs, now), ...fromEvents(events)];
    const writes = (knownValue(leases) ?? []).some(({ object }) => isHeld(object, now));
    const standing = told.filter(({ value }) => !(writes && alarm.test(value ?? "")));
    const [first] = standing;
    if (!first) return writes ? { status: "pass" } : { status: "not-applicable", because: { key: "quiet" } };
    return {
      status: "fail",
      problems: [
        {
          key: "told",
          values: { words: full.exec(first.value ?? "")?.[0] ?? "" },
          severity: "blocker",
          subject: first.object,
          evidence: standing.slice(0, shown),
          fix: [
            {
              title: { key: "count" },
              for: "kubectl",
              command: "kubectl get --raw /metrics | grep -E '^apiserver_(storage|resource)_objects\\{' | sort -t' ' -k2 -gr | head -20",
              effect: "none",
            },
            {
              title: { key: "requests" },
              for: "kubectl",
              command: `kubectl get certificaterequests -A -o jsonpath='{range .items[?(@.status.certificate)]}{.metadata.namespace} {.metadata.name}{"\\n"}{end}' | while read -r NAMESPACE NAME; do kubectl -n "$NAMESPACE" delete certificaterequest "$NAME"; done`,
              effect: "deletes-data",
              changes: { key: "requests-changes" },
            },
            {
              title: { key: "defrag" },
              for: "kubectl",
              command: [
                "export ETCDCTL_API=3 ETCDCTL_CACERT=/etc/kubernetes/pki/etcd/ca.crt ETCDCTL_CERT=/etc/kubernetes/pki/etcd/server.crt ETCDCTL_KEY=/etc/kubernetes/pki/etcd/server.key",
                'etcdctl compact "$(etcdctl endpoint status --write-out=json | grep -oE \'"revision":[0-9]+\' | head -1 | cut -d: -f2)"',
                "etcdctl defrag && etcdctl alarm disarm",
              ].join("\n"),
              effect: "cluster",
              changes: { key: "defrag-changes" },
            },
          ],
        },
      ],
      because: [{ key: "sure" }],
      ruledOut: [{ check: "webhook-no-endpoints", key: "not-service" }],
    };
  },
});

function fromProbe(apiProbe: Fact<ApiProbe>): readonly Evidence[] {
  const probe = knownValue(apiProbe);
  const answer = probe?.valid;
  return probe && answer && !answer.accepted && full.test(answer.message) ? [probeEvidence({ apiProbe: probe }, answer.message)] : [];
}

function fromReports(reportedErrors: Fact<readonly string[]>): readonly Evidence[] {
  const object = { kind: "CustomResourceDefinition", name: crdName(resources.certificaterequests) };
  return (knownValue(reportedErrors) ?? []).filter((text) => full.test(text)).map((value) => ({ object, path: "answer", value }));
}

function fromLogs(logs: Fact<readonly ContainerLog[]>, now: Date): readonly Evidence[] {
  return (knownValue(logs) ?? []).flatMap(({ namespace, pod, container, lines }) => {
    const line = lines.findLast((one) => full.test(one));
    if (line === undefined || now.getTime() - (logTime(line, now)?.getTime() ?? 0) > recent) return [];
    return [{ object: { kind: "Pod", namespace, name: pod }, path: `log/${container}`, value: line }];
  });
}

function fromEvents(events: Fact<readonly Event[]>): readonly Evidence[] {
  return (knownValue(events) ?? []).flatMap(({ involvedObject: { kind = "", namespace, name = "" }, reason, message }) =>
    message && full.test(message) ? [{ object: { kind, namespace, name }, path: `event/${reason}`, value: message }] : [],
  );
}
