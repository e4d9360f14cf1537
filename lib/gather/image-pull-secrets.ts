import { ClusterError } from "../cluster/errors.ts";
import { waitsForImage } from "../kube/readiness.ts";
import { resources } from "../kube/resources.ts";
import type { Rule } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const rule: Rule = { apiGroups: [""], resources: ["secrets"], verbs: ["get"], in: "install" };
/** More names than anyone attaches; a guard against a hostile pod spec. */
const atMost = 6;

export default defineGatherer({
  fact: "imagePullSecrets",
  rules: [rule],
  needs: ["pods"],
  uses: [],
  async gather(cluster, { pods }, input) {
    const waiting = pods.filter(waitsForImage);
    if (waiting.length === 0) return new NotAsked("images-pulled");
    const wanted = new Map<string, { namespace: string; name: string }>();
    for (const pod of waiting) {
      const namespace = pod.metadata.namespace ?? "";
      for (const { name } of pod.spec.imagePullSecrets ?? []) wanted.set(`${namespace}/${name}`, { namespace, name });
    }
    if (wanted.size === 0) return [];
    if (!input.readSecrets) throw new ClusterError("forbidden", "the dashboard's own account reads no Secrets unless that is switched on", { rule });
    return Promise.all(
      [...wanted.values()].slice(0, atMost).map(async ({ namespace, name }) => {
        const object = await cluster.get<KubeObject>(resources.secrets, name, { namespace, metadataOnly: true });
        return { ref: { kind: "Secret", namespace, name }, object: object && tidy({ kind: "Secret", metadata: object.metadata }) };
      }),
    );
  },
});
