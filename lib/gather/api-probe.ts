import { ClusterError } from "../cluster/errors.ts";
import type { ClusterReader, CreateAnswer } from "../cluster/reader.ts";
import { installsIn } from "../kube/install.ts";
import { resources } from "../kube/resources.ts";
import type { ApiProbe, ProbeAnswer, Rule } from "../model/facts.ts";
import { knownValue } from "../model/facts.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";

const rule: Rule = { apiGroups: ["cert-manager.io"], resources: ["certificaterequests"], verbs: ["create"], in: "probe" };

/** A well-formed request for a key that nobody kept; nothing is ever signed, since the create is a dry run. */
const request = `-----BEGIN CERTIFICATE REQUEST-----
MIHTMHwCAQAwGjEYMBYGA1UEAwwPY2VydG1lZGljLnByb2JlMFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEwcqQxhpOByYRQbjV4OItGTNlO1KiPBWXwkdsKWI8XFKJ
Yd/S0yAPemeqSGRkPnJGHnqdIM1aIpnKnFjT8mIlh6AAMAoGCCqGSM49BAMCA0cA
MEQCIH3hgGHPI40PuRPvDi0LtLbnBZ5sv4xXLa/GJtt7ejTAAiAw8ILW8gKaGtCj
DISaW7QQPp/A2SX/2gkI6kveB9FogQ==
-----END CERTIFICATE REQUEST-----
`;

/** Beyond the webhook's own time-out, so that the API server's answer comes first and names the cause (catalogue 0.5). */
const marginMs = 5_000;
const longestWebhookTimeout = 30;

export default defineGatherer({
  fact: "apiProbe",
  rules: [rule],
  needs: [],
  uses: ["crds", "deployments", "webhooks"],
  async gather(cluster, { crds, deployments, webhooks }) {
    if (knownValue(crds)?.every((crd) => !crd.object)) return new NotAsked("no-crds");
    const configured = (knownValue(webhooks) ?? []).flatMap(({ configuration }) => configuration.webhooks ?? []).map((webhook) => webhook.timeoutSeconds ?? 10);
    const limitMs = Math.max(longestWebhookTimeout, ...configured) * 1000 + marginMs;
    const installs = installsIn(knownValue(deployments) ?? []);
    try {
      const namespaces = [...new Set([cluster.namespace, ...installs.map((install) => install.namespace), "default"].filter((name) => name !== null))];
      return await probeIn(cluster, namespaces, limitMs);
    } catch (error) {
      if (error instanceof ClusterError && error.reason === "not-collected") return new NotAsked("snapshot");
      throw error;
    }
  },
});

/** Asks in the first namespace that is there and in which this account may create CertificateRequests. */
async function probeIn(cluster: ClusterReader, namespaces: readonly string[], limitMs: number): Promise<ApiProbe> {
  let answered: ApiProbe | undefined;
  for (const namespace of namespaces) {
    if (!(await cluster.mayI({ verb: "create", resource: resources.certificaterequests, namespace }))) continue;
    const valid = await ask(cluster, namespace, request, limitMs);
    if (valid.accepted) return { namespace, valid, invalid: await ask(cluster, namespace, "not a certificate request", limitMs) };
    answered ??= { namespace, valid, invalid: null };
    if (!isNamespaceGone(valid.message)) return { namespace, valid, invalid: null };
  }
  if (answered) return answered;
  throw new ClusterError("forbidden", `this account may not create certificaterequests, not even as a dry run, in ${namespaces.join(", ")}`, { rule });
}

/** A context may name a namespace that was deleted long ago; that says nothing about cert-manager. */
function isNamespaceGone(message: string): boolean {
  return /^namespaces ".*" not found$|because it is being terminated/.test(message);
}

async function ask(cluster: ClusterReader, namespace: string, pem: string, limitMs: number): Promise<ProbeAnswer> {
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
  // RBAC may refuse what the access review allowed (a policy, a race): still no verdict about cert-manager.
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
