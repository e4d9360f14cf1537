import { readWebhookCall } from "../kube/error-text.ts";
import { resources } from "../kube/resources.ts";
import { isAtLeast } from "../kube/version.ts";
import { knownValue } from "../model/facts.ts";
import type { CustomResourceDefinition, KubeObject } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const timeoutMs = 5_000;

export default defineGatherer({
  fact: "crdDetails",
  rules: [],
  needs: ["crds"],
  uses: ["reportedErrors"],
  later: ["apiProbe"],
  async gather(cluster, { crds, reportedErrors, apiProbe }) {
    const present = crds.flatMap(({ object }) => object ?? []);
    if (present.length === 0) return new NotAsked("no-crds");
    // In full one of them is 150 kB, most of it schemas: only where something says that it isn't as every release since 1.7 has it.
    const isConversion = (text: string) => readWebhookCall(text)?.purpose === "conversion";
    const reported = (knownValue(reportedErrors) ?? []).some(isConversion);
    const asked = reported || present.some(mayDiffer) ? undefined : knownValue(await apiProbe())?.valid;
    const failed = reported || (asked !== undefined && !asked.accepted && isConversion(asked.message));
    const wanted = failed ? present : present.filter(mayDiffer);
    if (wanted.length === 0) return new NotAsked("crds-usual");
    return Promise.all(
      wanted.map(async ({ metadata: { name } }) => {
        const object = await cluster.get<CustomResourceDefinition>(resources.customresourcedefinitions, name, { timeoutMs });
        return { ref: { kind: "CustomResourceDefinition", name }, object: object && withoutSchemas(tidy({ ...object, kind: "CustomResourceDefinition" })) };
      }),
    );
  },
});

/** Whether the metadata leaves it open that the CRD has other versions, a conversion webhook, or is on its way out. */
function mayDiffer({ metadata }: KubeObject): boolean {
  const { annotations = {}, labels = {}, managedFields, deletionTimestamp } = metadata;
  if (deletionTimestamp || !managedFields) return true;
  if (Object.keys(annotations).some((key) => key.startsWith("cert-manager.io/inject-ca-from"))) return true;
  if (!isAtLeast(labels["app.kubernetes.io/version"] ?? "", "1.7.0")) return true;
  return managedFields.some(({ fieldsV1 }) => "f:webhook" in (fieldAt(fieldAt(fieldAt({ fieldsV1 }, "fieldsV1"), "f:spec"), "f:conversion") ?? {}));
}

function fieldAt(of: object | undefined, field: string): object | undefined {
  const value = (of as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof value === "object" && value !== null ? value : undefined;
}

function withoutSchemas(crd: CustomResourceDefinition): CustomResourceDefinition {
  const versions = crd.spec?.versions?.map(({ name, served, storage }) => ({ name, served, storage }));
  return { ...crd, spec: { ...crd.spec, ...(versions && { versions }) } };
}
