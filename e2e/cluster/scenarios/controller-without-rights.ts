import { defineScenario } from "../scenario.ts";

const issuer = { apiVersion: "cert-manager.io/v1", kind: "Issuer", metadata: { namespace: "default", name: "self-signed" }, spec: { selfSigned: {} } };

export default defineScenario({
  title: "the controller lost its rights to Issuers and Certificates",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl delete clusterrolebinding cert-manager-controller-issuers cert-manager-controller-certificates");
    await cluster.apply(issuer);
    const refusal = await cluster.until("the controller to be refused", async () => {
      const log = await cluster.run("kubectl -n cert-manager logs deployment/cert-manager");
      return log.split("\n").find((line) => line.includes("issuers/status"));
    });
    cluster.said.push({ text: refusal, check: "controller-rbac-forbidden" });
  },
  expect: { verdict: "broken", roots: ["controller-rbac-forbidden"] },
  mends: true,
});
