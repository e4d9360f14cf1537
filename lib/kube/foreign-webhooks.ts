/** Products whose webhooks are often mistaken for cert-manager's, by the webhook's name or the Service that is called. */
const products: readonly (readonly [product: string, hook: RegExp | null, service: RegExp | null])[] = [
  ["trust-manager", /^trust\.cert-manager\.io$/, /^trust-manager/],
  ["approver-policy", /^policy\.cert-manager\.io$/, /approver-policy/],
  ["ingress-nginx", /\.nginx\.ingress\.kubernetes\.io$/, /ingress-nginx|nginx-ingress/],
  ["NGINX Ingress Controller", /\.(?:appprotect|nginx)\.f5\.com$|\.k8s\.nginx\.org$/, null],
  ["Kyverno", /kyverno/, /^kyverno/],
  ["Gatekeeper", /\.gatekeeper\.sh$/, /gatekeeper/],
  ["Istio", /\.istio\.io$/, /^istiod|^istio-/],
  ["Linkerd", /\.linkerd\.io$/, /^linkerd-/],
  ["Prometheus Operator", /monitoring\.coreos\.com$/, /prometheus-operator|kube-prometheus/],
  ["Rancher", /\.cattle\.io(?:\.|$)/, /^rancher-webhook/],
  ["AWS Load Balancer Controller", /\.elbv2\.k8s\.aws$/, /aws-load-balancer/],
  ["Karpenter", /\.karpenter\.(?:sh|k8s\.aws)$/, /^karpenter/],
  ["OpenTelemetry Operator", /(?:instrumentation|opentelemetrycollector\w*|opampbridge|targetallocator)\.kb\.io$|opentelemetry/, /opentelemetry/],
  ["MetalLB", /metallb/, /metallb/],
  ["Elastic Cloud on Kubernetes", /\.k8s\.elastic\.co$|^elastic-/, /^elastic-(?:webhook|operator)/],
  ["CloudNativePG", /cnpg\.io$/, /^cnpg-/],
  ["Actions Runner Controller", /actions\.summerwind\.dev$|runner(?:deployment|set|replicaset)?\.actions/, /actions-runner/],
  ["Cluster API", /cluster\.x-k8s\.io$/, /^cap[a-z]+-.*webhook-service$/],
  ["Knative", /\.knative\.dev$/, /^(?:net-\w+-|eventing-|domainmapping-)?webhook$/],
  ["Tekton", /\.tekton\.dev$/, /^tekton-/],
  ["Argo", /argoproj\.io$/, /^argo/],
  ["Flux", /\.fluxcd\.io$/, /^flux-/],
  ["Vault Agent Injector", /^vault\.hashicorp\.com$/, /vault-agent-injector/],
  ["Consul", /\.consul\.hashicorp\.com$/, /^consul-/],
  ["External Secrets", /external-secrets\.io$/, /external-secrets/],
  ["KubeVirt", /kubevirt\.io$/, /^virt-/],
  ["Longhorn", /longhorn\.io$/, /^longhorn-/],
  ["Strimzi", /strimzi\.io$/, null],
  ["Crossplane", /crossplane\.io$/, /^crossplane/],
  ["Cilium", /cilium\.io$/, /^cilium/],
  ["Rook", /rook\.io$/, /^rook-/],
  ["Velero", /velero\.io$/, /^velero/],
  ["KEDA", /keda\.sh$/, /^keda-/],
  ["Kueue", /kueue\.x-k8s\.io$|kueue/, /^kueue-/],
  ["Jetstack Secure", /jetstack\.io$/, null],
  ["metrics-server", null, /^metrics-server$/],
];

/** The product that a webhook belongs to, or null where neither its name nor its Service tells. */
export function productOfWebhook({ hook, service }: { readonly hook: string; readonly service?: string }): string | null {
  const byName = products.find(([, name]) => name?.test(hook));
  const found = byName ?? (service === undefined ? undefined : products.find(([, , called]) => called?.test(service)));
  return found?.[0] ?? null;
}
