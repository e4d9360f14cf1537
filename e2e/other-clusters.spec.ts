import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { stringify } from "yaml";
import { otherCa, serverCertificate, serverKey } from "../lib/cluster/test-pki.ts";
import { loadDemo } from "../lib/snapshot/demo-clusters.ts";
import { applyOverlay } from "../lib/snapshot/overlay.ts";
import { type SnapshotServer, startSnapshotServer } from "../lib/snapshot/server.ts";
import { startDashboard } from "./dashboard.ts";

test.describe.configure({ mode: "serial" });

let folder: string;
let api: SnapshotServer;
let nextPort = 3260;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "certmedic-e2e-"));
  api = await startSnapshotServer();
});
test.afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
  await api.close();
});

const servers: Server[] = [];

/** Listens on loopback, and gives the address as a kubeconfig has it. */
async function listen(server: Server, scheme: "http" | "https"): Promise<string> {
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function kubeconfig(name: string, content: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : stringify(content));
  return path;
}

function pointedAt(server: string, user: object | null = {}) {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "prod",
    clusters: [{ name: "c", cluster: { server } }],
    contexts: [{ name: "prod", context: { cluster: "c", user: "jane" } }],
    users: user ? [{ name: "jane", user }] : [],
  };
}

/** Opens the diagnosis of a dashboard started on `source`, and looks at it for what everybody must be able to read. */
async function look(page: Page, source: Parameters<typeof startDashboard>[0], then: () => Promise<void>): Promise<void> {
  const dashboard = await startDashboard(source, nextPort++);
  try {
    await page.goto(dashboard.url);
    await then();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.target) }))).toEqual([]);
  } finally {
    await dashboard.stop();
  }
}

const inputs: readonly [string, () => Parameters<typeof startDashboard>[0], RegExp][] = [
  ["a kubeconfig that isn't there", () => ({ kind: "cluster", path: join(folder, "nowhere") }), /doesn't exist\. Pass another with --kubeconfig FILE/],
  ["broken YAML", () => ({ kind: "cluster", path: kubeconfig("broken", "clusters: [\nusers: x: y\n") }), /isn't valid YAML, line \d/],
  [
    "an unknown context",
    () => ({ kind: "cluster", path: kubeconfig("ok", pointedAt("https://127.0.0.1:1")), context: "prdo" }),
    /There is no context "prdo".*It has "prod"/,
  ],
  ["a missing user entry", () => ({ kind: "cluster", path: kubeconfig("no-user", pointedAt("https://127.0.0.1:1", null)) }), /names the user "jane"/],
  [
    "an unreachable server",
    () => ({ kind: "cluster", path: kubeconfig("away", pointedAt("https://127.0.0.1:1")) }),
    /can't be reached: the connection was refused/,
  ],
  [
    "a failing exec plugin",
    () => ({ kind: "cluster", path: kubeconfig("exec", pointedAt("https://127.0.0.1:1", { exec: { command: "no-such-plugin" } })) }),
    /isn't installed or not on PATH/,
  ],
  ["a bundle that isn't one", () => ({ kind: "bundle", path: kubeconfig("text.txt", "hello") }), /text\.txt/],
];

for (const [name, source, message] of inputs) {
  test(`${name} is a page that says what to do`, async ({ page }) => {
    await look(page, source(), async () => {
      await expect(page.getByText(message).first()).toBeVisible();
    });
  });
}

test("an expired token is a page that says what to do", async ({ page }) => {
  const refusing = createServer((_request, response) => {
    response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ kind: "Status", reason: "Unauthorized", code: 401 }));
  });
  const path = kubeconfig("expired", pointedAt(await listen(refusing, "http"), { token: "old" }));
  await look(page, { kind: "cluster", path }, async () => {
    await expect(page.getByText(/the token or client certificate may have expired/).first()).toBeVisible();
  });
});

test("a server whose certificate another CA signed is a page that says what to do", async ({ page }) => {
  const server = await listen(createHttps({ cert: serverCertificate, key: serverKey }), "https");
  const { clusters, ...rest } = pointedAt(server);
  const trusting = { name: "c", cluster: { ...clusters[0]?.cluster, "certificate-authority-data": Buffer.from(otherCa).toString("base64") } };
  await look(page, { kind: "cluster", path: kubeconfig("wrong-ca", { ...rest, clusters: [trusting] }) }, async () => {
    await expect(page.getByText(/isn't signed by the CA in the kubeconfig/).first()).toBeVisible();
  });
});

test("a cluster without cert-manager: what that means, and how to install it", async ({ page }) => {
  const { snapshot } = await loadDemo(process.cwd(), "healthy");
  const kinds = ["Deployment", "Pod", "CustomResourceDefinition", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"];
  const server = api.mount("empty", applyOverlay(snapshot, { remove: kinds }, "empty"));
  await look(page, { kind: "cluster", path: kubeconfig("empty", pointedAt(server)) }, async () => {
    await expect(page.getByText(/cert-manager is not installed/).first()).toBeVisible();
    await expect(page.getByRole("link", { name: "How to install it" })).toBeVisible();
  });
});

test("an account that may not look: which rules are missing, to copy", async ({ page }) => {
  const { snapshot } = await loadDemo(process.cwd(), "healthy");
  const server = api.mount("blind", applyOverlay(snapshot, { answers: { refused: [{ code: 403 }], access: [{ allowed: false }] } }, "blind"));
  await look(page, { kind: "cluster", path: kubeconfig("blind", pointedAt(server)) }, async () => {
    await expect(page.getByText("Not allowed to look").first()).toBeVisible();
    await expect(page.getByText("kind: ClusterRole").first()).toBeVisible();
  });
});

test("a cluster by kubeconfig: its name stands in every command", async ({ page }) => {
  const { snapshot } = await loadDemo(process.cwd(), "ca-not-injected");
  const server = api.mount("live", snapshot);
  await look(page, { kind: "cluster", path: kubeconfig("live", pointedAt(server)) }, async () => {
    await expect(page).toHaveURL(/\/c\/prod$/);
    await page
      .getByRole("link", { name: /^Fix it/ })
      .first()
      .click();
    await expect(page.getByText("helm --kube-context prod upgrade cert-manager").first()).toBeVisible();
  });
});
