import { stringify } from "yaml";
import { addresses, nodeName } from "./layout.ts";

/** Images of registries that don't answer, and the words of the container runtime about each (catalogue 1.12). */
export const badImages = {
  "registry.unreachable.test/": (image: string) =>
    `failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to do request: Head "https://registry.unreachable.test/v2/": dial tcp: lookup registry.unreachable.test: no such host`,
  "registry.private.test/": (image: string) =>
    `failed to pull and unpack image "${image}": failed to resolve reference "${image}": pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`,
  "registry.empty.test/": (image: string) => `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
} as const;

/** cert-manager's images, as the chart names them below a registry and namespace. */
const components = ["controller", "webhook", "cainjector", "startupapicheck"] as const;

interface StageRule {
  readonly name: string;
  readonly kind: "Pod" | "Node";
  /** jq over the object; all must be true. */
  readonly when: readonly string[];
  readonly next: object;
  readonly delayMs?: number;
}

const alive = ".metadata.deletionTimestamp == null";
const scheduled = '(.spec.nodeName // "") != ""';
const untouched = '(.status.phase // "Pending") == "Pending" and (.status.containerStatuses // []) == []';
const waitingFor = (reason: string) => `any(.status.containerStatuses[]?; .state.waiting.reason == "${reason}")`;
const usesImage = (prefix: string) => `any(.spec.containers[]; .image | startswith("${prefix}"))`;

const podIdentity = `
{{ $hostIPs := NodeIPsWith .spec.nodeName }}
hostIP: {{ index $hostIPs 0 | Quote }}
hostIPs:
- ip: {{ index $hostIPs 0 | Quote }}
{{ $podIPs := PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) }}
podIP: {{ index $podIPs 0 | Quote }}
podIPs:
- ip: {{ index $podIPs 0 | Quote }}
startTime: {{ Now | Quote }}
`;

function conditions(ready: string): string {
  const condition = (type: string, status: string, reason = "") =>
    `- {type: ${type}, status: "${status}", lastTransitionTime: {{ Now | Quote }}${reason ? `, reason: ${reason}` : ""}}`;
  return [
    "conditions:",
    condition("PodReadyToStartContainers", "True"),
    condition("Initialized", "True"),
    `${ready}`,
    `{{ if $ready }}`,
    condition("Ready", "True"),
    condition("ContainersReady", "True"),
    `{{ else }}`,
    condition("Ready", "False", "ContainersNotReady"),
    condition("ContainersReady", "False", "ContainersNotReady"),
    `{{ end }}`,
    condition("PodScheduled", "True"),
  ].join("\n");
}

/** Containers run at once; those with a readiness probe become ready when the kubelet stand-in says so. */
const runs = `
{{ $ready := true }}
{{ range .spec.containers }}{{ if .readinessProbe }}{{ $ready = false }}{{ end }}{{ end }}
phase: Running
${conditions("")}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: {{ .image | Quote }}
  ready: {{ if .readinessProbe }}false{{ else }}true{{ end }}
  started: true
  restartCount: 0
  state: {running: {startedAt: {{ Now | Quote }}}}
{{ end }}
${podIdentity}
`;

const waits = (reason: string, message: string) => `
{{ $ready := false }}
phase: Pending
${conditions("")}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: false
  started: false
  restartCount: 0
  state: {waiting: {reason: ${reason}, message: ${JSON.stringify(message)}}}
{{ end }}
${podIdentity}
`;

/** A kubelet pulls, fails, backs off; each step with its event. */
function imagePull(prefix: string, component: string, version: string, words: (image: string) => string): readonly StageRule[] {
  const image = `${prefix}jetstack/cert-manager-${component}:${version}`;
  const id = `${prefix.split(".")[1]}-${component}`;
  const error = words(image);
  const failed = `Failed to pull image "${image}": ${error}`;
  const here = [alive, scheduled, usesImage(image)];
  const event = (type: string, reason: string, message: string) => ({ event: { type, reason, message } });
  const to = (reason: string, message: string, told: object) => ({ statusTemplate: waits(reason, message), ...told });
  return [
    {
      name: `${id}-pulling`,
      kind: "Pod",
      when: [...here, untouched],
      next: to("ContainerCreating", "", event("Normal", "Pulling", `Pulling image "${image}"`)),
    },
    {
      name: `${id}-pull-failed`,
      kind: "Pod",
      when: [...here, waitingFor("ContainerCreating")],
      next: to("ErrImagePull", error, event("Warning", "Failed", failed)),
    },
    {
      name: `${id}-back-off`,
      kind: "Pod",
      when: [...here, waitingFor("ErrImagePull")],
      next: to(
        "ImagePullBackOff",
        `Back-off pulling image "${image}": ErrImagePull: ${error}`,
        event("Normal", "BackOff", `Back-off pulling image "${image}"`),
      ),
    },
  ];
}

function rules(chartVersion: string): readonly StageRule[] {
  const bad = Object.keys(badImages);
  return [
    {
      name: "node-ready",
      kind: "Node",
      when: ['any(.status.conditions[]?; .type == "Ready" and .status == "True") | not'],
      next: { statusTemplate: nodeStatus },
    },
    {
      name: "pod-runs",
      kind: "Pod",
      when: [alive, scheduled, untouched, ...bad.map((prefix) => `${usesImage(prefix)} | not`)],
      next: { statusTemplate: runs },
    },
    { name: "pod-goes", kind: "Pod", when: [".metadata.deletionTimestamp != null"], next: { finalizers: { empty: true }, delete: true } },
    ...Object.entries(badImages).flatMap(([prefix, words]) => components.flatMap((component) => imagePull(prefix, component, chartVersion, words))),
  ];
}

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

/** KWOK's configuration: it keeps the node alive and plays a kubelet's part for every pod on it. */
export function kwokConfig(chartVersion: string): string {
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
  const stages = rules(chartVersion).map(({ name, kind, when, next, delayMs }) => ({
    apiVersion: "kwok.x-k8s.io/v1alpha1",
    kind: "Stage",
    metadata: { name },
    spec: {
      resourceRef: { apiGroup: "v1", kind },
      selector: { matchExpressions: when.map((expression) => ({ key: `${expression} | tostring`, operator: "In", values: ["true"] })) },
      ...(delayMs ? { delay: { durationMilliseconds: delayMs } } : {}),
      next,
    },
  }));
  return [options, ...stages].map((document) => stringify(document)).join("---\n");
}

/** The one node, as a kubelet registers it. */
export const node = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: nodeName, labels: { "kubernetes.io/hostname": nodeName, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64" } },
  spec: { podCIDR: addresses.pods },
};
