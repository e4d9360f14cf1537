import { ClusterError } from "../cluster/errors.ts";
import { componentOf } from "../kube/install.ts";
import { pluginPolicies } from "../kube/resources.ts";
import { isWayBlocked } from "../kube/way-blocked.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const timeoutMs = 5_000;

export default defineGatherer({
  fact: "pluginPolicies",
  rules: [
    { apiGroups: ["cilium.io"], resources: ["ciliumnetworkpolicies", "ciliumclusterwidenetworkpolicies"], verbs: ["list"], in: "cluster" },
    { apiGroups: ["crd.projectcalico.org"], resources: ["networkpolicies", "globalnetworkpolicies"], verbs: ["list"], in: "cluster" },
  ],
  needs: ["pods"],
  uses: ["apiProbe", "reportedErrors"],
  async gather(cluster, { pods, ...told }) {
    if (!isWayBlocked(told)) return new NotAsked("way-open");
    const webhooks = pods.filter((pod) => componentOf(pod, pod.spec.containers) === "webhook");
    const namespaces = [...new Set(webhooks.flatMap(({ metadata }) => metadata.namespace ?? []))];
    const asked = pluginPolicies.flatMap((of) => (of.namespaced ? namespaces.map((namespace) => ({ of, options: { namespace } })) : [{ of, options: {} }]));
    const lists = await Promise.all(
      asked.map(async ({ of, options }) => {
        try {
          return (await cluster.list<KubeObject>(of, { ...options, metadataOnly: true, timeoutMs })).items.map(tidy);
        } catch (error) {
          // Where the plugin isn't installed its kinds aren't served: then there are none.
          if (error instanceof ClusterError && error.reason === "not-served") return [];
          throw error;
        }
      }),
    );
    return lists.flat();
  },
});
