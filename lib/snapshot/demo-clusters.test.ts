import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { demoClusters, demoNames, loadDemo } from "./demo-clusters.ts";
import { serve } from "./test-cluster.ts";

const root = join(import.meta.dirname, "..", "..");
const demos = await demoClusters(root);

test("every file is a demo cluster, in this order", async () => {
  expect(demos.map((demo) => demo.name)).toEqual([...demoNames]);
  const files = (await readdir(join(import.meta.dirname, "demo"))).filter((file) => file.endsWith(".yaml"));
  expect(files.sort()).toEqual(demoNames.map((name) => `${name}.yaml`).sort());
  await expect(loadDemo(root, "nothing")).rejects.toThrow("There is no demo cluster nothing");
});

describe.each(demos)("$name", ({ title, description, snapshot }) => {
  const { valid } = snapshot.answers.probe ?? {};
  const api = serve({ ...snapshot, answers: { probe: valid && { valid: { ...valid, delayMs: 0 } } } });
  const admission = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

  test("says what it shows", () => {
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(description).toMatch(/^\S.*\.$/);
  });

  test("holds nothing that lies ahead of its time", () => {
    const times = JSON.stringify(snapshot.objects).match(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g) ?? [];
    expect(times.length).toBeGreaterThan(0);
    expect(times.map((time) => JSON.parse(time) as string).filter((time) => Date.parse(time) > snapshot.now.getTime())).toEqual([]);
    for (const log of snapshot.logs.values()) {
      for (const line of log.trimEnd().split("\n")) expect(line.slice(1, 14) <= klog(snapshot.now)).toBe(true);
    }
  });

  test("answers the probe, and its webhook calls are where the Service is", async () => {
    const request = btoa("-----BEGIN CERTIFICATE REQUEST-----");
    const answer = await api.post("/apis/cert-manager.io/v1/namespaces/default/certificaterequests?dryRun=All", { spec: { request } });
    expect(answer.code).not.toBe(501);
    for (const { webhooks } of (await api.get(admission)).json.items) {
      const { namespace, name } = webhooks[0].clientConfig.service;
      expect((await api.get(`/api/v1/namespaces/${namespace}/services/${name}`)).code).toBe(200);
    }
  });

  test("holds no key", () => {
    expect(JSON.stringify(snapshot.objects)).not.toMatch(/PRIVATE KEY|UFJJVkFURSBLRV|tls\.key/);
  });
});

function klog(now: Date): string {
  return now.toISOString().replace(/^\d+-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d).*/, "$1$2 $3");
}
