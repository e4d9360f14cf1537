import { ClusterError } from "../cluster/errors.ts";
import type { ClusterReader } from "../cluster/reader.ts";
import { injectionRequest, lacksCa } from "../kube/injection.ts";
import { resources } from "../kube/resources.ts";
import { isOurs } from "../kube/webhook.ts";
import { type InjectionSource, knownValue } from "../model/facts.ts";
import type { ApiService, Certificate, KubeObject, WebhookConfiguration } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const atMost = 10;
const timeoutMs = 2_500;

export default defineGatherer({
  fact: "injectionSources",
  rules: [
    { apiGroups: ["cert-manager.io"], resources: ["certificates"], verbs: ["get"], in: "cluster" },
    { apiGroups: [""], resources: ["secrets"], verbs: ["get"], in: "cluster" },
  ],
  needs: ["admission"],
  uses: ["apiServices"],
  async gather(cluster, { admission, apiServices }, input) {
    const others = [...admission.filter((one) => !isOurs(one)), ...(knownValue(apiServices) ?? []).map((one) => ({ ...one, kind: "APIService" as const }))];
    const waiting = others.filter((one) => injectionRequest(one) && lacksCa(one)).slice(0, atMost);
    if (waiting.length === 0) return new NotAsked("bundles-filled");
    return Promise.all(waiting.map((one) => sourceOf(cluster, one, input.readSecrets)));
  },
});

async function sourceOf(
  cluster: ClusterReader,
  target: (WebhookConfiguration | ApiService) & { kind: string },
  readSecrets: boolean,
): Promise<InjectionSource> {
  const request = injectionRequest(target);
  const called = "webhooks" in target ? target.webhooks?.[0]?.clientConfig.service?.namespace : (target as ApiService).spec?.service?.namespace;
  const found = { target: { kind: target.kind, metadata: target.metadata }, ...(called ? { namespace: called } : {}) };
  if (!request?.source) return found;
  const { namespace, name } = request.source;
  if (request.from === "secret") return { ...found, ...(readSecrets ? await secretOf(cluster, namespace, name) : {}) };
  const certificate = await cluster.get<Certificate>(resources.certificates, name, { namespace, timeoutMs });
  const secret = certificate?.spec?.secretName;
  return {
    ...found,
    certificate: { ref: { kind: "Certificate", namespace, name }, object: certificate && tidy(certificate) },
    ...(secret && readSecrets ? await secretOf(cluster, namespace, secret) : {}),
  };
}

/** Its annotations tell who may copy from it; the keys in it are nobody's business here. What may be read of Secrets is little in most places. */
async function secretOf(cluster: ClusterReader, namespace: string, name: string): Promise<Pick<InjectionSource, "secret">> {
  try {
    const object = await cluster.get<KubeObject>(resources.secrets, name, { namespace, metadataOnly: true, timeoutMs });
    return { secret: { ref: { kind: "Secret", namespace, name }, object: object && tidy({ ...object, kind: "Secret" }) } };
  } catch (error) {
    if (error instanceof ClusterError && error.reason === "forbidden") return {};
    throw error;
  }
}
