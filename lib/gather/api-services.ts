import { isLegacyApiService } from "../kube/legacy-api-service.ts";
import { resources } from "../kube/resources.ts";
import type { ApiService } from "../model/kubernetes.ts";
import { defineGatherer } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const timeoutMs = 5_000;

export default defineGatherer({
  fact: "apiServices",
  rules: [{ apiGroups: ["apiregistration.k8s.io"], resources: ["apiservices"], verbs: ["list"], in: "cluster" }],
  needs: [],
  uses: [],
  async gather(cluster) {
    const { items } = await cluster.list<ApiService>(resources.apiservices, { timeoutMs });
    return items.filter((one) => isLegacyApiService(one) || isInjected(one) || isUnavailable(one)).map(tidy);
  },
});

/** Whether cainjector is to fill in its CA. */
function isInjected({ metadata }: ApiService): boolean {
  return Object.keys(metadata.annotations ?? {}).some((key) => /^cert-manager\.io\/inject-/.test(key));
}

function isUnavailable({ status }: ApiService): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === "Available" && value !== "True") ?? false;
}
