import { componentOf } from "../kube/install.ts";
import { resources } from "../kube/resources.ts";
import { knownValue } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const atMost = 3;
const timeoutMs = 2_500;

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
    const names = new Set(pods.filter((pod) => componentOf(pod, pod.spec.containers) === "webhook").flatMap((pod) => pod.spec.nodeName ?? []));
    return Promise.all(
      [...names].slice(0, atMost).map(async (name) => {
        const object = await cluster.get<KubeObject>(resources.nodes, name, { metadataOnly: true, timeoutMs });
        return { ref: { kind: "Node", name }, object: object && tidy({ ...object, kind: "Node" }) };
      }),
    );
  },
});
