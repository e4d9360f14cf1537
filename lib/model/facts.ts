import type {
  ApiService,
  Certificate,
  ClusterServiceVersion,
  CustomResourceDefinition,
  Deployment,
  EndpointSlice,
  Event,
  Job,
  KubeObject,
  Lease,
  NetworkPolicy,
  Node,
  Pod,
  Role,
  RoleBinding,
  Service,
  WebhookConfiguration,
} from "./kubernetes.ts";
import type { ObjectRef } from "./object-ref.ts";

/** One RBAC rule, in the words of a Role. `in` says which namespaces it is needed in. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly in: "cluster" | "install" | "leader-election" | "probe";
}

/** The result of asking for one object by name: `object` is null where the API server says that it doesn't exist. */
export interface Lookup<T> {
  readonly ref: ObjectRef;
  readonly object: T | null;
}

/** What a certificate says, in plain values. Times are RFC 3339; `fingerprint` is SHA-256 over the DER form. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly isCa: boolean;
  readonly dnsNames: readonly string[];
  readonly fingerprint: string;
}

/** The public half of the webhook's CA Secret. Keys never leave the gatherer (security.md 1). */
export interface CaSecret extends KubeObject {
  /** The certificates of `ca.crt`, or null where that key is absent or isn't PEM. */
  readonly caCertificates: readonly CertificateFacts[] | null;
  /** Why the webhook makes a new CA rather than use this one, as far as the Secret was handed out; null where nothing is wrong with it. */
  readonly flaw: CaFlaw | null;
}

/**
 * What makes the webhook's CA Secret useless: a part that is absent, other content in `ca.crt` than in `tls.crt`, none that can be
 * read, the key of another certificate, or a certificate that is no CA.
 */
export type CaFlaw = "absent" | "different" | "unreadable" | "other-key" | "no-ca";

/** One entry of a webhook registration's caBundle, decoded: null where it isn't PEM, [] where it is empty. */
export interface WebhookRegistration {
  readonly configuration: WebhookConfiguration;
  /** In the order of `configuration.webhooks`. */
  readonly caBundles: readonly (readonly CertificateFacts[] | null)[];
}

/** What the API server answered to one dry-run create (catalogue 1.11). */
export type ProbeAnswer =
  | { readonly accepted: true; readonly username: string; readonly durationMs: number }
  | { readonly accepted: false; readonly code: number; readonly reason: string; readonly message: string; readonly durationMs: number };

export interface ApiProbe {
  readonly namespace: string;
  /** The well-formed CertificateRequest: accepted with a user name filled in where admission works. */
  readonly valid: ProbeAnswer;
  /** The malformed one, which the validating webhook must refuse; null where the first was refused already, unless its call failed and this one's was answered. */
  readonly invalid: ProbeAnswer | null;
}

export interface ContainerLog {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly previous: boolean;
  /** The last lines, oldest first, without ANSI sequences. */
  readonly lines: readonly string[];
}

export interface HelmRelease {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  readonly status: string;
}

export interface InstanceCount {
  readonly crd: string;
  /** An estimate where the API server counts for us (catalogue 0.7.15). */
  readonly count: number;
}

/** A Job of the chart that checks the API after an install, and that hasn't completed, with what is left of it. */
export interface StartupCheck {
  readonly job: Job;
  readonly pods: readonly Pod[];
  /** Warning events about the Job itself, such as pods that were refused. */
  readonly events: readonly Event[];
  readonly logs: readonly ContainerLog[];
}

/** Something of another product that waits for a CA from cainjector, and where that is to come from. */
export interface InjectionSource {
  readonly target: KubeObject & { readonly kind: string };
  /** The namespace of the Service that it calls. */
  readonly namespace?: string;
  readonly certificate?: Lookup<Certificate>;
  /** Metadata only; absent where Secrets may not be read. */
  readonly secret?: Lookup<KubeObject>;
}

