import { ClusterError } from "../cluster/errors.ts";
import { helmOwnerOf, unownedCrds } from "../kube/ownership.ts";
import { resources } from "../kube/resources.ts";
import type { Rule } from "../model/facts.ts";
import { knownValue } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";

const rule: Rule = { apiGroups: [""], resources: ["secrets"], verbs: ["list"], in: "install" };
const timeoutMs = 5_000;
const atMost = 3;

export default defineGatherer({
  fact: "helmReleases",
  rules: [rule],
  needs: ["crds"],
  uses: ["deployments"],
  async gather(cluster, { crds, deployments }, input) {
    const strangers = unownedCrds(crds, knownValue(deployments) ?? []).map(helmOwnerOf);
    const claimed = new Map(
      strangers.flatMap(({ release, namespace }) => (release && namespace ? [[`${namespace}/${release}`, { release, namespace }] as const] : [])),
    );
    if (claimed.size === 0) return new NotAsked("crds-owned");
    if (!input.readSecrets) throw new ClusterError("forbidden", "the dashboard's own account reads no Secrets unless that is switched on", { rule });
    const lists = await Promise.all(
      [...claimed.values()].slice(0, atMost).map(({ release, namespace }) =>
        // Labels say release, revision and status; the payload stays where it is.
        cluster.list<KubeObject>(resources.secrets, { namespace, labelSelector: `owner=helm,name=${release}`, metadataOnly: true, timeoutMs }),
      ),
    );
    return lists.flatMap((list) =>
      list.items.map(({ metadata: { labels = {}, namespace = "" } }) => ({
        name: labels.name ?? "",
        namespace,
        revision: Number(labels.version ?? 0),
        status: labels.status ?? "unknown",
      })),
    );
  },
});
