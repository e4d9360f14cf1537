/**
 * The parts of Kubernetes objects that the product reads. Values come from the API as they are, so every
 * field that the API may leave out is optional here.
 */
export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly { kind: string; name: string; uid?: string }[];
  readonly managedFields?: readonly { manager?: string; operation?: string; time?: string; fieldsV1?: unknown }[];
}

export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Metadata;
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { name?: string; containerPort: number; hostPort?: number }[];
  readonly readinessProbe?: { readonly httpGet?: { readonly port?: number | string } };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly nodeName?: string;
  readonly volumes?: readonly { readonly name: string; readonly secret?: { readonly secretName?: string } }[];
  readonly priorityClassName?: string;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly hostNetwork?: boolean;
  readonly serviceAccountName?: string;
  readonly imagePullSecrets?: readonly { name: string }[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly { readonly key?: string; readonly operator?: string; readonly value?: string; readonly effect?: string }[];
}

export interface ContainerState {
  readonly waiting?: { reason?: string; message?: string };
  readonly running?: { startedAt?: string };
  readonly terminated?: { reason?: string; message?: string; exitCode?: number; finishedAt?: string };
}

export interface ContainerStatus {
  readonly name: string;
  readonly image?: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

export interface Pod extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: {
    phase?: string;
    conditions?: readonly Condition[];
    containerStatuses?: readonly ContainerStatus[];
    podIP?: string;
  };
}

export interface Node extends KubeObject {
  readonly spec?: { readonly providerID?: string };
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
}

export interface NetworkPolicyPeer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

export interface NetworkPolicyRule {
  readonly from?: readonly NetworkPolicyPeer[];
  readonly ports?: readonly { readonly protocol?: string; readonly port?: number | string; readonly endPort?: number }[];
}

export interface NetworkPolicy extends KubeObject {
  readonly spec?: {
    readonly podSelector?: LabelSelector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly NetworkPolicyRule[];
    readonly egress?: readonly unknown[];
  };
}

export interface Deployment extends KubeObject {
  readonly spec: {
    replicas?: number;
    paused?: boolean;
    selector?: { matchLabels?: Record<string, string> };
    template: { metadata?: Partial<Metadata>; spec: PodSpec };
  };
  readonly status?: { replicas?: number; readyReplicas?: number; updatedReplicas?: number; conditions?: readonly Condition[] };
}

/** Kubernetes' selector of objects by their labels. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
}

export interface WebhookRule {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly operations?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
}

export interface Job extends KubeObject {
  readonly status?: { active?: number; failed?: number; succeeded?: number; startTime?: string; conditions?: readonly Condition[] };
}

/** What OLM is to install and how far it has come. */
export interface ClusterServiceVersion extends KubeObject {
  readonly status?: { phase?: string; reason?: string; message?: string; lastTransitionTime?: string };
}

export interface WebhookEntry {
  readonly name: string;
  readonly clientConfig: {
    caBundle?: string;
    url?: string;
    service?: { namespace: string; name: string; path?: string; port?: number };
  };
  readonly rules?: readonly WebhookRule[];
  readonly failurePolicy?: string;
  readonly timeoutSeconds?: number;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly matchConditions?: readonly { readonly name: string; readonly expression?: string }[];
}

export interface WebhookConfiguration extends KubeObject {
  readonly kind: "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration";
  readonly webhooks?: readonly WebhookEntry[];
}

export interface Service extends KubeObject {
  readonly spec?: {
    type?: string;
    clusterIP?: string;
    selector?: Readonly<Record<string, string>>;
    ports?: readonly { name?: string; port: number; targetPort?: number | string }[];
  };
}

export interface EndpointSlice extends KubeObject {
  readonly endpoints?: readonly { addresses?: readonly string[]; conditions?: { ready?: boolean }; targetRef?: { kind?: string; name?: string } }[] | null;
  readonly ports?: readonly { name?: string; port?: number }[] | null;
}

export interface Lease extends KubeObject {
  readonly spec?: { holderIdentity?: string; renewTime?: string; acquireTime?: string; leaseDurationSeconds?: number };
}

export interface Event extends KubeObject {
  readonly involvedObject: { kind?: string; namespace?: string; name?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
}

export interface Role extends KubeObject {
  readonly rules?: readonly { apiGroups?: readonly string[]; resources?: readonly string[]; verbs?: readonly string[]; resourceNames?: readonly string[] }[];
}

export interface RoleBinding extends KubeObject {
  readonly roleRef: { kind: string; name: string };
  readonly subjects?: readonly { kind: string; name: string; namespace?: string }[];
}

export interface CustomResourceDefinition extends KubeObject {
  readonly spec?: {
    readonly names?: { readonly kind?: string };
    readonly versions?: readonly { readonly name?: string; readonly served?: boolean; readonly storage?: boolean }[];
    readonly conversion?: {
      readonly strategy?: string;
      readonly webhook?: { readonly clientConfig?: WebhookEntry["clientConfig"] };
    };
  };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly storedVersions?: readonly string[] };
}

export interface ApiService extends KubeObject {
  readonly spec?: {
    readonly group?: string;
    readonly version?: string;
    readonly caBundle?: string;
    readonly service?: { readonly namespace?: string; readonly name?: string; readonly port?: number } | null;
  };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface Certificate extends KubeObject {
  readonly spec?: { readonly secretName?: string; readonly issuerRef?: { readonly kind?: string; readonly name?: string } };
  readonly status?: { readonly conditions?: readonly Condition[] };
}
