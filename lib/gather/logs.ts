import { stripVTControlCharacters } from "node:util";
import { componentOf } from "../kube/install.ts";
import { isHeld, isHolder, leaseNames } from "../kube/lease.ts";
import { isPodReady, waitsForImage } from "../kube/readiness.ts";
import type { Fact, Lookup } from "../model/facts.ts";
import { knownValue } from "../model/facts.ts";
import type { Lease, Pod } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";

const tailLines = 120;
const atMost = 6;
const timeoutMs = 5_000;

export default defineGatherer({
  fact: "logs",
  rules: [{ apiGroups: [""], resources: ["pods/log"], verbs: ["get"], in: "install" }],
  needs: ["pods"],
  uses: ["leases"],
  async gather(cluster, { pods, leases }, input) {
    if (pods.length === 0) return new NotAsked("nothing-installed");
    const wanted = pods.flatMap((pod) => logsWorthReading(pod, leases, input.now()));
    if (wanted.length === 0) return new NotAsked("components-ready");
    const texts = await Promise.all(wanted.slice(0, atMost).map(async (of) => ({ of, text: await cluster.log({ ...of, tailLines }, timeoutMs) })));
    return texts.flatMap(({ of, text }) => (text === null ? [] : { ...of, lines: stripVTControlCharacters(text).split("\n").filter(Boolean) }));
  },
});

/** Only containers that may tell why something fails: crashed ones, unready ones, and a cainjector that doesn't lead. */
function logsWorthReading(pod: Pod, leases: Fact<readonly Lookup<Lease>[]>, now: Date) {
  if (waitsForImage(pod)) return [];
  const component = componentOf(pod, pod.spec.containers);
  const namespace = pod.metadata.namespace ?? "";
  return (pod.status?.containerStatuses ?? []).flatMap((status) => {
    const of = { namespace, pod: pod.metadata.name, container: status.name };
    if (status.state?.waiting?.reason === "CrashLoopBackOff" || (!status.ready && status.lastState?.terminated)) return [{ ...of, previous: true }];
    if (status.state?.running && (!isPodReady(pod) || (component === "cainjector" && !leads(pod, leases, now)))) return [{ ...of, previous: false }];
    return [];
  });
}

function leads(pod: Pod, leases: Fact<readonly Lookup<Lease>[]>, now: Date): boolean {
  return (knownValue(leases) ?? []).some(({ ref, object }) => ref.name === leaseNames.cainjector && isHeld(object, now) && isHolder(object, pod));
}
