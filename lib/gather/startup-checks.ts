import { stripVTControlCharacters } from "node:util";
import { ClusterError } from "../cluster/errors.ts";
import type { ClusterReader } from "../cluster/reader.ts";
import { resources } from "../kube/resources.ts";
import { checkContainer, isCompleted, startupCheckSelector } from "../kube/startup-check.ts";
import type { StartupCheck } from "../model/facts.ts";
import type { Event, Job, Pod } from "../model/kubernetes.ts";
import { defineGatherer } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

/** One install has one; a guard against a label that many objects bear. */
const atMost = 2;
const tailLines = 40;
const timeoutMs = 5_000;

export default defineGatherer({
  fact: "startupChecks",
  rules: [
    { apiGroups: ["batch"], resources: ["jobs"], verbs: ["list"], in: "cluster" },
    { apiGroups: [""], resources: ["pods"], verbs: ["list"], in: "install" },
    { apiGroups: [""], resources: ["events"], verbs: ["list"], in: "install" },
    { apiGroups: [""], resources: ["pods/log"], verbs: ["get"], in: "install" },
  ],
  needs: [],
  uses: [],
  async gather(cluster) {
    const { items } = await cluster.list<Job>(resources.jobs, { labelSelector: startupCheckSelector, timeoutMs });
    return Promise.all(
      items
        .filter((job) => !isCompleted(job))
        .slice(0, atMost)
        .map((job) => readCheck(cluster, tidy(job))),
    );
  },
});

function notReadable(error: unknown): null {
  if (error instanceof ClusterError) return null;
  throw error;
}

async function readCheck(cluster: ClusterReader, job: Job): Promise<StartupCheck> {
  const { name, namespace = "" } = job.metadata;
  const about = `type=Warning,involvedObject.kind=Job,involvedObject.name=${name}`;
  const [pods, events] = await Promise.all([
    cluster.list<Pod>(resources.pods, { namespace, labelSelector: startupCheckSelector, timeoutMs }),
    cluster.list<Event>(resources.events, { namespace, fieldSelector: about, limit: 50, timeoutMs }),
  ]);
  const own = pods.items.filter((pod) => pod.metadata.labels?.["job-name"] === name).map(tidy);
  const newest = own.toSorted((a, b) => Date.parse(b.metadata.creationTimestamp ?? "") - Date.parse(a.metadata.creationTimestamp ?? ""))[0];
  const container = newest && checkContainer(newest)?.name;
  const began = newest?.status?.containerStatuses?.some((status) => status.name === container && (status.state?.running || status.state?.terminated));
  const of = { namespace, pod: newest?.metadata.name ?? "", container: container ?? "", previous: false };
  // What it said tells more of a Job that has failed, and isn't needed to see that it has.
  const text = container && began ? await cluster.log({ ...of, tailLines }, timeoutMs).catch(notReadable) : null;
  const logs = text === null ? [] : [{ ...of, lines: stripVTControlCharacters(text).split("\n").filter(Boolean) }];
  return { job, pods: own, events: events.items.map(tidy), logs };
}
