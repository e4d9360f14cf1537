import { isApiServer, isTunnelAgent } from "../kube/control-plane.ts";
import { resources } from "../kube/resources.ts";
import { isStrangerMet, isWayBlocked } from "../kube/way-blocked.ts";
import type { Container, Pod } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const namespace = "kube-system";
const atMost = 100;
const timeoutMs = 5_000;
/** kubeadm's API servers, and agents as Kubernetes' own manifests, GKE and AKS label them. */
const selectors = ["component in (kube-apiserver,tunnel)", "k8s-app=konnectivity-agent", "app=konnectivity-agent"];

export default defineGatherer({
  fact: "controlPlanePods",
  rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["list"], in: "cluster" }],
  needs: [],
  uses: ["apiProbe", "reportedErrors"],
  async gather(cluster, told) {
    if (!isWayBlocked(told) && !isStrangerMet(told)) return new NotAsked("way-open");
    const lists = await Promise.all(
      selectors.map((labelSelector) => cluster.list<Pod>(resources.pods, { namespace, labelSelector, limit: atMost, timeoutMs })),
    );
    const byName = new Map(lists.flatMap(({ items }) => items).map((pod) => [pod.metadata.name, pod]));
    return [...byName.values()]
      .filter((pod) => isApiServer(pod) || isTunnelAgent(pod))
      .map((pod) => tidy({ ...pod, spec: { ...pod.spec, containers: pod.spec.containers.map(withProxiesOnly) } }));
  },
});

/** Of a container's environment only what says which way it calls, without the password of a proxy (security.md 6). */
function withProxiesOnly({ env = [], ...container }: Container): Container {
  const proxies = env.filter(({ name }) => /^(?:https?|no|all)_proxy$/i.test(name));
  return { ...container, env: proxies.map(({ name, value }) => ({ name, ...(value ? { value: value.replace(/\/\/[^/@]*@/, "//") } : {}) })) };
}
