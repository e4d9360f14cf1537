import { ClusterError } from "../cluster/errors.ts";
import type { ClusterReader, CreateAnswer } from "../cluster/reader.ts";
import { readDenial, readWebhookCall } from "../kube/error-text.ts";
import { installsIn } from "../kube/install.ts";
import { resources } from "../kube/resources.ts";
import { signingRequest } from "../kube/signing-request.ts";
import type { ApiProbe, Fact, ProbeAnswer, Rule } from "../model/facts.ts";
import { knownValue } from "../model/facts.ts";
import type { Deployment } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";

const rule: Rule = { apiGroups: ["cert-manager.io"], resources: ["certificaterequests"], verbs: ["create"], in: "probe" };

/**
 * Beyond the longest time-out that a webhook may have (30 s), so that the API server's answer comes first and names the cause
 * (catalogue 0.5). Milliseconds.
 */
const limitMs = 35_000;

export default defineGatherer({
  fact: "apiProbe",
  rules: [rule],
  needs: [],
  uses: [],
  // The verdict hangs on this fact: it is asked at once, whatever else is slow.
  later: ["crds", "deployments"],
  async gather(cluster, { crds, deployments }) {
    try {
      const probe = await probeIn(cluster, namespacesToTry(cluster, deployments));
      if (isNotServed(probe.valid) && knownValue(await crds())?.every((crd) => !crd.object)) return new NotAsked("no-crds");
      return probe;
    } catch (error) {
      if (error instanceof ClusterError && error.reason === "not-collected") return new NotAsked("snapshot");
      throw error;
    }
  },
});

/** The context's own, where most may ask, and last the install's own, whose objects older releases exempt from validation. */
async function* namespacesToTry(cluster: ClusterReader, deployments: () => Promise<Fact<readonly Deployment[]>>): AsyncGenerator<string> {
  const tried = new Set<string>(["default"]);
  if (cluster.namespace !== null && cluster.namespace !== "default") {
    tried.add(cluster.namespace);
    yield cluster.namespace;
  }
  yield "default";
  for (const { namespace } of installsIn(knownValue(await deployments()) ?? [])) {
    if (!tried.has(namespace)) yield namespace;
    tried.add(namespace);
  }
}

/** Asks in the first namespace that is there and in which this account may create CertificateRequests. */
async function probeIn(cluster: ClusterReader, namespaces: AsyncIterable<string>): Promise<ApiProbe> {
  let answered: ApiProbe | undefined;
  let refused: unknown;
  for await (const namespace of namespaces) {
    try {
      const probe = await probeOnce(cluster, namespace);
      answered ??= probe;
      if (probe.valid.accepted || !isNamespaceGone(probe.valid.message)) return probe;
    } catch (error) {
      if (!(error instanceof ClusterError) || error.reason !== "forbidden") throw error;
      refused ??= error;
    }
  }
  if (answered) return answered;
  throw refused;
}

/** Both requests at once; what became of the bad one says something only where the good one was let in, or where just one of them reached the webhook. */
async function probeOnce(cluster: ClusterReader, namespace: string): Promise<ApiProbe> {
  const [valid, invalid] = await Promise.allSettled([ask(cluster, namespace, signingRequest), ask(cluster, namespace, "not a certificate request")]);
  if (valid.status === "rejected") throw valid.reason;
  if (!valid.value.accepted) {
    const answered = invalid.status === "fulfilled" && !invalid.value.accepted && readDenial(invalid.value.message)?.ours ? invalid.value : null;
    const failed = readWebhookCall(valid.value.message)?.ours;
    return { namespace, valid: valid.value, invalid: failed ? answered : null };
  }
  if (invalid.status === "rejected") throw invalid.reason;
  return { namespace, valid: valid.value, invalid: invalid.value };
}

/** No kind of that name: what an API server answers that has no CRD for it. */
function isNotServed(answer: ProbeAnswer): boolean {
  return !answer.accepted && answer.code === 404 && !isNamespaceGone(answer.message);
}

/** A context may name a namespace that was deleted long ago; that says nothing about cert-manager. */
function isNamespaceGone(message: string): boolean {
  return /^namespaces ".*" not found$|because it is being terminated/.test(message);
}

async function ask(cluster: ClusterReader, namespace: string, pem: string): Promise<ProbeAnswer> {
  const started = performance.now();
  const answer: CreateAnswer = await cluster.dryRunCreate(
    resources.certificaterequests,
    namespace,
    {
      apiVersion: "cert-manager.io/v1",
      kind: "CertificateRequest",
      metadata: { generateName: "certmedic-probe-", namespace },
      spec: { request: Buffer.from(pem).toString("base64"), issuerRef: { group: "cert-manager.io", kind: "Issuer", name: "certmedic-probe" } },
    },
    limitMs,
  );
  const durationMs = Math.round(performance.now() - started);
  if (answer.accepted) return { accepted: true, username: usernameIn(answer.object), durationMs };
  // A refusal by RBAC is no verdict about cert-manager.
  if (answer.code === 403 && /certificaterequests\.cert-manager\.io is forbidden: User /.test(answer.message)) {
    throw new ClusterError("forbidden", answer.message, { rule, status: 403 });
  }
  // Overload and API server faults say nothing about cert-manager unless a webhook is named.
  if ((answer.code === 429 || answer.code >= 500) && !/webhook/.test(answer.message)) {
    throw new ClusterError(answer.code === 429 ? "throttled" : "server-error", `create certificaterequests (dry run): HTTP ${answer.code}, ${answer.message}`);
  }
  return { accepted: false, code: answer.code, reason: answer.reason, message: answer.message, durationMs };
}

function usernameIn(object: Readonly<Record<string, unknown>>): string {
  const { spec, kind } = object as { kind?: unknown; spec?: { username?: unknown } };
  if (kind !== "CertificateRequest") throw new ClusterError("bad-answer", "create certificaterequests (dry run): the answer isn't a CertificateRequest");
  return typeof spec?.username === "string" ? spec.username : "";
}
