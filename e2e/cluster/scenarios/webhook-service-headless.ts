import { stringify } from "yaml";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the webhook's Service was made anew without an address of its own",
  from: "healthy",
  async fault(cluster) {
    const { apiVersion, kind, metadata, spec } = JSON.parse(await cluster.run("kubectl -n cert-manager get service cert-manager-webhook -o json"));
    const { name, namespace, labels, annotations } = metadata;
    const headless = {
      apiVersion,
      kind,
      metadata: { name, namespace, labels, annotations },
      spec: { clusterIP: "None", selector: spec.selector, ports: spec.ports },
    };
    await cluster.run(`kubectl -n cert-manager delete service cert-manager-webhook && kubectl create -f - <<'EOF'\n${stringify(headless)}EOF`);
    await cluster.untilRefusing();
    await cluster.failsToCreateIssuer("webhook-service-port-mismatch");
  },
  expect: { verdict: "broken", roots: ["webhook-service-port-mismatch"], explains: ["api-probe-failing"] },
  mends: true,
});
