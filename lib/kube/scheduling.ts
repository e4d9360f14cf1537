/** Why no node takes a pod, from the scheduler's message. */
export interface SchedulingFailure {
  /** Taints that nobody but the nodes' owner puts there; a pod may be allowed to tolerate them. */
  readonly taints: readonly { readonly key: string; readonly value: string }[];
  /** Whether nodes carry taints that the message doesn't name, as schedulers of Kubernetes 1.36 have it: any of these may be meant. */
  readonly unnamedTaint: boolean;
  /** Whether nodes are starting, stopping or unwell, which their taints say too. */
  readonly nodesNotReady: boolean;
  readonly selector: boolean;
  /** What nodes have too little of: `cpu`, `memory`, or `pods` where they are full. */
  readonly lacking: readonly string[];
  readonly ports: boolean;
}

/** Taints by which Kubernetes, a cloud or a network plugin keeps pods off a node that can't run them. */
const temporary =
  /^(?:node\.(?:kubernetes\.io|cloudprovider\.kubernetes\.io|cilium\.io)\/|karpenter\.sh\/|ToBeDeletedByClusterAutoscaler|DeletionCandidateOfClusterAutoscaler)|agent-not-ready|startup-taint/;
const controlPlane = /^node-role\.kubernetes\.io\/(?:control-plane|master)$/;

export function readScheduling(message: string): SchedulingFailure {
  // What follows is about pods that could be evicted, in the same words.
  const [reasons = ""] = message.split(" preemption:");
  const all = [...reasons.matchAll(/taint(?:\(s\))? \{(?<key>[^:}]+): ?(?<value>[^}]*)\}/g)].map(({ groups }) => ({
    key: groups?.key ?? "",
    value: groups?.value ?? "",
  }));
  const lacking = [...reasons.matchAll(/Insufficient ([\w./-]+)/g)].map((match) => (match[1] as string).replace(/\.$/, ""));
  const full = /Too many pods/.test(reasons) ? ["pods"] : [];
  const others = all.filter(({ key }) => !temporary.test(key) && !controlPlane.test(key));
  const selector = /didn't match (?:Pod's )?node (?:affinity|selector)/.test(reasons);
  const ports = /didn't have free ports/.test(reasons);
  const nodesNotReady = all.some(({ key }) => temporary.test(key)) || /node\(s\) (?:were unschedulable|were not ready)/.test(reasons);
  // Control-plane nodes are kept free on purpose, unless there are no others.
  const onlyControlPlane = others.length === 0 && lacking.length === 0 && full.length === 0 && !selector && !ports && !nodesNotReady;
  return {
    taints: onlyControlPlane ? all : others,
    unnamedTaint: /taint\(s\)(?! \{)/.test(reasons),
    nodesNotReady,
    selector,
    lacking: [...new Set([...lacking, ...full])],
    ports,
  };
}
