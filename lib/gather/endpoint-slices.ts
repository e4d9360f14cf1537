import { resources } from "../kube/resources.ts";
import type { EndpointSlice } from "../model/kubernetes.ts";
import { defineGatherer } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

export default defineGatherer({
  fact: "endpointSlices",
  rules: [{ apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list"], in: "install" }],
  needs: ["webhookServices"],
  uses: [],
  async gather(cluster, { webhookServices }) {
    const present = webhookServices.filter((service) => service.object);
    const lists = await Promise.all(
      present.map(({ ref }) =>
        cluster.list<EndpointSlice>(resources.endpointslices, { namespace: ref.namespace, labelSelector: `kubernetes.io/service-name=${ref.name}` }),
      ),
    );
    return lists.flatMap((list) => list.items.map(tidy));
  },
});
