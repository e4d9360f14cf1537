import { expect, test } from "vitest";
import { openSnapshot } from "./open.ts";
import { archiveOf, entriesOf, refusalOf } from "./test-bundle.ts";
import { serve } from "./test-cluster.ts";

const item = (name: string, namespace?: string, rest: object = {}) => ({ metadata: { name, namespace }, ...rest });
const list = (kind: string, apiVersion: string, ...items: object[]) =>
  JSON.stringify({ kind, apiVersion, metadata: {}, items: items.length > 0 ? items : null });
const crd = (plural: string, group: string, kind: string) =>
  item(`${plural}.${group}`, undefined, {
    spec: { names: { kind, plural }, scope: "Namespaced", versions: [{ name: "v1", served: true, storage: true }] },
  });

const resources: Record<string, string> = {
  "namespaces.json": list("NamespaceList", "v1", item("cert-manager"), item("default")),
  "nodes.json": list("NodeList", "v1", item("n", undefined, { status: { conditions: [{ type: "Ready", lastHeartbeatTime: "2026-03-01T00:00:00Z" }] } })),
  "custom-resource-definitions.json": list(
    "CustomResourceDefinitionList",
    "apiextensions.k8s.io/v1",
    crd("certificates", "cert-manager.io", "Certificate"),
    crd("issuers", "cert-manager.io", "Issuer"),
    crd("orders", "acme.cert-manager.io", "Order"),
  ),
  "custom-resources/certificates.cert-manager.io/default.json": JSON.stringify([item("cert", "default")]),
  "custom-resources/certificates.cert-manager.io/default.yaml": "this: [isn't read",
  "custom-resources/issuers.cert-manager.io/default.yaml": "- metadata: {name: issuer, namespace: default}\n",
  "custom-resources/custom-resources-errors.json": JSON.stringify(["orders.acme.cert-manager.io is forbidden"]),
  "pods/cert-manager.json": list("PodList", "v1", item("p", "cert-manager", { spec: { containers: [{ name: "main" }] } })),
  "pods/default.json": list("PodList", "v1"),
  "pods/logs/cert-manager/p/main.log": "I0228 10:00:00.000000       1 x.go:1] up\n",
  "pods/logs/cert-manager/p/main-previous.log": "before\n",
  "pods/logs/cert-manager/p/main-logs-errors.log": "tail",
  "deployments/cert-manager.json": JSON.stringify([item("d", "cert-manager")]),
  "network-policy/cert-manager.json": list("NetworkPolicyList", "networking.k8s.io/v1"),
  "leases/cert-manager.json": list("LeaseList", "coordination.k8s.io/v1"),
  "leases-errors.json": JSON.stringify({ default: "leases is forbidden" }),
  "pod-disruption-budgets-errors.json": JSON.stringify({ default: "the server could not find the requested resource" }),
  "statefulsets-errors.json/cert-manager.json": list("ReplicaSetList", "apps/v1", item("r", "cert-manager")),
  "auth-cani-list/default.json": "[]",
  "groups.json": "[]",
};

const bundle = (cluster: Record<string, string>) =>
  archiveOf(
    entriesOf({
      "support-bundle-1/version.yaml": "apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\n",
      "support-bundle-1/cluster-info/cluster_version.json": '{"info":{"gitVersion":"v1.32.2+k3s1","major":"1"},"string":"v1.32.2+k3s1"}',
      "support-bundle-1/analysis.json": "[]",
      "support-bundle-1/secrets/default/s.json": '{"name":"s"}',
      ...Object.fromEntries(Object.entries(cluster).map(([path, text]) => [`support-bundle-1/cluster-resources/${path}`, text])),
    }),
    "bundle.tar.gz",
  );

test("a troubleshoot.sh bundle", async () => {
  const snapshot = await openSnapshot(await bundle(resources));
  expect(snapshot).toMatchObject({
    name: "bundle",
    now: new Date("2026-03-01T00:00:00Z"),
    version: { gitVersion: "v1.32.2+k3s1" },
    reportedErrors: [],
  });
  expect(snapshot.objects.map((one) => `${one.apiVersion} ${one.kind}/${one.metadata.name}`).sort()).toEqual([
    "apiextensions.k8s.io/v1 CustomResourceDefinition/certificates.cert-manager.io",
    "apiextensions.k8s.io/v1 CustomResourceDefinition/issuers.cert-manager.io",
    "apiextensions.k8s.io/v1 CustomResourceDefinition/orders.acme.cert-manager.io",
    "apps/v1 Deployment/d",
    "apps/v1 ReplicaSet/r",
    "cert-manager.io/v1 Certificate/cert",
    "cert-manager.io/v1 Issuer/issuer",
    "v1 Namespace/cert-manager",
    "v1 Namespace/default",
    "v1 Node/n",
    "v1 Pod/p",
  ]);
  expect([...snapshot.logs.keys()].sort()).toEqual(["cert-manager/p/main", "cert-manager/p/main.previous"]);
  expect(snapshot.collected.namespaces).toBeNull();
});

test("what its collector couldn't read is missing, not absent", async () => {
  const { get } = serve(await openSnapshot(await bundle(resources)));
  const code = async (path: string) => (await get(path)).code;
  expect(await code("/api/v1/namespaces/cert-manager/pods/none")).toBe(404);
  expect(await code("/apis/networking.k8s.io/v1/networkpolicies")).toBe(200);
  expect(await code("/apis/cert-manager.io/v1/certificates")).toBe(200);
  expect(await code("/apis/cert-manager.io/v1/issuers")).toBe(200);
  expect(await code("/apis/coordination.k8s.io/v1/namespaces/cert-manager/leases/l")).toBe(404);
  for (const path of [
    "/apis/acme.cert-manager.io/v1/orders",
    "/apis/coordination.k8s.io/v1/namespaces/default/leases/l",
    "/apis/policy/v1/poddisruptionbudgets",
    "/apis/apps/v1/statefulsets",
    "/api/v1/namespaces/cert-manager/secrets/cert-manager-webhook-ca",
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
  ]) {
    expect([path, await code(path)]).toEqual([path, 501]);
  }
});

test("namespaces that were left out are unknown", async () => {
  const { "pods/default.json": _left, ...others } = resources;
  const { collected } = await openSnapshot(await bundle(others));
  expect(collected.namespaces).toEqual(new Set(["cert-manager"]));
});

test("a bundle without cluster resources says so", async () => {
  const error = await refusalOf(await bundle({ "groups.json": "[]" }));
  expect(error.message).toMatch(/is a support bundle without cluster resources/);
});
