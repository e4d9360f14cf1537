import { resources } from "../kube/resources.ts";
import { isWayBlocked } from "../kube/way-blocked.ts";
import type { Node } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const atMost = 100;
const timeoutMs = 5_000;

export default defineGatherer({
  fact: "nodes",
  rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["list"], in: "cluster" }],
  needs: [],
  uses: ["apiProbe", "reportedErrors"],
  async gather(cluster, told) {
    if (!isWayBlocked(told)) return new NotAsked("way-open");
    // The control plane's own by label, since the first of many needn't be among them.
    const lists = await Promise.all([
      cluster.list<Node>(resources.nodes, { labelSelector: "node-role.kubernetes.io/control-plane", limit: atMost, timeoutMs }),
      cluster.list<Node>(resources.nodes, { limit: atMost, timeoutMs }),
    ]);
    const byName = new Map(lists.flatMap(({ items }) => items).map((node) => [node.metadata.name, node]));
    return [...byName.values()].map((node) => {
      const { providerID } = node.spec ?? {};
      return { ...tidy({ kind: "Node", metadata: node.metadata }), spec: { providerID }, status: { addresses: node.status?.addresses } };
    });
  },
});
