import { componentOf } from "../kube/install.ts";
import { resources } from "../kube/resources.ts";
import { isWayBlocked } from "../kube/way-blocked.ts";
import type { NetworkPolicy } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const timeoutMs = 5_000;

export default defineGatherer({
  fact: "networkPolicies",
  rules: [{ apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: ["list"], in: "install" }],
  needs: ["pods"],
  uses: ["apiProbe", "reportedErrors"],
  async gather(cluster, { pods, ...told }) {
    if (!isWayBlocked(told)) return new NotAsked("way-open");
    const webhooks = pods.filter((pod) => componentOf(pod, pod.spec.containers) === "webhook");
    const namespaces = new Set(webhooks.flatMap(({ metadata }) => metadata.namespace ?? []));
    const lists = await Promise.all([...namespaces].map((namespace) => cluster.list<NetworkPolicy>(resources.networkpolicies, { namespace, timeoutMs })));
    return lists.flatMap((list) => list.items.map(tidy));
  },
});
