import { hasUnreadyPods, isReady } from "../kube/readiness.ts";
import { resources } from "../kube/resources.ts";
import type { Event } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

export default defineGatherer({
  fact: "events",
  rules: [{ apiGroups: [""], resources: ["events"], verbs: ["list"], in: "install" }],
  needs: ["deployments"],
  uses: [],
  async gather(cluster, { deployments }) {
    if (deployments.length === 0) return new NotAsked("nothing-installed");
    const failing = deployments.filter((deployment) => !isReady(deployment) || hasUnreadyPods(deployment));
    const namespaces = new Set(failing.map((deployment) => deployment.metadata.namespace));
    if (namespaces.size === 0) return new NotAsked("components-ready");
    const lists = await Promise.all(
      [...namespaces].map((namespace) => cluster.list<Event>(resources.events, { namespace, fieldSelector: "type=Warning", limit: 500 })),
    );
    return lists.flatMap((list) => list.items.map(tidy));
  },
});
