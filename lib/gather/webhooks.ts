import { certificatesIn } from "../kube/certificate.ts";
import { resources } from "../kube/resources.ts";
import { isOurs } from "../kube/webhook.ts";
import type { WebhookConfiguration } from "../model/kubernetes.ts";
import { defineGatherer } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

export default defineGatherer({
  fact: "webhooks",
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
    // Both in full: they are recognised by their rules, whatever they are called (catalogue 0.1).
    const [validating, mutating] = await Promise.all([
      cluster.list<WebhookConfiguration>(resources.validatingwebhookconfigurations),
      cluster.list<WebhookConfiguration>(resources.mutatingwebhookconfigurations),
    ]);
    return [...validating.items, ...mutating.items].filter(isOurs).map((configuration) => ({
      configuration: tidy(configuration),
      caBundles: (configuration.webhooks ?? []).map((webhook) => certificatesIn(webhook.clientConfig.caBundle)),
    }));
  },
});
