import { resources } from "../kube/resources.ts";
import type { WebhookConfiguration } from "../model/kubernetes.ts";
import { defineGatherer } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

export default defineGatherer({
  fact: "admission",
  rules: [
    {
      apiGroups: ["admissionregistration.k8s.io"],
      resources: ["validatingwebhookconfigurations", "mutatingwebhookconfigurations"],
      verbs: ["list"],
      in: "cluster",
    },
  ],
  needs: [],
  uses: [],
  async gather(cluster) {
    // Both in full: cert-manager's own are recognised by their rules, whatever they are called (catalogue 0.1).
    const [validating, mutating] = await Promise.all([
      cluster.list<WebhookConfiguration>(resources.validatingwebhookconfigurations),
      cluster.list<WebhookConfiguration>(resources.mutatingwebhookconfigurations),
    ]);
    return [...validating.items, ...mutating.items].map(tidy);
  },
});
