import { upgrade } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "an upgrade to a misspelled tag was killed while it waited, and no Helm upgrades the release any more",
  from: "healthy",
  async fault(cluster) {
    const image = "{.spec.template.spec.containers[0].image}=quay.io/jetstack/cert-manager-webhook:1.21.1";
    await cluster.run(
      `${upgrade} --set webhook.image.tag=1.21.1 --wait >&2 &
      kubectl -n cert-manager wait deployment/cert-manager-webhook --for=jsonpath='${image}' --timeout=60s
      kill -KILL $!`,
    );
    await cluster.fails(`${upgrade} --set webhook.image.tag=null`, "helm-operation-in-progress", { helm: 3 });
    await cluster.fails(`${upgrade} --set webhook.image.tag=null`, "helm-operation-in-progress", { helm: 4 });
  },
  expect: { verdict: "broken", roots: ["helm-operation-in-progress", "image-not-found"] },
  mends: true,
});
