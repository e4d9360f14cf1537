import { expect, test } from "vitest";
import { deployBeside, markAndDeploy, takeOwnership } from "./crd-handover.ts";

const target = { release: "pki", namespace: "security", version: "", exists: false };
const forced = '$(helm version --short | grep -q "^v4" && echo --server-side=true --force-conflicts)';

test("Helm 4 is told to overrule whoever applied the CRDs, however they are handed over", () => {
  expect(takeOwnership(target)).toContain(`--take-ownership \\\n  ${forced}`);
  expect(markAndDeploy(target, ["issuers.cert-manager.io"])).toContain(`--set crds.enabled=true \\\n  ${forced}`);
});

test("a first install beside CRDs that stay outside meets nobody's fields, an upgrade may", () => {
  expect(deployBeside(target)).not.toContain("--force-conflicts");
  expect(deployBeside({ ...target, exists: true })).toContain(forced);
});
