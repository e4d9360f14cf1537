import { componentOf, componentSelector } from "../kube/install.ts";
import { resources } from "../kube/resources.ts";
import type { Pod } from "../model/kubernetes.ts";
import { defineGatherer } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

export default defineGatherer({
  fact: "pods",
  rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["list"], in: "cluster" }],
  needs: [],
  uses: [],
  async gather(cluster) {
    const { items } = await cluster.list<Pod>(resources.pods, { labelSelector: componentSelector });
    return items.filter((item) => componentOf(item, item.spec.containers)).map(tidy);
  },
});
