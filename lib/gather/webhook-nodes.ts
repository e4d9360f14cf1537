import { readWebhookCall } from "../kube/error-text.ts";
import { componentOf } from "../kube/install.ts";
import { resources } from "../kube/resources.ts";
import { knownValue } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const atMost = 3;
const timeoutMs = 2_500;
/** The Service may have led to any node (https://github.com/cozystack/cozystack/issues/3355). */
const metNames = /x509: certificate is valid for (?<names>.+), not \S+/;
const isNodeName = /^(?!.*\.svc(?:\.|$))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

export default defineGatherer({
  fact: "webhookNodes",
  rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"], in: "cluster" }],
  needs: ["pods"],
  uses: ["apiProbe", "reportedErrors"],
  async gather(cluster, { pods, apiProbe, reportedErrors }) {
    const probe = knownValue(apiProbe)?.valid;
    const texts = [probe && !probe.accepted ? probe.message : "", ...(knownValue(reportedErrors) ?? [])];
    // Only a certificate of somebody else makes it matter where the pod runs (catalogue, serving-cert-is-kubelet).
    if (!texts.some((text) => text.includes("x509: "))) return new NotAsked("no-name-mismatch");
    const own = new Set(pods.filter((pod) => componentOf(pod, pod.spec.containers) === "webhook").flatMap((pod) => pod.spec.nodeName ?? []));
    const met = texts.flatMap((text) => readWebhookCall(text)?.reason ?? []).flatMap((reason) => metNames.exec(reason)?.groups?.names?.split(", ") ?? []);
    const others = new Set(met.filter((name) => isNodeName.test(name) && !own.has(name)));
    return Promise.all(
      [...[...own].slice(0, atMost), ...[...others].slice(0, atMost)].map(async (name) => {
        const object = await cluster.get<KubeObject>(resources.nodes, name, { metadataOnly: true, timeoutMs });
        return { ref: { kind: "Node", name }, object: object && tidy({ ...object, kind: "Node" }) };
      }),
    );
  },
});
