import { rmSync } from "node:fs";
import { bundleCommandLine } from "../../lib/cli/build.ts";
import type { Report } from "../../lib/model/report.ts";
import type { TestCluster } from "./cluster.ts";
import { contextName } from "./control-plane/layout.ts";
import { startDashboard } from "./dashboard.ts";
import { expect, test } from "./test.ts";

test("the built server as the account of least privilege: every check works, or is unknown and says why", async ({ cluster }) => {
  await cluster.reset("healthy");
  const dashboard = await startDashboard(cluster.accountKubeconfig);
  try {
    const { report } = await dashboard.checkup();
    expect(report?.verdict).toBe("healthy");
    const unknown = report?.checks.filter((check) => check.status === "unknown") ?? [];
    expect(unknown.length).toBeGreaterThan(0);
    for (const check of unknown) expect(check.because).toContain('secrets "cert-manager-webhook-ca" is forbidden');
    expect(await dashboard.text(`/c/${contextName}`)).toContain("cert-manager works");
  } finally {
    await dashboard.stop();
  }
});

test("no key, token or release payload leaves the server, though an administrator may read them", async ({ cluster }) => {
  await cluster.reset("healthy");
  await cluster.stop("cainjector");
  const secrets = await secretValues(cluster);
  expect(secrets.length).toBeGreaterThan(3);
  const dashboard = await startDashboard(cluster.plane.kubeconfig);
  try {
    const paths = [
      `/c/${contextName}`,
      `/api/c/${contextName}/checkup`,
      "/status",
      "/api/status",
      `/c/${contextName}/findings/webhook-ca-expired`,
      `/c/${contextName}/findings/ca-bundle-mismatch`,
    ];
    for (const path of paths) {
      const text = await dashboard.text(path);
      for (const secret of secrets) expect(text.includes(secret), `${path} has the value of a Secret in it`).toBe(false);
    }
  } finally {
    await dashboard.stop();
  }
});

test("the command line, as it is built", async ({ cluster }) => {
  await cluster.reset("healthy");
  const folder = `dist/test-${process.pid}`;
  await bundleCommandLine(folder);
  const check = (flags = "") => cluster.try(`'${process.execPath}' ${folder}/cli.js check --kubeconfig "$KUBECONFIG" ${flags}`);
  try {
    const healthy = await check("-o json");
    expect(healthy.code, healthy.stderr).toBe(0);
    expect((JSON.parse(healthy.stdout) as Report).installs).toEqual([
      { namespace: "cert-manager", release: "cert-manager", method: "helm", version: "v1.21.1" },
    ]);
    await cluster.run("kubectl delete crd issuers.cert-manager.io");
    const broken = await check();
    expect(broken.code, broken.stdout).toBe(3);
    expect(broken.stdout).toContain("issuers.cert-manager.io");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** What must stay secret: keys, tokens, payloads, in the forms in which they could show. */
async function secretValues(cluster: TestCluster): Promise<readonly string[]> {
  const { items } = await cluster.get<{ items: { data?: Record<string, string> }[] }>("secrets --all-namespaces");
  const values = items.flatMap(({ data = {} }) => Object.entries(data)).filter(([key]) => !key.endsWith(".crt"));
  return values.flatMap(([, value]) => {
    const plain = Buffer.from(value, "base64").toString("utf8");
    // The middle of a value: its beginning is the same for all keys.
    return [value, plain].filter((text) => text.length > 60).map((text) => text.slice(text.length / 2 - 20, text.length / 2 + 20).replaceAll("\n", "\\n"));
  });
}
