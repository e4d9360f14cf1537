import { stripVTControlCharacters } from "node:util";
import { componentOf, ownContainer } from "../kube/install.ts";
import { isPodReady, waitsForImage } from "../kube/readiness.ts";
import type { Pod } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";

const tailLines = 120;
const atMost = 8;
const timeoutMs = 5_000;

/** The order in which logs of components that run are worth reading. */
const telling = ["webhook", "cainjector", "controller"] as const;

export default defineGatherer({
  fact: "logs",
  rules: [{ apiGroups: [""], resources: ["pods/log"], verbs: ["get"], in: "install" }],
  needs: ["pods"],
  uses: [],
  async gather(cluster, { pods }) {
    if (pods.length === 0) return new NotAsked("nothing-installed");
    const running = telling.flatMap((component) => pods.filter((pod) => componentOf(pod, pod.spec.containers) === component).flatMap(runningLog));
    const wanted = [...pods.flatMap(failureLogs), ...running].slice(0, atMost);
    const texts = await Promise.all(wanted.map(async (of) => ({ of, text: await cluster.log({ ...of, tailLines }, timeoutMs) })));
    return texts.flatMap(({ of, text }) => (text === null ? [] : { ...of, lines: stripVTControlCharacters(text).split("\n").filter(Boolean) }));
  },
});

/** Containers that crashed, of which the earlier run tells, and those that run unready. */
function failureLogs(pod: Pod) {
  if (waitsForImage(pod)) return [];
  return (pod.status?.containerStatuses ?? []).flatMap((status) => {
    const of = { namespace: pod.metadata.namespace ?? "", pod: pod.metadata.name, container: status.name };
    if (status.state?.waiting?.reason === "CrashLoopBackOff" || (!status.ready && status.lastState?.terminated)) return [{ ...of, previous: true }];
    return status.state?.running && !isPodReady(pod) ? [{ ...of, previous: false }] : [];
  });
}

/** A component that is ready may still tell of refused calls, or of what it isn't allowed to do. */
function runningLog(pod: Pod) {
  const container = ownContainer(pod.spec.containers)?.name;
  const runs = isPodReady(pod) && pod.status?.containerStatuses?.some((status) => status.name === container && status.state?.running);
  return container && runs ? [{ namespace: pod.metadata.namespace ?? "", pod: pod.metadata.name, container, previous: false }] : [];
}
