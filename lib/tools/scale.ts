import { diagnose } from "../checks/diagnose.ts";
import { checks } from "../checks/index.gen.ts";
import { runCheck } from "../checks/run.ts";
import { checkup } from "../checkup.ts";
import { defaultWindows } from "../model/check.ts";
import { loadDemo } from "../snapshot/demo-clusters.ts";
import { applyOverlay } from "../snapshot/overlay.ts";
import { type SnapshotServer, startSnapshotServer } from "../snapshot/server.ts";
import type { Snapshot, SnapshotObject } from "../snapshot/snapshot.ts";
import { openSnapshotTarget } from "../target.ts";
import { leastTime, ms, printFigure } from "./figures.ts";
import { withoutDelays } from "./without-delays.ts";

const runs = 15;
/** What all checks together may take, whatever else is in the cluster. */
const limit = 10;

/** Prints how long the checks take on a healthy, on a badly broken and on large clusters, and which of them take longest. Half a cluster must take half the time. */
export async function printScale(): Promise<void> {
  const server = await startSnapshotServer();
  const healthy = (await loadDemo(process.cwd(), "healthy")).snapshot;
  await printCluster(server, "healthy install", healthy);
  await printCluster(server, "badly broken install", await badlyBroken());
  for (const size of [0.5, 1]) await printCluster(server, `healthy among others' objects × ${size}`, crowded(healthy, size));
  for (const size of [0.5, 1]) await printCluster(server, `thousands of its own pods × ${size}`, swollen(healthy, size), "");
  await server.close();
}

async function printCluster(server: SnapshotServer, name: string, snapshot: Snapshot, beside = `limit ${limit} ms; `): Promise<void> {
  const target = await openSnapshotTarget(snapshot, server);
  const { facts, requests, diagnosis } = await checkup(target.cluster, target.input);
  await target.close();
  const judging = await leastTime(runs, async () => diagnose(facts, snapshot.now, defaultWindows));
  const copying = await leastTime(runs, async () => JSON.parse(JSON.stringify(facts)));
  const each: { id: string; time: number }[] = [];
  for (const check of checks.filter(({ run }) => run)) {
    each.push({ id: check.id, time: await leastTime(runs, async () => runCheck(check, facts, snapshot.now, defaultWindows)) });
  }
  const slowest = each.sort((a, b) => b.time - a.time).slice(0, 3);
  printFigure(
    `${name}: all checks`,
    ms(judging),
    `${beside}${(judging / copying).toFixed(2)} × copying the facts as JSON (${ms(copying)}); ` +
      `${diagnosis.verdict} after ${requests} requests; longest: ${slowest.map(({ id, time }) => `${id} ${ms(time)}`).join(", ")}`,
  );
}

/** No images, no leases, no CA, a missing CRD, dead registrations, and the long logs, many events and pasted screenfuls that come with that. */
async function badlyBroken(): Promise<Snapshot> {
  const { snapshot } = await loadDemo(process.cwd(), "air-gapped-images");
  const refused =
    'Error from server (InternalError): error when creating "issuer.yaml": Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s": tls: failed to verify certificate: x509: certificate signed by unknown authority';
  const line = `E1201 00:58:40.123456       1 controller.go:167] "re-queuing item due to error processing" err="${refused.replaceAll('"', '\\"')}" logger="cert-manager.controller" controller="issuers" key="default/issuer"`;
  const broken = applyOverlay(
    snapshot,
    {
      remove: ["Role/kube-system/*", "RoleBinding/kube-system/*", "ClusterRoleBinding", "CustomResourceDefinition/orders.acme.cert-manager.io"],
      set: { "MutatingWebhookConfiguration/cert-manager-webhook": { "webhooks[0].clientConfig.caBundle": "Cg==" } },
      logs: Object.fromEntries([...snapshot.logs.keys()].map((key) => [key, `${line}\n`.repeat(1000)])),
      reportedErrors: numbered(3, (n) => `${n}: ${refused}\n${`${line}\n`.repeat(20)}`),
    },
    "badly broken",
  );
  const dead = numbered(20, (n) => registration(`old-${n}-webhook`, "gone", "cert-manager.io"));
  return withoutDelays(enlarged(broken, "badly broken", [...dead, ...numbered(500, warning)]));
}

/** 5,000 pods, 300 registrations and 500 CRDs that have nothing to do with cert-manager. */
function crowded(base: Snapshot, size: number): Snapshot {
  const pod = firstOf(base, "Pod");
  const crd = firstOf(base, "CustomResourceDefinition");
  return enlarged(base, `crowded ${size}`, [
    ...numbered(5000 * size, (n) => ({ ...pod, metadata: { name: `app-${n}`, namespace: "apps", uid: `pod-${n}`, labels: { app: "app" } } })),
    ...numbered(300 * size, (n) => registration(`app-${n}`, "apps", "example.com")),
    ...numbered(500 * size, (n) => ({
      ...crd,
      metadata: { name: `things${n}.example.com`, uid: `crd-${n}` },
      spec: { ...(crd.spec as object), group: "example.com" },
    })),
  ]);
}

/** The same number of pods and registrations, all of them cert-manager's. */
function swollen(base: Snapshot, size: number): Snapshot {
  const pod = base.objects.find(({ kind, metadata }) => kind === "Pod" && metadata.name.includes("webhook")) as SnapshotObject;
  return enlarged(base, `swollen ${size}`, [
    ...numbered(5000 * size, (n) => ({ ...pod, metadata: { ...pod.metadata, name: `${pod.metadata.name}-${n}`, uid: `pod-${n}` } })),
    ...numbered(300 * size, (n) => registration(`cert-manager-webhook-${n}`, "cert-manager", "cert-manager.io", "cert-manager-webhook")),
  ]);
}

function enlarged(base: Snapshot, name: string, more: readonly SnapshotObject[]): Snapshot {
  return { ...base, name, objects: [...base.objects, ...more] };
}

function firstOf({ objects }: Snapshot, kind: string): SnapshotObject {
  return objects.find((object) => object.kind === kind) as SnapshotObject;
}

function registration(name: string, namespace: string, group: string, service = name): SnapshotObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name, creationTimestamp: "2026-03-02T08:00:00Z" },
    webhooks: [
      {
        name: `webhook.${group}`,
        clientConfig: { service: { namespace, name: service, path: "/validate", port: 443 } },
        failurePolicy: "Fail",
        rules: [{ apiGroups: [group], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["*/*"] }],
      },
    ],
  };
}

function warning(n: number): SnapshotObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace: "cert-manager", name: `cert-manager-webhook-646c95c5ff.${n}`, creationTimestamp: "2026-12-01T00:58:00Z" },
    involvedObject: { kind: "ReplicaSet", namespace: "cert-manager", name: "cert-manager-webhook-646c95c5ff" },
    type: "Warning",
    reason: "FailedCreate",
    message: `Error creating: pods "cert-manager-webhook-646c95c5ff-${n}" is forbidden: exceeded quota: team, requested: pods=1, used: pods=10, limited: pods=10`,
    lastTimestamp: "2026-12-01T00:58:00Z",
    count: n,
  };
}

function numbered<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}
