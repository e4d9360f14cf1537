import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { openLiveCluster } from "../../../lib/cluster/open-live.ts";
import { gather } from "../../../lib/gather/run.ts";
import { certManagerResources, collectionPath, pluginPolicies, type Resource } from "../../../lib/kube/resources.ts";
import { type ApiProbe, knownValue } from "../../../lib/model/facts.ts";
import type { ApiService, Pod } from "../../../lib/model/kubernetes.ts";
import { builtInResources } from "../../../lib/snapshot/built-in-resources.ts";
import { logKey, type RecordedAnswer, type RefusedRequest, type Snapshot, type SnapshotObject } from "../../../lib/snapshot/snapshot.ts";
import { type ApiClient, openApi } from "../api-client.ts";
import { redacted } from "./redact.ts";

/** Kinds of which everything is kept: what isn't in the recording isn't in the cluster. */
const whole: readonly string[] = [
  ...["nodes", "namespaces", "pods", "deployments", "replicasets", "daemonsets", "jobs", "services", "endpointslices", "events", "secrets", "leases"],
  ...["roles", "rolebindings", "customresourcedefinitions", "apiservices", "validatingwebhookconfigurations", "mutatingwebhookconfigurations"],
  ...["networkpolicies", "resourcequotas", "limitranges", "poddisruptionbudgets"],
  ...[...certManagerResources, ...pluginPolicies].map((of) => of.plural),
];
/** The same, but every cluster has many that have nothing to do with cert-manager's accounts: only its own are kept. */
const wholeOfOurs: readonly string[] = ["clusterroles", "clusterrolebindings"];
/** Kinds of which every cluster has many that say nothing: only cert-manager's own are kept. */
const ours: readonly string[] = ["serviceaccounts", ...wholeOfOurs];
const oursOnly = "app.kubernetes.io/name in (cert-manager,webhook,cainjector,startupapicheck)";
/** Longer logs lose their beginning. */
const logLines = 2_000;
/** Faster answers count as given at once. */
const slowMs = 1_000;

export interface Recording {
  readonly name?: string;
  /** Namespaces that are left out with all that is in them, such as the observer's own. */
  readonly except?: readonly string[];
  /** Texts that tools printed. */
  readonly reportedErrors?: readonly string[];
}

/**
 * Reads a live cluster into a plain snapshot, as an administrator: what the product reads and what belongs to cert-manager,
 * the logs of its pods, and the API server's answers to the two dry-run creates. No keys, tokens or payloads (see redact.ts).
 */
export async function recordSnapshot(kubeconfig: string, { name = "recorded", except = [], reportedErrors = [] }: Recording = {}): Promise<Snapshot> {
  const api = await openApi(kubeconfig);
  try {
    const refused: RefusedRequest[] = [];
    const objects: SnapshotObject[] = [];
    for (const of of [...builtInResources, ...certManagerResources, ...pluginPolicies]) {
      if (whole.includes(of.plural) || ours.includes(of.plural)) objects.push(...(await listed(api, of, ours.includes(of.plural) ? oursOnly : "", refused)));
    }
    const isMachine = ({ kind, metadata }: SnapshotObject) => kind === "Lease" && metadata.name.startsWith("apiserver-");
    const isExcepted = ({ kind, metadata }: SnapshotObject) => except.includes((kind === "Namespace" ? metadata.name : metadata.namespace) ?? "");
    // The API server makes one for each group that it serves itself.
    const isLocal = ({ kind, spec }: SnapshotObject) => kind === "APIService" && !(spec as ApiService["spec"])?.service;
    const kept = objects.filter((object) => !isMachine(object) && !isExcepted(object) && !isLocal(object));
    const probe = await probeOf(kubeconfig);
    const logs = await logsOf(api, kept);
    return {
      name,
      now: new Date(Math.ceil(Date.now() / 1_000) * 1_000),
      version: JSON.parse((await api.ask({ path: "/version" })).text) as Snapshot["version"],
      objects: kept.map(redacted),
      logs,
      reportedErrors,
      collected: { resources: new Set([...whole, ...wholeOfOurs]), namespaces: null },
      answers: { ...(probe ? { probe } : {}), ...(refused.length > 0 ? { refused } : {}) },
    };
  } finally {
    await api.close();
  }
}

