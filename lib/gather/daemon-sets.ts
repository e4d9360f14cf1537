import { resources } from "../kube/resources.ts";
import { isWayBlocked } from "../kube/way-blocked.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const timeoutMs = 5_000;

export default defineGatherer({
  fact: "daemonSets",
  rules: [{ apiGroups: ["apps"], resources: ["daemonsets"], verbs: ["list"], in: "cluster" }],
  needs: [],
  uses: ["apiProbe", "reportedErrors"],
  async gather(cluster, told) {
    if (!isWayBlocked(told)) return new NotAsked("way-open");
    const { items } = await cluster.list<KubeObject>(resources.daemonsets, { metadataOnly: true, timeoutMs });
    return items.map(tidy);
  },
});
