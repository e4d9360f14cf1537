import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the API server has a proxy in its environment, which opens TLS with a CA of its own",
  from: "healthy",
  async fault(cluster) {
    await cluster.apply({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "kube-apiserver-control-plane-0", namespace: "kube-system", labels: { component: "kube-apiserver", tier: "control-plane" } },
      spec: {
        nodeSelector: { "example.com/pool": "none" },
        containers: [
          {
            name: "kube-apiserver",
            image: "registry.k8s.io/kube-apiserver:v1.36.3",
            env: [
              { name: "HTTPS_PROXY", value: "http://user:password@proxy.example.com:3128" },
              { name: "NO_PROXY", value: "localhost,127.0.0.1,10.0.0.0/8" },
            ],
          },
        ],
      },
    });
    const ca = await cluster.certificate("--ca", "--name", "Example Corp TLS Inspection");
    const name = "cert-manager-webhook.cert-manager.svc";
    const certificate = await cluster.certificate("--name", name, "--hosts", name, "--issuer", JSON.stringify(ca));
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "certificate", ...certificate });
  },
  // The environment tells what the certificate alone doesn't, to an account that may not read the webhook's CA.
  expect: { verdict: "broken", roots: ["apiserver-egress-proxy"], explains: ["api-probe-failing"] },
});
