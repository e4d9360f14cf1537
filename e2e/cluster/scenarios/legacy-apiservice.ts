import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "an API of a cert-manager of years ago stayed, and its Service now leads to today's webhook",
  from: "healthy",
  async fault(cluster) {
    await cluster.apply({
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: "v1beta1.webhook.cert-manager.io" },
      spec: {
        group: "webhook.cert-manager.io",
        version: "v1beta1",
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        insecureSkipTLSVerify: true,
        service: { namespace: "cert-manager", name: "cert-manager-webhook" },
      },
    });
    await cluster.run("kubectl create namespace gone && kubectl delete namespace gone --wait=false");
    const why = `kubectl get namespace gone -o jsonpath='{.status.conditions[?(@.type=="NamespaceDeletionDiscoveryFailure")].message}'`;
    await cluster.until("the namespace to wait for the API", async () => (await cluster.try(why)).stdout !== "");
    await cluster.fails(`${why} >&2; false`, "legacy-apiservice-unavailable");
  },
  expect: { verdict: "broken", roots: ["legacy-apiservice-unavailable"] },
  mends: true,
  async after(cluster) {
    await cluster.until("the namespace to be gone", async () => (await cluster.try("kubectl get namespace gone")).code !== 0);
  },
});
