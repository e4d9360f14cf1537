import { identityReaderSelector } from "../kube/identity-reader.ts";
import { resources } from "../kube/resources.ts";
import { knownValue } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const timeoutMs = 5_000;

export default defineGatherer({
  fact: "identityReaders",
  rules: [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["list"], in: "cluster" }],
  needs: ["webhooks"],
  uses: ["deployments"],
  async gather(cluster, { webhooks, deployments }) {
    if (knownValue(deployments)?.length === 0) return new NotAsked("nothing-installed");
    // Who reads the requester's name matters where something keeps it from being recorded.
    const kinds = new Set(webhooks.map(({ configuration }) => configuration.kind));
    const ignored = webhooks.some(({ configuration }) => configuration.webhooks?.some(({ failurePolicy }) => failurePolicy === "Ignore"));
    if (kinds.size === 2 && !ignored) return new NotAsked("registrations-strict");
    const { items } = await cluster.list<KubeObject>(resources.deployments, { labelSelector: identityReaderSelector, metadataOnly: true, timeoutMs });
    return items.map((object) => tidy({ ...object, kind: "Deployment" }));
  },
});
