import { unownedCrds } from "../kube/ownership.ts";
import { certManagerResources, crdName } from "../kube/resources.ts";
import { knownValue } from "../model/facts.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";

const timeoutMs = 5_000;

export default defineGatherer({
  fact: "instanceCounts",
  rules: [
    { apiGroups: ["cert-manager.io"], resources: ["certificaterequests", "certificates", "issuers", "clusterissuers"], verbs: ["list"], in: "cluster" },
    { apiGroups: ["acme.cert-manager.io"], resources: ["challenges", "orders"], verbs: ["list"], in: "cluster" },
  ],
  needs: ["crds"],
  uses: ["deployments"],
  async gather(cluster, { crds, deployments }) {
    const present = crds.filter((crd) => crd.object);
    if (present.length === 0) return new NotAsked("no-crds");
    // What is stored matters where the CRDs may have to go or change hands.
    const components = knownValue(deployments);
    if (components && components.length > 0 && unownedCrds(crds, components).length === 0) return new NotAsked("crds-owned");
    return Promise.all(
      certManagerResources
        .filter((of) => present.some((crd) => crd.ref.name === crdName(of)))
        .map(async (of) => {
          // One object and an estimate of the rest: a count costs the same for ten Certificates and ten thousand.
          const { items, remaining } = await cluster.list(of, { limit: 1, metadataOnly: true, timeoutMs });
          return { crd: crdName(of), count: items.length + remaining };
        }),
    );
  },
});
