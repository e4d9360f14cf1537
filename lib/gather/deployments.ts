import { componentOf, componentSelector } from "../kube/install.ts";
import { resources } from "../kube/resources.ts";
import type { Deployment } from "../model/kubernetes.ts";
import { defineGatherer } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

export default defineGatherer({
  fact: "deployments",
  rules: [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["list"], in: "cluster" }],
  needs: [],
  uses: [],
  async gather(cluster) {
    const { items } = await cluster.list<Deployment>(resources.deployments, { labelSelector: componentSelector });
    return items.filter((item) => componentOf(item, item.spec.template.spec.containers)).map(tidy);
  },
});
