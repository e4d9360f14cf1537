import { certificatesIn } from "../kube/certificate.ts";
import { isOurs } from "../kube/webhook.ts";
import { defineGatherer } from "./gatherer.ts";

export default defineGatherer({
  fact: "webhooks",
  rules: [],
  needs: ["admission"],
  uses: [],
  async gather(_cluster, { admission }) {
    return admission.filter(isOurs).map((configuration) => ({
      configuration,
      caBundles: (configuration.webhooks ?? []).map((webhook) => certificatesIn(webhook.clientConfig.caBundle)),
    }));
  },
});
