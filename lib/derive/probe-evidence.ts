import type { Evidence } from "../model/check.ts";
import type { ApiProbe } from "../model/facts.ts";
import type { ObjectRef } from "../model/object-ref.ts";

/** The object that the API check asked the API server to create. */
export function probeObject({ apiProbe }: { readonly apiProbe: ApiProbe }): ObjectRef {
  return { kind: "CertificateRequest", namespace: apiProbe.namespace, name: "certmedic-probe" };
}

/** What the API server answered to the API check, as evidence. */
export function probeEvidence(facts: { readonly apiProbe: ApiProbe }, value: string): Evidence {
  return { object: probeObject(facts), path: "answer", value };
}
