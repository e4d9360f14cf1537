/** Where a kind lives in the API. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  /** Plural, as in URLs and RBAC rules. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const resource = (group: string, version: string, plural: string, kind: string, namespaced = true): Resource => ({ group, version, plural, kind, namespaced });

/** The kinds that the product reads, by plural. */
export const resources = {
  pods: resource("", "v1", "pods", "Pod"),
  services: resource("", "v1", "services", "Service"),
  secrets: resource("", "v1", "secrets", "Secret"),
  events: resource("", "v1", "events", "Event"),
  nodes: resource("", "v1", "nodes", "Node", false),
  namespaces: resource("", "v1", "namespaces", "Namespace", false),
  deployments: resource("apps", "v1", "deployments", "Deployment"),
  daemonsets: resource("apps", "v1", "daemonsets", "DaemonSet"),
  endpointslices: resource("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice"),
  networkpolicies: resource("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy"),
  ciliumnetworkpolicies: resource("cilium.io", "v2", "ciliumnetworkpolicies", "CiliumNetworkPolicy"),
  ciliumclusterwidenetworkpolicies: resource("cilium.io", "v2", "ciliumclusterwidenetworkpolicies", "CiliumClusterwideNetworkPolicy", false),
  caliconetworkpolicies: resource("crd.projectcalico.org", "v1", "networkpolicies", "NetworkPolicy"),
  globalnetworkpolicies: resource("crd.projectcalico.org", "v1", "globalnetworkpolicies", "GlobalNetworkPolicy", false),
  jobs: resource("batch", "v1", "jobs", "Job"),
  clusterserviceversions: resource("operators.coreos.com", "v1alpha1", "clusterserviceversions", "ClusterServiceVersion"),
  leases: resource("coordination.k8s.io", "v1", "leases", "Lease"),
  roles: resource("rbac.authorization.k8s.io", "v1", "roles", "Role"),
  rolebindings: resource("rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding"),
  clusterroles: resource("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", false),
  clusterrolebindings: resource("rbac.authorization.k8s.io", "v1", "clusterrolebindings", "ClusterRoleBinding", false),
  customresourcedefinitions: resource("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", false),
  validatingwebhookconfigurations: resource("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false),
  mutatingwebhookconfigurations: resource("admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", false),
  apiservices: resource("apiregistration.k8s.io", "v1", "apiservices", "APIService", false),
  selfsubjectaccessreviews: resource("authorization.k8s.io", "v1", "selfsubjectaccessreviews", "SelfSubjectAccessReview", false),
  certificaterequests: resource("cert-manager.io", "v1", "certificaterequests", "CertificateRequest"),
  certificates: resource("cert-manager.io", "v1", "certificates", "Certificate"),
  issuers: resource("cert-manager.io", "v1", "issuers", "Issuer"),
  clusterissuers: resource("cert-manager.io", "v1", "clusterissuers", "ClusterIssuer", false),
  orders: resource("acme.cert-manager.io", "v1", "orders", "Order"),
  challenges: resource("acme.cert-manager.io", "v1", "challenges", "Challenge"),
} as const satisfies Record<string, Resource>;

/** The six kinds of cert-manager (catalogue 0.4), in the order in which they are shown. */
export const certManagerResources = [
  resources.certificaterequests,
  resources.certificates,
  resources.challenges,
  resources.clusterissuers,
  resources.issuers,
  resources.orders,
] as const;

/** Policies of network plugins' own kinds. A cluster without the plugin doesn't serve them. */
export const pluginPolicies = [
  resources.ciliumnetworkpolicies,
  resources.ciliumclusterwidenetworkpolicies,
  resources.caliconetworkpolicies,
  resources.globalnetworkpolicies,
] as const;

/** Kinds of plugins and operators, which aren't served where there is none. */
export const optionalResources = [...pluginPolicies, resources.clusterserviceversions] as const;

/** A CRD's name: `certificates.cert-manager.io`. */
export function crdName(of: Resource): string {
  return `${of.plural}.${of.group}`;
}

/** The URL path of a resource's collection, e.g. `/apis/apps/v1/namespaces/x/deployments`. */
export function collectionPath(of: Resource, namespace?: string): string {
  const root = of.group === "" ? `/api/${of.version}` : `/apis/${of.group}/${of.version}`;
  return namespace ? `${root}/namespaces/${encodeURIComponent(namespace)}/${of.plural}` : `${root}/${of.plural}`;
}