/** Every fact of a checkup, by name. A fact holds ordinary Kubernetes objects wherever one is shown as evidence. */
export interface FactValues {
  /** The API server's version, e.g. `v1.36.3`. */
  version: { readonly gitVersion: string };
  /** Deployments of cert-manager's three components, in all namespaces (catalogue 0.1). */
  deployments: readonly Deployment[];
  /** Pods of those components. */
  pods: readonly Pod[];
  /** All registrations of admission webhooks, everybody's. */
  admission: readonly WebhookConfiguration[];
  /** Those among them whose rules name cert-manager's API groups. */
  webhooks: readonly WebhookRegistration[];
  /** The six CRDs (catalogue 0.4), metadata only. */
  crds: readonly Lookup<KubeObject>[];
  /** Those that may differ from what releases since 1.7 have, in full but for their schemas. */
  crdDetails: readonly Lookup<CustomResourceDefinition>[];
  /** APIs that other servers answer for: cert-manager's from before 0.14, those that cainjector fills in, and those that aren't available. */
  apiServices: readonly ApiService[];
  /** The Services that the API server calls for cert-manager's webhooks, and those that the installs would bring. */
  webhookServices: readonly Lookup<Service>[];
  /** EndpointSlices of those Services. */
  endpointSlices: readonly EndpointSlice[];
  /** The webhook's CA Secret of each install that makes its own CA. */
  caSecrets: readonly Lookup<CaSecret>[];
  /** The leader-election leases of cainjector and controller. */
  leases: readonly Lookup<Lease>[];
  /** Warning events in the namespaces of the components. */
  events: readonly Event[];
  /** Image pull Secrets that the components' pods name, metadata only. */
  imagePullSecrets: readonly Lookup<KubeObject>[];
  /** The ends of the logs of the components, of the run before where one crashed; sidecars only where they fail. */
  logs: readonly ContainerLog[];
  /** Roles and RoleBindings in the leader-election namespaces. */
  leaseRoles: { readonly roles: readonly Role[]; readonly bindings: readonly RoleBinding[] };
  /** The installs' namespaces and those that the API check asks in, metadata only. */
  namespaces: readonly Lookup<KubeObject>[];
  /** Roles and ClusterRoles of the components' accounts, and what binds them, in the whole cluster and in the namespaces of the installs. */
  componentRoles: { readonly roles: readonly Role[]; readonly bindings: readonly RoleBinding[] };
  /** Up to ten registrations and APIServices of other products that wait for a CA from cainjector. */
  injectionSources: readonly InjectionSource[];
  /** Labels of the nodes that the webhook's pods run on, and whether there are nodes with the names of a certificate that was refused; metadata only. */
  webhookNodes: readonly Lookup<KubeObject>[];
  /** Nodes of the control plane, and up to 100 others: where they run and their addresses. */
  nodes: readonly Node[];
  /** The DaemonSets of the cluster, metadata only: which network plugins it has. */
  daemonSets: readonly KubeObject[];
  /** Pods that make or carry the API server's calls: API servers with their proxy settings, and agents of a tunnel. */
  controlPlanePods: readonly Pod[];
  /** NetworkPolicies in the namespaces of the webhooks. */
  networkPolicies: readonly NetworkPolicy[];
  /** Policies of network plugins' own kinds that may be about the webhooks' pods, metadata only. */
  pluginPolicies: readonly KubeObject[];
  /** How many objects of cert-manager's kinds are stored. */
  instanceCounts: readonly InstanceCount[];
  /** Helm releases that CRDs or registrations say they belong to, from the labels of release Secrets. */
  helmReleases: readonly HelmRelease[];
  /** Deployments of products that decide by who made a CertificateRequest, metadata only. */
  identityReaders: readonly KubeObject[];
  /** What OLM is to install of cert-manager; none where there is no OLM. */
  clusterServiceVersions: readonly ClusterServiceVersion[];
  /** Jobs that check the API after an install and haven't completed. */
  startupChecks: readonly StartupCheck[];
  /** Two dry-run creates of a CertificateRequest. */
  apiProbe: ApiProbe;
  /** What a person pasted, or what came with the snapshot. */
  reportedErrors: readonly string[];
}

export type FactKey = keyof FactValues;

export type MissingReason =
  | "forbidden"
  | "unauthorized"
  | "not-collected"
  | "timeout"
  | "throttled"
  | "server-error"
  | "bad-answer"
  | "not-served"
  | "unreachable";

/**
 * What we know of a fact. `missing` never means absent: it could not be read. `not-asked` means that there
 * was no reason to ask, or nobody to ask.
 */
export type Fact<T> =
  | { readonly state: "known"; readonly value: T }
  | { readonly state: "missing"; readonly reason: MissingReason; readonly detail: string; readonly rule?: Rule }
  | { readonly state: "not-asked"; readonly because: NotAskedBecause }
  | { readonly state: "pending" };

/** Why a fact wasn't asked for. The text is made at the edge, per language. */
export type NotAskedBecause =
  | "nothing-installed"
  | "no-crds"
  | "components-ready"
  | "images-pulled"
  | "leases-held"
  | "no-name-mismatch"
  | "way-open"
  | "crds-owned"
  | "no-operator"
  | "bundles-filled"
  | "registrations-strict"
  | "crds-usual"
  | "snapshot"
  | "other-certificate-source";

export type Facts = { readonly [K in FactKey]: Fact<FactValues[K]> };

/** The values of facts that must be known. */
export type Known<N extends FactKey> = { readonly [K in N]: FactValues[K] };
/** Facts that may be missing. */
export type Maybe<U extends FactKey> = { readonly [K in U]: Fact<FactValues[K]> };

/** The value of a fact that may be missing, or undefined. */
export function knownValue<T>(fact: Fact<T>): T | undefined {
  return fact.state === "known" ? fact.value : undefined;
}
