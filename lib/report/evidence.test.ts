import { expect, test } from "vitest";
import type { Fact, FactKey, Facts, FactValues } from "../model/facts.ts";
import { evidenceView } from "./evidence.ts";

function factsWith(values: Partial<FactValues>): Facts {
  const pending: Fact<never> = { state: "pending" };
  const keys: readonly FactKey[] = ["version", "deployments", "pods", "webhooks", "crds", "apiProbe", "logs", "reportedErrors"];
  const facts = Object.fromEntries(keys.map((key) => [key, key in values ? { state: "known", value: values[key] } : pending]));
  return facts as unknown as Facts;
}

const crd = { kind: "CustomResourceDefinition", name: "certificates.cert-manager.io" };
const object = { apiVersion: "apiextensions.k8s.io/v1", kind: crd.kind, metadata: { name: crd.name, annotations: { "meta.helm.sh/release-name": "cm-old" } } };

test("the field's line is marked within the object's YAML, also under a key with dots", () => {
  const view = evidenceView(factsWith({ crds: [{ ref: crd, object }] }), {
    object: crd,
    path: "metadata.annotations.meta\\.helm\\.sh/release-name",
    value: "cm-old",
  });
  expect(view.of).toBe("CustomResourceDefinition/certificates.cert-manager.io");
  expect(view.lines.filter((line) => line.marked)).toEqual([{ text: "    meta.helm.sh/release-name: cm-old", marked: true }]);
  expect(view.lines.map((line) => line.text)).toContain("  annotations:");
});

test("a field that isn't there is shown where it would be", () => {
  const view = evidenceView(factsWith({ crds: [{ ref: crd, object }] }), {
    object: crd,
    path: "metadata.labels.app\\.kubernetes\\.io/managed-by",
    value: null,
  });
  expect(view.lines.filter((line) => line.marked)).toEqual([{ text: "    app.kubernetes.io/managed-by: # absent", marked: true }]);
});

test("log lines come with their surroundings", () => {
  const logs = [{ namespace: "cert-manager", pod: "p", container: "c", previous: false, lines: ["one", "two is forbidden", "three"] }];
  const view = evidenceView(factsWith({ logs }), { object: { kind: "Pod", namespace: "cert-manager", name: "p" }, path: "log/c", value: "two is forbidden" });
  expect(view.lines).toEqual([
    { text: "one", marked: false },
    { text: "two is forbidden", marked: true },
    { text: "three", marked: false },
  ]);
});

test("an absent object has no lines, and facts that aren't objects are no obstacle", () => {
  const probe = { namespace: "default", valid: { accepted: true, username: "x", durationMs: 1 }, invalid: null } as const;
  const view = evidenceView(factsWith({ apiProbe: probe, reportedErrors: ["text"] }), {
    object: { kind: "Lease", namespace: "kube-system", name: "l" },
    path: "metadata",
    value: null,
  });
  expect(view.lines).toEqual([]);
});

test("a message is shown to its end, a caBundle by its start", () => {
  const message = `failed to do request: ${"a long way ".repeat(40)}: no such host`;
  const pod = {
    kind: "Pod",
    metadata: { name: "p", namespace: "n" },
    spec: { containers: [] },
    status: { containerStatuses: [{ name: "c", state: { waiting: { message } } }] },
  };
  const view = evidenceView(factsWith({ pods: [pod] }), {
    object: { kind: "Pod", namespace: "n", name: "p" },
    path: "status.containerStatuses[0].state.waiting.message",
    value: message,
  });
  expect(view.lines.find((line) => line.marked)?.text).toContain(": no such host");
  const bundle = "QUJD".repeat(300);
  const long = evidenceView(factsWith({ crds: [{ ref: crd, object }] }), { object: crd, path: "metadata.annotations.bundle", value: bundle });
  expect(long.lines.find((line) => line.marked)?.text.length).toBeLessThan(230);
});
