import { expect, test } from "vitest";
import { readOwnershipErrors } from "../kube/ownership-error.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { handoverTarget } from "./handover-target.ts";

const crd: KubeObject = {
  kind: "CustomResourceDefinition",
  metadata: {
    name: "challenges.acme.cert-manager.io",
    labels: { "app.kubernetes.io/managed-by": "Helm" },
    annotations: { "meta.helm.sh/release-name": "pki", "meta.helm.sh/release-namespace": "old" },
  },
};
const refusal = (differs: string) =>
  readOwnershipErrors([
    `Error: INSTALLATION FAILED: unable to continue with install: CustomResourceDefinition "challenges.acme.cert-manager.io" in namespace "" exists and cannot be imported into the current release: invalid ownership metadata; annotation validation error: ${differs}`,
  ])[0];

test("what Helm's refusal leaves out is as the CRD has it", () => {
  const moved = refusal('key "meta.helm.sh/release-namespace" must equal "security": current value is "old"');
  expect(handoverTarget({ deployments: [] }, moved, crd)).toMatchObject({ release: "pki", namespace: "security" });
  const renamed = refusal('key "meta.helm.sh/release-name" must equal "certs": current value is "pki"');
  expect(handoverTarget({ deployments: [] }, renamed, crd)).toMatchObject({ release: "certs", namespace: "old" });
});

test("without a refusal the release that runs, or the documentation's, gets the CRDs", () => {
  expect(handoverTarget({ deployments: [] }, undefined, crd)).toMatchObject({ release: "cert-manager", namespace: "cert-manager" });
});
