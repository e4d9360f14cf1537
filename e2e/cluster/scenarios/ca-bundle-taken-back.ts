import { setTimeout as sleep } from "node:timers/promises";
import { defineScenario } from "../scenario.ts";

const name = "cert-manager-webhook";

export default defineScenario({
  title: "a repository prescribes an older CA bundle, and its tool and cainjector take turns",
  from: "healthy",
  async fault(cluster) {
    const { certificate } = await cluster.certificate("--ca", "--name=cert-manager-webhook-ca");
    const prescribed = JSON.stringify({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name, labels: { "kustomize.toolkit.fluxcd.io/name": "infrastructure", "kustomize.toolkit.fluxcd.io/namespace": "flux-system" } },
      webhooks: [{ name: "webhook.cert-manager.io", clientConfig: { caBundle: Buffer.from(certificate).toString("base64") } }],
    });
    for (let sync = 0; sync < 3; sync++) {
      if (sync > 0) await sleep(32_000);
      await cluster.run("kubectl apply --server-side --force-conflicts --field-manager=kustomize-controller -f -", { input: prescribed });
      await cluster.until("cainjector to write the CA again", async () => {
        const bundle = await cluster.run(`kubectl get validatingwebhookconfiguration ${name} -o jsonpath='{.webhooks[0].clientConfig.caBundle}'`);
        return bundle.trim() !== Buffer.from(certificate).toString("base64");
      });
    }
  },
  varies: true,
  expect: { verdict: "degraded", roots: ["gitops-reverts-cabundle"] },
});
