import { stringify } from "yaml";
import { addresses, nodeName, podPrefix } from "./layout.ts";

interface StageRule {
  readonly name: string;
  readonly kind: "Pod" | "Node";
  /** jq over the object; all must be true. */
  readonly when: readonly string[];
  readonly next: object;
}

const alive = ".metadata.deletionTimestamp == null";
const scheduled = '(.spec.nodeName // "") != ""';
const untouched = '(.status.phase // "Pending") == "Pending" and (.status.containerStatuses // []) == []';

/** KWOK would give away addresses of pods that a restored state brings back; a revision is no other pod's. */
const revision = "(int64 .metadata.resourceVersion)";
const ownAddress = `printf "${podPrefix}.%d.%d" (mod (div ${revision} 250) 256) (add 1 (mod ${revision} 250))`;

/** A sandbox for the pod: its images are pulled, and its containers run, by the kubelet's other half. */
const podCreated = `
phase: Pending
conditions:
- {type: PodReadyToStartContainers, status: "True", lastTransitionTime: {{ Now | Quote }}}
- {type: Initialized, status: "True", lastTransitionTime: {{ Now | Quote }}}
- {type: Ready, status: "False", reason: ContainersNotReady, lastTransitionTime: {{ Now | Quote }}}
- {type: ContainersReady, status: "False", reason: ContainersNotReady, lastTransitionTime: {{ Now | Quote }}}
- {type: PodScheduled, status: "True", lastTransitionTime: {{ Now | Quote }}}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: false
  started: false
  restartCount: 0
  state: {waiting: {reason: ContainerCreating}}
{{ end }}
{{ $hostIPs := NodeIPsWith .spec.nodeName }}
hostIP: {{ index $hostIPs 0 | Quote }}
hostIPs:
- ip: {{ index $hostIPs 0 | Quote }}
{{ $podIP := index $hostIPs 0 }}
{{ if not .spec.hostNetwork }}{{ $podIP = ${ownAddress} }}{{ end }}
podIP: {{ $podIP | Quote }}
podIPs:
- ip: {{ $podIP | Quote }}
startTime: {{ Now | Quote }}
`;

const nodeStatus = `
phase: Running
conditions:
{{ range NodeConditions }}
- {type: {{ .type | Quote }}, status: {{ .status | Quote }}, reason: {{ .reason | Quote }}, message: {{ .message | Quote }}, lastHeartbeatTime: {{ Now | Quote }}, lastTransitionTime: {{ Now | Quote }}}
{{ end }}
addresses:
- {type: InternalIP, address: ${addresses.node}}
- {type: Hostname, address: ${nodeName}}
daemonEndpoints: {kubeletEndpoint: {Port: ${addresses.kubeletPort}}}
allocatable: {cpu: "4", memory: 8Gi, pods: "110"}
capacity: {cpu: "4", memory: 8Gi, pods: "110"}
nodeInfo:
  architecture: amd64
  operatingSystem: linux
  kubeletVersion: {{ printf "kwok-%s" Version | Quote }}
  kubeProxyVersion: {{ printf "kwok-%s" Version | Quote }}
  containerRuntimeVersion: {{ printf "kwok-%s" Version | Quote }}
  kernelVersion: {{ printf "kwok-%s" Version | Quote }}
  osImage: kwok
  bootID: ""
  machineID: ""
  systemUUID: ""
`;

const stages: readonly StageRule[] = [
  {
    name: "node-ready",
    kind: "Node",
    when: ['any(.status.conditions[]?; .type == "Ready" and .status == "True") | not'],
    next: { statusTemplate: nodeStatus },
  },
  { name: "pod-created", kind: "Pod", when: [alive, scheduled, untouched], next: { statusTemplate: podCreated } },
  { name: "pod-goes", kind: "Pod", when: [".metadata.deletionTimestamp != null"], next: { finalizers: { empty: true }, delete: true } },
];

/** KWOK's configuration: it keeps the node alive, gives pods their addresses and lets them go. */
export function kwokConfig(): string {
  const options = {
    apiVersion: "config.kwok.x-k8s.io/v1alpha1",
    kind: "KwokConfiguration",
    options: {
      manageAllNodes: true,
      cidr: addresses.pods,
      nodeIP: addresses.node,
      enableDebuggingHandlers: false,
      podPlayStageParallelism: 4,
      nodePlayStageParallelism: 2,
      nodeLeaseParallelism: 2,
      nodeLeaseDurationSeconds: 40,
      podsOnNodeSyncParallelism: 2,
    },
  };
  const documents = stages.map(({ name, kind, when, next }) => ({
    apiVersion: "kwok.x-k8s.io/v1alpha1",
    kind: "Stage",
    metadata: { name },
    spec: {
      resourceRef: { apiGroup: "v1", kind },
      selector: { matchExpressions: when.map((expression) => ({ key: `${expression} | tostring`, operator: "In", values: ["true"] })) },
      next,
    },
  }));
  return [options, ...documents].map((document) => stringify(document)).join("---\n");
}

/** The one node, as a kubelet registers it. */
export const node = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: nodeName, labels: { "kubernetes.io/hostname": nodeName, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64" } },
  spec: { podCIDR: addresses.pods },
};