/** Writes a snapshot as the folder that `openSnapshot` reads; replaces what is there. */
export async function writeSnapshot(snapshot: Snapshot, folder: string): Promise<void> {
  const yaml = (value: unknown): string => stringify(value, { sortMapEntries: true, lineWidth: 0, aliasDuplicateObjects: false });
  const { resources: collected, namespaces } = snapshot.collected;
  const files = new Map<string, string>([
    ["objects.yaml", snapshot.objects.map(yaml).join("---\n")],
    ["answers.yaml", yaml(snapshot.answers)],
    ["collected.yaml", yaml({ ...(collected && { resources: [...collected] }), ...(namespaces && { namespaces: [...namespaces] }) })],
    ["timestamp", `${snapshot.now.toISOString().replace(".000Z", "Z")}\n`],
    ...(snapshot.version ? [["version.json", `${JSON.stringify(snapshot.version)}\n`] as const] : []),
    ...(snapshot.reportedErrors.length > 0 ? [["reported-errors.txt", `${snapshot.reportedErrors.join("\n")}\n`] as const] : []),
    ...[...snapshot.logs].map(([key, text]) => [`logs/${key}.log`, text] as const),
  ]);
  await rm(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Every object of a kind; a refusal is remembered as an answer of its own, and a kind that isn't served has none. */
async function listed(api: ApiClient, of: Resource, labelSelector: string, refused: RefusedRequest[]): Promise<SnapshotObject[]> {
  const answer = await api.ask({ path: `${collectionPath(of)}${labelSelector && `?${new URLSearchParams({ labelSelector })}`}` });
  if (answer.status === 404) return [];
  if (answer.status !== 200) {
    const { reason, message } = JSON.parse(answer.text) as { reason?: string; message?: string };
    refused.push({ verb: "list", resource: of.group ? `${of.plural}.${of.group}` : of.plural, code: answer.status, reason, message });
    return [];
  }
  const { items } = JSON.parse(answer.text) as { items: SnapshotObject[] | null };
  return (items ?? []).map((item) => ({ ...item, apiVersion: of.group ? `${of.group}/${of.version}` : of.version, kind: of.kind }));
}

/** What the product itself is answered when it asks for the dry-run creates. */
async function probeOf(kubeconfig: string): Promise<Snapshot["answers"]["probe"]> {
  const cluster = await openLiveCluster({ path: kubeconfig });
  try {
    const { apiProbe } = await gather(cluster, { reportedErrors: [], readSecrets: true, now: () => new Date() });
    const probe = knownValue(apiProbe);
    return probe && { valid: recorded(probe.valid), ...(probe.invalid ? { invalid: recorded(probe.invalid) } : {}) };
  } finally {
    await cluster.close();
  }
}

function recorded({ durationMs, ...answer }: ApiProbe["valid"]): RecordedAnswer {
  const late = durationMs < slowMs ? {} : { delayMs: Math.round(durationMs / 100) * 100 };
  if (answer.accepted) return { accepted: true, username: answer.username, ...late };
  return { code: answer.code, reason: answer.reason, message: answer.message, ...late };
}

/** The logs of every pod in a namespace where cert-manager is, now and before the last restart. */
async function logsOf(api: ApiClient, objects: readonly SnapshotObject[]): Promise<ReadonlyMap<string, string>> {
  const logs = new Map<string, string>();
  const isOurs = ({ metadata }: SnapshotObject) => ["cert-manager", "webhook", "cainjector"].includes(metadata.labels?.["app.kubernetes.io/name"] ?? "");
  const namespaces = new Set(objects.filter((object) => object.kind === "Deployment" && isOurs(object)).map((object) => object.metadata.namespace));
  const pods = objects.filter((object) => object.kind === "Pod" && namespaces.has(object.metadata.namespace)) as unknown as readonly Pod[];
  for (const { metadata, spec } of pods) {
    for (const { name } of spec.containers) {
      for (const previous of [false, true]) {
        const { namespace = "", name: pod } = metadata;
        const query = new URLSearchParams({ container: name, tailLines: String(logLines), ...(previous ? { previous: "true" } : {}) });
        const answer = await api.ask({ path: `/api/v1/namespaces/${namespace}/pods/${pod}/log?${query}`, accept: "*/*" });
        if (answer.status === 200 && !(previous && answer.text === "")) logs.set(logKey(namespace, pod, name, previous), answer.text);
      }
    }
  }
  return logs;
}
