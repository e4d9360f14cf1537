import { type CalledService, calledServices, callerEvidence } from "../derive/called-services.ts";
import { installs } from "../derive/installs.ts";
import { webhookCall } from "../derive/webhook-call.ts";
import { reapply } from "../kube/commands.ts";
import { componentOf, type Install, ownContainer } from "../kube/install.ts";
import { isSelected } from "../kube/label-selector.ts";
import { declaredPort, kubeletPort, listeningPort, movePort } from "../kube/webhook-port.ts";
import { defineCheck, type Evidence, type Pattern } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { Pod, Service } from "../model/kubernetes.ts";

const noPort = /no service port (?<port>\d+) found for service/;
const unroutable = /cannot route to service with ClusterIP "None"|unsupported service type/;
const patterns: readonly Pattern[] = [
  { in: "webhook-call", text: noPort },
  { in: "webhook-call", text: unroutable },
];

export default defineCheck({
  id: "webhook-service-port-mismatch",
  area: "webhook-reachability",
  severity: "blocker",
  needs: ["webhooks", "webhookServices"],
  uses: ["deployments", "pods", "apiProbe", "reportedErrors"],
  causedBy: ["webhook-config-wrong-target"],
  patterns,
  sources: [
    "catalogue 1.8 webhook-service-port-mismatch",
    "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#service-reference",
    "https://kubernetes.io/docs/concepts/services-networking/service/#field-spec-ports",
    "https://github.com/cert-manager/cert-manager/pull/2806",
  ],
  strings: {
    title: "Service that doesn't lead to the webhook's port",
    headline:
      "*No Certificate or Issuer can be created or changed,* because the Service in front of cert-manager's webhook doesn't lead to the port where the webhook listens.",
    why: "The API server looks up the port that the registration names, 443 if none, in the Service; the Service's `targetPort` then says which port of the pod is meant, by name or by number. A name must be the name of a container's port. Nothing warns where one of these doesn't fit, and the pods look healthy all the same.",
    "no-port": {
      text: "The registrations call port {port} of Service {service} in namespace {namespace}, which has {ports}.",
      note: "Service is the Kubernetes kind; {ports} lists numbers, or is a dash",
    },
    unnamed: {
      text: "Service {service} in namespace {namespace} leads to a port called `{target}`, and no container of pod {pod} has a port of that name.",
      note: "Service is the Kubernetes kind",
    },
    elsewhere: {
      text: "Service {service} in namespace {namespace} leads to port {target}, and the webhook listens on {listening}.",
      note: "Service is the Kubernetes kind",
    },
    headless: {
      text: "Service {service} in namespace {namespace} has no address of its own (`clusterIP: None`), and this API server only calls Services that have one.",
      note: "Service is the Kubernetes kind",
    },
    external: {
      text: "Service {service} in namespace {namespace} is of type {type}, which this API server doesn't call.",
      note: "Service is the Kubernetes kind",
    },
    exists: "The Service is there.",
    compared: "The ports were compared as the control plane does it: by name or by number, in the pods that the Service selects.",
    number: "Give the Service's port its number back",
    "number-changes": "The port that leads to the webhook is called {port} again, as the registrations call it. Calls get through as soon as the nodes know.",
    "number-undo": "The same step with {was} takes it back.",
    target: "Lead the Service to the webhook's port",
    "target-changes": "Port {port} of the Service leads to the port that the webhook's container calls `https`. Calls get through as soon as the nodes know.",
    "target-undo": "There is nothing worth going back to: with the old value no call got through.",
    name: "Or give the webhook's port its name by hand",
    "name-changes": "The webhook's pods are replaced by new ones that call port {port} `https`, so that the Service finds it.",
    "name-undo": "`kubectl rollout undo` of the webhook's Deployment brings back the pods whose port has no name.",
    delete: "Delete the Service, whose address can't be changed",
    "delete-changes": "The Service is gone until the next step makes it anew. No call gets through it now.",
    restore: "Put Service and ports back as the manifest has them",
    "restore-changes":
      "The manifest of the same version is applied again. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay as they are.",
    see: "See which ports Service and endpoints have",
    untried: "Whether this API server calls a Service without an address of its own, only a call tells, and it made none.",
    none: "No registration calls a Service for cert-manager's webhook.",
  },
  run({ webhooks, webhookServices, deployments, pods, apiProbe, reportedErrors }) {
    const called = calledServices({ webhooks, webhookServices }).flatMap(({ service, ...rest }) => (service ? [{ ...rest, service }] : []));
    if (called.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const made = webhookCall({ apiProbe, reportedErrors });
    const found = installs({ deployments: knownValue(deployments) ?? [] });
    const faults = called.flatMap((one) => {
      const install = found.find((candidate) => candidate.namespace === one.ref.namespace && candidate.components.webhook);
      const refused = made.outcome === "failed" && made.call.service === one.ref.name && made.call.namespace === one.ref.namespace ? made : undefined;
      const fault =
        missingPort(one) ??
        (refused && unroutable.test(refused.call.reason) ? addressless(one) : undefined) ??
        (made.outcome === "answered" ? undefined : wrongTarget(one, install, knownValue(pods) ?? []));
      return fault ? [{ ...one, install, fault, refused }] : [];
    });
    if (faults.length === 0) {
      if (made.outcome === "answered") return { status: "pass" };
      if (pods.state !== "known") return { status: "needs", fact: "pods" };
      if (made.outcome === "failed" || !called.some(isAddressless)) return { status: "pass" };
      return made.outcome === "unknown" ? { status: "needs", fact: "apiProbe" } : { status: "not-applicable", because: { key: "untried" } };
    }
    return {
      status: "fail",
      problems: faults.map(({ ref, callers, service, install, fault, refused }) => ({
        key: fault.key,
        values: { service: ref.name, namespace: ref.namespace, ...fault.values },
        severity: "blocker" as const,
        subject: ref,
        component: "webhook" as const,
        install: ref.namespace,
        evidence: [...fault.evidence, ...callerEvidence({ ref, callers, service }), ...(refused ? [refused.evidence] : [])],
        fix: fix({ ref, service }, fault, install),
      })),
      because: faults.some(({ fault }) => fault.key === "unnamed" || fault.key === "elsewhere") ? [{ key: "compared" }] : [],
      ruledOut: [{ check: "webhook-service-missing", key: "exists" }],
    };
  },
});

type Called = Omit<CalledService, "service"> & { readonly service: Service };

interface Fault {
  readonly key: "no-port" | "unnamed" | "elsewhere" | "headless" | "external";
  readonly values: Readonly<Record<string, string | number>>;
  readonly evidence: readonly Evidence[];
  /** The Service's port that leads astray, by its place. */
  readonly index?: number;
}

/** The numbers that the registrations call the Service by. */
function portsCalled({ callers }: Called): readonly number[] {
  return [...new Set(callers.map(({ configuration, index }) => configuration.webhooks?.[index]?.clientConfig.service?.port ?? 443))];
}

function missingPort(one: Called): Fault | undefined {
  const ports = one.service.spec?.ports ?? [];
  const port = portsCalled(one).find((wanted) => !ports.some((candidate) => candidate.port === wanted));
  if (port === undefined || one.service.spec?.type === "ExternalName") return undefined;
  const numbers = ports.map((candidate) => candidate.port).join(", ");
  const index = ports.findIndex(({ name, targetPort }) => name === "https" || targetPort === "https");
  return {
    key: "no-port",
    values: { port, ports: numbers || "–" },
    ...(index >= 0 ? { index } : {}),
    evidence: [{ object: one.ref, path: "spec.ports", value: numbers || null }],
  };
}

function isAddressless({ service: { spec } }: Called): boolean {
  return spec?.type === "ExternalName" || spec?.clusterIP === "None";
}

/** Whether an API server calls such Services depends on how it finds their endpoints, so it is asked. */
function addressless({ ref, service }: Called): Fault | undefined {
  const { type = "ClusterIP", clusterIP } = service.spec ?? {};
  if (clusterIP === "None") return { key: "headless", values: {}, evidence: [{ object: ref, path: "spec.clusterIP", value: clusterIP }] };
  return { key: "external", values: { type }, evidence: [{ object: ref, path: "spec.type", value: type }] };
}

/** A target that isn't the webhook's port, by the pods that the Service selects. */
function wrongTarget(one: Called, install: Install | undefined, pods: readonly Pod[]): Fault | undefined {
  const { ref, service } = one;
  const selector = service.spec?.selector;
  if (!selector) return undefined;
  const selected = pods.filter(
    (pod) => pod.metadata.namespace === ref.namespace && isSelected(pod.metadata.labels, selector) && componentOf(pod, pod.spec.containers) === "webhook",
  );
  const [pod] = selected;
  if (!pod) return undefined;
  const webhook = install?.components.webhook;
  const index = service.spec?.ports?.findIndex(({ port }) => portsCalled(one).includes(port)) ?? -1;
  const port = service.spec?.ports?.[index];
  if (!port) return undefined;
  const target = port.targetPort ?? port.port;
  const evidence = [{ object: ref, path: `spec.ports[${index}].targetPort`, value: String(target) }];
  const reached = typeof target === "number" ? target : numberOf(pod, target);
  if (reached === undefined) {
    // Old and new pods may differ for as long as a rollout takes.
    return selected.some((other) => numberOf(other, String(target)) !== undefined)
      ? undefined
      : { key: "unnamed", values: { target, pod: pod.metadata.name }, evidence: [...evidence, ...portEvidence(pod)], index };
  }
  // Another program in the pod may take the calls on purpose.
  if (
    pod.spec.containers.some((container) => container !== ownContainer(pod.spec.containers) && container.ports?.some((one) => one.containerPort === reached))
  ) {
    return undefined;
  }
  const own = [listeningPort(webhook), declaredPort(webhook), numberOf(pod, "https")].filter((number) => number !== undefined);
  if (own.length === 0 || own.includes(reached)) return undefined;
  return { key: "elsewhere", values: { target, listening: own[0] ?? "" }, evidence: [...evidence, ...portEvidence(pod)], index };
}

function numberOf({ spec }: Pod, name: string): number | undefined {
  return spec.containers.flatMap(({ ports = [] }) => ports).find((port) => port.name === name)?.containerPort;
}

function portEvidence(pod: Pod): readonly Evidence[] {
  const main = ownContainer(pod.spec.containers);
  const index = main ? pod.spec.containers.indexOf(main) : 0;
  const names = (main?.ports ?? []).map(({ name, containerPort }) => `${name ?? "–"} ${containerPort}`).join(", ");
  const object = { kind: "Pod", namespace: pod.metadata.namespace, name: pod.metadata.name };
  return [{ object, path: `spec.containers[${index}].ports`, value: names || null }];
}

function fix({ ref, service }: Pick<Called, "ref" | "service">, { key, index, values }: Fault, install: Install | undefined) {
  const { namespace, name } = ref;
  const webhook = install?.components.webhook;
  const see = {
    title: { key: "see" as const },
    for: "kubectl" as const,
    command: `kubectl -n ${namespace} get service ${name} -o jsonpath='{.spec.ports}{"\\n"}' && kubectl -n ${namespace} get endpointslices -l kubernetes.io/service-name=${name}`,
    effect: "none" as const,
  };
  const restore = install ? reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } }) : [];
  if (key === "headless") {
    const remove = {
      title: { key: "delete" as const },
      for: "kubectl" as const,
      command: `kubectl -n ${namespace} delete service ${name}`,
      effect: "cluster" as const,
      changes: { key: "delete-changes" as const },
    };
    return restore.length > 0 ? [remove, ...restore, see] : [see];
  }
  const astray = index === undefined ? undefined : service.spec?.ports?.[index];
  if (key === "no-port" && astray) {
    const port = Number(values.port);
    const renumber = {
      title: { key: "number" as const },
      for: "kubectl" as const,
      command: `kubectl -n ${namespace} patch service ${name} --type=json -p '[{"op":"replace","path":"/spec/ports/${index}/port","value":${port}}]'`,
      effect: "cluster" as const,
      changes: { key: "number-changes" as const, values: { port } },
      undo: { key: "number-undo" as const, values: { was: astray.port } },
    };
    // Helm would add the port beside the one of the same name, which the API server refuses.
    return [renumber, see];
  }
  const isNamed = declaredPort(webhook) !== undefined;
  if (webhook && key === "unnamed" && !isNamed) {
    const port = listeningPort(webhook) ?? kubeletPort;
    const give = {
      title: { key: "name" as const },
      for: "kubectl" as const,
      command: movePort(webhook, port),
      effect: "cluster" as const,
      changes: { key: "name-changes" as const, values: { port } },
      undo: { key: "name-undo" as const },
    };
    return [...restore, { ...give, instead: true }, see];
  }
  const lead =
    isNamed && astray && astray.targetPort !== "https"
      ? [
          {
            title: { key: "target" as const },
            for: "kubectl" as const,
            command: `kubectl -n ${namespace} patch service ${name} --type=json -p '[{"op":"add","path":"/spec/ports/${index}/targetPort","value":"https"}]'`,
            effect: "cluster" as const,
            changes: { key: "target-changes" as const, values: { port: astray.port } },
            undo: { key: "target-undo" as const },
          },
        ]
      : [];
  return [...lead, ...restore, see];
}
