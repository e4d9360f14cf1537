import { ClusterError } from "../cluster/errors.ts";
import { installsIn, webhookServiceOf } from "../kube/install.ts";
import { resources } from "../kube/resources.ts";
import { knownValue } from "../model/facts.ts";
import type { Service } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

export default defineGatherer({
  fact: "webhookServices",
  rules: [{ apiGroups: [""], resources: ["services"], verbs: ["get"], in: "install" }],
  needs: [],
  uses: ["webhooks", "deployments"],
  async gather(cluster, { webhooks, deployments }) {
    if (webhooks.state === "missing" && deployments.state === "missing") {
      throw new ClusterError(webhooks.reason, `neither the webhook registrations nor the Deployments say which Services: ${webhooks.detail}`);
    }
    // What an install brings is looked up by its own manifest too, so that it is seen where registrations can't be.
    const called = (knownValue(webhooks) ?? [])
      .flatMap(({ configuration }) => configuration.webhooks ?? [])
      .flatMap((webhook) => webhook.clientConfig.service ?? []);
    const own = installsIn(knownValue(deployments) ?? []).flatMap((install) => webhookServiceOf(install) ?? []);
    const wanted = new Map([...called, ...own].map(({ namespace, name }) => [`${namespace}/${name}`, { namespace, name }]));
    if (wanted.size === 0) return new NotAsked("nothing-installed");
    return Promise.all(
      [...wanted.values()].map(async ({ namespace, name }) => {
        const object = await cluster.get<Service>(resources.services, name, { namespace });
        return { ref: { kind: "Service", namespace, name }, object: object && tidy(object) };
      }),
    );
  },
});
