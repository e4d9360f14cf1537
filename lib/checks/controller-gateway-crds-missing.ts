import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { refusals } from "../derive/refusals.ts";
import { type ChartValues, setValues } from "../kube/chart-values.ts";
import { restart } from "../kube/commands.ts";
import { type Install, mainContainer } from "../kube/install.ts";
import { isPodReady } from "../kube/readiness.ts";
import { isAtLeast } from "../kube/version.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";
import type { Deployment } from "../model/kubernetes.ts";

const missing = /Gateway API (?:ListenerSet )?CRDs? do not seem to be present/;
const listenerSet = /Gateway API ListenerSet CRDs? do not seem to be present/;
const flag = /^--enable-gateway-api(?:-listener-?set)?(?:=true)?$|^--feature-gates=.*(?:ExperimentalGatewayAPISupport|ListenerSets)=true/;
/** The release of the Gateway API that cert-manager 1.21 is built with; earlier ones are served by it too. */
const gatewayApi = "https://github.com/kubernetes-sigs/gateway-api/releases/download/v1.6.0/standard-install.yaml";

type Key = "crds" | "crds-changes" | "again" | "again-changes" | "without" | "without-changes" | "without-undo" | "served";

export default defineCheck({
  id: "controller-gateway-crds-missing",
  area: "controller",
  severity: "blocker",
  needs: ["deployments", "pods"],
  uses: ["logs"],
  causedBy: [],
  patterns: [{ in: "anywhere", text: missing }],
  sources: [
    "catalogue 1.10 controller-gateway-crds-missing",
    "https://cert-manager.io/docs/usage/gateway/",
    "https://github.com/cert-manager/cert-manager/issues/6649",
    "https://github.com/cert-manager/cert-manager/issues/5449",
  ],
  strings: {
    title: "Controller without the Gateway API that it was told to use",
    headline: "*No certificate is issued or renewed,* because the controller was told to use the Gateway API, doesn't find it and ends.",
    why: "The controller asks the API server once, when it starts, for the Gateway API in version v1 (cert-manager 1.14 and later). CRDs that are there but serve only older versions count as missing. Order matters: the CRDs first, then the controller.",
    gateway: "{name} in namespace {namespace} ends at each start: the API server doesn't serve `gateway.networking.k8s.io/v1`, which it was told to use.",
    listeners: "{name} in namespace {namespace} ends at each start: the Gateway API is there without ListenerSet, which it was told to use.",
    said: "The controller's own last words say so.",
    "not-own": "It is the CRDs of the Gateway API that are missing, not cert-manager's.",
    served: "See which versions of the Gateway API are served",
    crds: "Install the Gateway API's CRDs",
    "crds-changes":
      "The CRDs of the Gateway API are created, or updated to a release that serves v1. Gateways and routes that exist stay; other products that use them see a newer version.",
    again: "Start the controller again",
    "again-changes": "The pods of the controller are replaced; it looks for the Gateway API again.",
    without: "Or run without the Gateway API",
    "without-changes": "The controller starts without the Gateway API: Gateways get no certificates, and nothing else changes.",
    "without-undo": "Set the value that was there before, once the CRDs are there.",
    none: "No controller of cert-manager is here.",
  },
  run({ deployments, pods, logs }) {
    const found = installs({ deployments }).flatMap((install) => {
      const { controller } = install.components;
      return controller ? [{ install, controller, unready: componentPods({ pods }, install, "controller").filter((pod) => !isPodReady(pod)) }] : [];
    });
    if (found.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const down = found.filter(({ unready }) => unready.length > 0);
    const problems = down.flatMap(({ install, controller, unready }) => {
      const lines = refusals(install, "controller", { pods: { state: "known", value: unready }, logs }, missing);
      if (lines.length === 0) return [];
      return [
        {
          key: lines.some(({ value }) => listenerSet.test(value ?? "")) ? ("listeners" as const) : ("gateway" as const),
          values: { name: controller.metadata.name, namespace: install.namespace },
          severity: "blocker" as const,
          subject: { kind: "Deployment", namespace: install.namespace, name: controller.metadata.name },
          component: "controller" as const,
          install: install.namespace,
          evidence: [...lines, ...told(controller)],
          fix: fix(install, controller),
        },
      ];
    });
    if (problems.length > 0) return { status: "fail", problems, because: [{ key: "said" }], ruledOut: [{ check: "crds-missing", key: "not-own" }] };
    return down.length > 0 && logs.state !== "known" ? { status: "needs", fact: "logs" } : { status: "pass" };
  },
});

/** The flag that asks for the Gateway API, where it isn't in a file of settings. */
function told(controller: Deployment): readonly Evidence[] {
  const { namespace, name } = controller.metadata;
  const { containers } = controller.spec.template.spec;
  const main = mainContainer(controller);
  return (main?.args ?? []).flatMap((arg, index) =>
    flag.test(arg)
      ? [
          {
            object: { kind: "Deployment", namespace, name },
            path: `spec.template.spec.containers[${main ? containers.indexOf(main) : 0}].args[${index}]`,
            value: arg,
          },
        ]
      : [],
  );
}

function fix(install: Install, controller: Deployment): readonly FixStep<Key>[] {
  const without = { title: { key: "without" as const }, changes: { key: "without-changes" as const }, undo: { key: "without-undo" as const } };
  const [asked] = told(controller);
  // A flag counts more than the file, so there the values that make the file change nothing.
  const off = asked
    ? [{ ...without, for: "kubectl" as const, command: withoutArgument(controller, asked), effect: "cluster" as const }]
    : setValues(install, without, valuesWithout(install.version));
  return [
    {
      title: { key: "served" },
      for: "kubectl",
      command: "kubectl get crd gateways.gateway.networking.k8s.io -o jsonpath='{.spec.versions[?(@.served)].name}'",
      effect: "none",
    },
    { title: { key: "crds" }, for: "kubectl", command: `kubectl apply --server-side -f ${gatewayApi}`, effect: "cluster", changes: { key: "crds-changes" } },
    {
      title: { key: "again" },
      for: "kubectl",
      command: restart(install.namespace, controller.metadata.name),
      effect: "cluster",
      changes: { key: "again-changes" },
    },
    ...off,
  ];
}

function withoutArgument({ metadata: { namespace, name } }: Deployment, { path, value }: Evidence): string {
  const pointer = `/${path.replaceAll(/\[(\d+)\]/g, "/$1").replaceAll(".", "/")}`;
  const patch = JSON.stringify([
    { op: "test", path: pointer, value },
    { op: "remove", path: pointer },
  ]);
  return `kubectl -n ${namespace} patch deployment ${name} --type=json -p '${patch}'`;
}

/** Where the setting is, by release: a feature gate at first, a field of its own from 1.15, a group of fields from 1.21. */
function valuesWithout(version: string): ChartValues {
  if (isAtLeast(version, "v1.21.0")) return { config: { gatewayAPI: { enabled: false } } };
  return isAtLeast(version, "v1.15.0") ? { config: { enableGatewayAPI: false } } : { featureGates: "ExperimentalGatewayAPISupport=false" };
}
