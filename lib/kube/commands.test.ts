import { expect, test } from "vitest";
import type { Deployment } from "../model/kubernetes.ts";
import { helmUpgrade } from "./commands.ts";

const release = { release: "cert-manager", namespace: "cert-manager", version: "v1.21.1" };
const webhook = (manager: string, operation: string): Deployment => ({
  metadata: { name: "cert-manager-webhook", managedFields: [{ manager, operation }] },
  spec: { template: { spec: { containers: [] } } },
});

test("an upgrade of what Helm 4 applied is forced over changes by hand, which Helm 3 undoes without being told to", () => {
  expect(helmUpgrade({ ...release, components: { webhook: webhook("helm", "Apply") } })).toContain(
    "--reset-then-reuse-values \\\n  --server-side=true --force-conflicts",
  );
  expect(helmUpgrade({ ...release, components: { webhook: webhook("helm", "Update") } })).not.toContain("--force");
  expect(helmUpgrade({ ...release, components: { webhook: webhook("kubectl", "Apply") } })).not.toContain("--force");
  expect(helmUpgrade(release)).not.toContain("--force");
});
