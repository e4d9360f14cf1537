import { expect, test } from "vitest";
import type { Deployment } from "../model/kubernetes.ts";
import { setValues } from "./chart-values.ts";
import { reapply } from "./commands.ts";
import { componentOf, installsIn } from "./install.ts";

const step = { title: { key: "title" }, changes: { key: "changes" } };

function deployment(component: string, image: string, metadata: Partial<Deployment["metadata"]> = {}): Deployment {
  const labels = { "app.kubernetes.io/component": component, "app.kubernetes.io/instance": "cert-manager", ...metadata.labels };
  return {
    metadata: { name: `cert-manager-${component}`, namespace: "cert-manager", ...metadata, labels },
    spec: { template: { spec: { containers: [{ name: "cert-manager", image }] } } },
  } as Deployment;
}

const redHat = installsIn([
  deployment("controller", "registry.redhat.io/cert-manager/jetstack-cert-manager-rhel9@sha256:76fe"),
  deployment("webhook", "registry.redhat.io/cert-manager/jetstack-cert-manager-webhook-rhel9@sha256:1f2e"),
])[0];
const olm = installsIn([deployment("webhook", "quay.io/jetstack/cert-manager-webhook:v1.16.5", { labels: { "olm.owner": "cert-manager.v1.16.5" } })])[0];

test("operands of Red Hat's operator are recognised by their images, whatever their containers are called", () => {
  const [webhook] = [redHat?.components.webhook];
  expect(webhook && componentOf(webhook, webhook.spec.template.spec.containers)).toBe("webhook");
  expect(redHat?.method).toBe("olm");
});

test("Red Hat's operator is told through its CertManager resource, component by component", () => {
  if (!redHat) throw new Error("no install");
  const values = { replicaCount: 2, webhook: { resources: { limits: { memory: "256Mi" } }, nodeSelector: { disk: "ssd" } } };
  expect(setValues(redHat, step, values)).toEqual([
    {
      ...step,
      for: "olm",
      effect: "cluster",
      command: `kubectl patch certmanagers.operator.openshift.io cluster --type=merge -p '{"spec":{"controllerConfig":{"overrideReplicas":2},"webhookConfig":{"overrideResources":{"limits":{"memory":"256Mi"}},"overrideScheduling":{"nodeSelector":{"disk":"ssd"}}}}}'`,
    },
  ]);
});

test("node selector and tolerations of one component don't overwrite each other", () => {
  if (!redHat) throw new Error("no install");
  const [patch] = setValues(redHat, step, { webhook: { nodeSelector: { disk: "ssd" }, tolerations: [{ operator: "Exists" }] } });
  expect(patch?.command).toContain('"overrideScheduling":{"nodeSelector":{"disk":"ssd"},"tolerations":[{"operator":"Exists"}]}');
});

test("OLM is told through the Subscription of the installed ClusterServiceVersion", () => {
  if (!olm) throw new Error("no install");
  const [patch, ...rest] = setValues(olm, step, { webhook: { resources: { limits: { memory: "256Mi" } } } });
  expect(rest).toEqual([]);
  expect(patch?.command).toContain('@.status.installedCSV=="cert-manager.v1.16.5"');
  expect(patch?.command).toContain(`-p '{"spec":{"config":{"resources":{"limits":{"memory":"256Mi"}}}}}'`);
});

test("what an operator has no field for is not offered", () => {
  for (const install of [redHat, olm]) expect(install && setValues(install, step, { webhook: { securePort: 10260 } })).toEqual([]);
});

test("an operator puts back what is missing when it looks again", () => {
  if (!redHat || !olm) throw new Error("no install");
  expect(reapply(redHat, step).map((one) => one.command)).toEqual([
    "kubectl -n cert-manager-operator rollout restart deployment/cert-manager-operator-controller-manager",
  ]);
  expect(reapply(olm, step)[0]?.command).toMatch(/annotate clusterserviceversion cert-manager\.v1\.16\.5 /);
});
