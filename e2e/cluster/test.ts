import { test as base } from "@playwright/test";
import type { Binaries } from "./binaries.ts";
import { TestCluster } from "./cluster.ts";

/** A test with a control plane of its worker's own, where a healthy install is prepared; each test resets it to what it starts from. */
export const test = base.extend<object, { cluster: TestCluster }>({
  cluster: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its first parameter
    async ({}, use) => {
      const cluster = await TestCluster.start(JSON.parse(process.env.CERTMEDIC_TESTBED ?? "{}") as Binaries);
      try {
        await cluster.prepareHealthy();
        await use(cluster);
      } finally {
        await cluster.close();
      }
    },
    { scope: "worker", timeout: 180_000 },
  ],
});

export { expect } from "@playwright/test";
