import { installs } from "../derive/installs.ts";
import { chartVersion, helmWithValues, isUpstreamChart } from "../kube/chart-values.ts";
import { lines } from "../kube/commands.ts";
import { gitOpsOwnerOf } from "../kube/gitops.ts";
import { componentSelector, components, flagOf, type Install, leaderElectionNamespace, mainContainer } from "../kube/install.ts";
import { certManagerResources, crdName } from "../kube/resources.ts";
import { versionNumbers } from "../kube/version.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import type { WebhookRegistration } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { Container } from "../model/kubernetes.ts";
import type { ObjectRef } from "../model/object-ref.ts";

type Key =
  | "compare"
  | "backup"
  | "keep-crds"
  | "keep-crds-changes"
  | "uninstall"
  | "uninstall-changes"
  | "uninstall-undo"
  | "stop"
  | "stop-changes"
  | "stop-undo";

export default defineCheck({
  id: "multiple-installs",
  area: "discovery",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhooks"],
  causedBy: [],
  sources: [
    "catalogue 1.1 multiple-installs",
    "https://github.com/cert-manager/cert-manager/issues/2525",
    "https://github.com/openshift/cert-manager-operator/issues/148",
    "https://cert-manager.io/docs/installation/helm/",
  ],
  strings: {
    title: "More than one cert-manager in the cluster",
    headline: "*Several cert-managers work on the same Certificates,* because the cluster has more than one install.",
    why: "cert-manager's kinds belong to the whole cluster, so every install works on all of them, in all namespaces. Often another product brings a cert-manager of its own.",
    ignore: "While you move from one install to another this is as it should be, for as long as only one of them runs.",
    rivals: {
      text: "Certificates are requested twice and conditions go back and forth: namespaces {first} and {second} each have a cert-manager that thinks it is the only one.",
      note: "both are namespaces; they may be the same one",
    },
    idle: "Release {release} in namespace {second} stands beside the cert-manager in namespace {first}: both take their turn by the same lease, so only one of them works, and which one changes with every restart.",
    leases: "They take their leases in different namespaces, {first} and {second}, so neither waits for the other.",
    registrations: "Two sets of registrations send the same requests to different webhooks, and each of them can refuse.",
    "old-chart":
      "The chart of release {release} is older than 1.15: uninstalling it can delete the CRDs, and with them every Certificate, so no command for that is offered here.",
    compare: "Compare them: age, version, namespace",
    backup: "Save all objects of cert-manager's kinds",
    "keep-crds": "Make sure that the CRDs outlive the release {release}",
    "keep-crds-changes":
      "Release {release} marks its CRDs to be kept. Nothing happens where the release belongs to a product that embeds cert-manager: turn it off in that product's values then.",
    uninstall: "Remove the release {release} in namespace {namespace}, if it is the one to go",
    "uninstall-changes":
      "Its Deployments, registrations and roles go. CRDs, Certificates and Secrets stay, and the other install works on them from then on. Nothing happens where the release belongs to a product that embeds cert-manager.",
    "uninstall-undo": "Install the release again with the same values.",
    stop: "Remove the install in namespace {namespace}, if it is the one to go",
    "stop-changes":
      "Its Deployments, and the registrations that call them, are deleted. CRDs, Certificates and Secrets stay, and the other install works on them from then on.",
    "stop-undo": "Apply its manifest again.",
    none: "No component of cert-manager is installed.",
  },
  run({ deployments, webhooks }) {
    const found = installs({ deployments });
    if (found.length === 0) return { status: "not-applicable", because: { key: "none" } };
    // Parts that complete each other are one install whose labels differ.
    const rivals = found.filter((one) =>
      found.some((other) => other !== one && components.some((component) => one.components[component] && other.components[component])),
    );
    if (rivals.length < 2) return { status: "pass" };
    const [oldest, ...others] = [...rivals].sort((a, b) => bornOf(a) - bornOf(b)) as [Install, ...Install[]];
    const known = webhooks.state === "known" ? webhooks.value : undefined;
    const registrations = known ?? [];
    const leaseNamespaces = [...new Set(rivals.map(leaderElectionNamespace))];
    const called = new Set(
      registrations.flatMap(({ configuration }) =>
        (configuration.webhooks ?? []).map(({ clientConfig: { service } }) => service && `${service.namespace}/${service.name}`),
      ),
    );
    return {
      status: "fail",
      problems: others.map((other) => {
        const apart = leaderElectionNamespace(other) !== leaderElectionNamespace(oldest);
        return {
          key: apart ? ("rivals" as const) : ("idle" as const),
          values: { first: oldest.namespace, second: other.namespace, release: other.release },
          severity: apart ? ("blocker" as const) : ("degraded" as const),
          subject: refOf(other),
          evidence: [...evidenceOf(oldest), ...evidenceOf(other), ...registrations.flatMap(calls)],
          fix: [
            {
              title: { key: "compare" as const },
              for: "kubectl" as const,
              command: `kubectl get deployments -A -l '${componentSelector}' -o wide`,
              effect: "none" as const,
            },
            {
              title: { key: "backup" as const },
              for: "kubectl" as const,
              command: `kubectl get ${certManagerResources.map(crdName).join(",")} -A -o yaml > cert-manager-objects.yaml`,
              effect: "none" as const,
            },
            // The younger one came to a cluster that had one already, so it stands first.
            ...removal(other, known),
            ...removal(oldest, known),
          ],
        };
      }),
      because: [
        ...(leaseNamespaces.length > 1 ? [{ key: "leases" as const, values: { first: leaseNamespaces[0] ?? "", second: leaseNamespaces[1] ?? "" } }] : []),
        ...(called.size > 1 ? [{ key: "registrations" as const }] : []),
        ...rivals.filter(deletesCrds).map(({ release }) => ({ key: "old-chart" as const, values: { release } })),
      ],
    };
  },
});

function bornOf(install: Install): number {
  return Math.min(...Object.values(install.components).map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? "") || Number.POSITIVE_INFINITY));
}

function refOf({ namespace, components: { controller, webhook, cainjector } }: Install): ObjectRef {
  return { kind: "Deployment", namespace, name: (controller ?? webhook ?? cainjector)?.metadata.name ?? "" };
}

function evidenceOf(install: Install): readonly Evidence[] {
  const object = refOf(install);
  const born = bornOf(install);
  return [
    { object, path: "metadata.creationTimestamp", value: Number.isFinite(born) ? new Date(born).toISOString().replace(".000", "") : null },
    ...Object.values(install.components).flatMap((deployment) => {
      const flag = flagOf(deployment, "leader-election-namespace");
      const { containers } = deployment.spec.template.spec;
      const index = containers.indexOf(mainContainer(deployment) as Container);
      const path = `spec.template.spec.containers[${index}].args`;
      return flag ? [{ object: { ...object, name: deployment.metadata.name }, path, value: `--leader-election-namespace=${flag}` }] : [];
    }),
  ];
}

function calls({ configuration: { kind, metadata, webhooks = [] } }: WebhookRegistration): readonly Evidence[] {
  const service = webhooks[0]?.clientConfig.service;
  return service ? [{ object: { kind, name: metadata.name }, path: "webhooks[0].clientConfig.service", value: `${service.namespace}/${service.name}` }] : [];
}

/** Whether `helm uninstall` may take the CRDs along: charts keep them since 1.15, and an unknown version isn't trusted. */
function deletesCrds(install: Install): boolean {
  return install.method === "helm" && (versionNumbers(chartVersion(install))?.[1] ?? 0) < 15;
}

/** How to take one install away and leave what is stored: never by its manifest, which holds the CRDs. */
function removal(install: Install, registrations: readonly WebhookRegistration[] | undefined): readonly FixStep<Key>[] {
  const { namespace, release, method } = install;
  const deployments = Object.values(install.components);
  // Operators and GitOps would put everything back: they are told elsewhere.
  if (method === "olm" || deployments.some(gitOpsOwnerOf)) return [];
  if (method === "helm") {
    if (!isUpstreamChart(install)) return [];
    if (deletesCrds(install)) return [];
    // A product that embeds cert-manager gives its own release's name to it: that release must not go as a whole.
    const guard = `helm get metadata ${release} --namespace ${namespace} -o json | grep -q '"chart": *"cert-manager"' &&`;
    return [
      {
        title: { key: "keep-crds", values: { release } },
        for: "helm",
        command: lines(guard, helmWithValues(install, { crds: { keep: true } })),
        effect: "cluster",
        changes: { key: "keep-crds-changes", values: { release } },
      },
      {
        title: { key: "uninstall", values: { release, namespace } },
        for: "helm",
        command: lines(guard, `helm uninstall ${release} --namespace ${namespace}`),
        effect: "cluster",
        changes: { key: "uninstall-changes" },
        undo: { key: "uninstall-undo" },
      },
    ];
  }
  // Registrations that stay behind would refuse everything, so those of this install must be known.
  if (!registrations) return [];
  const own = registrations.filter(({ configuration }) => configuration.webhooks?.every((webhook) => webhook.clientConfig.service?.namespace === namespace));
  return [
    {
      title: { key: "stop", values: { namespace } },
      for: "kubectl",
      command: [
        ...own.map(({ configuration: { kind, metadata } }) => `kubectl delete ${kind.toLowerCase()} ${metadata.name}`),
        `kubectl -n ${namespace} delete deployment ${deployments.map(({ metadata }) => metadata.name).join(" ")}`,
      ].join("\n"),
      effect: "cluster",
      changes: { key: "stop-changes" },
      undo: { key: "stop-undo" },
    },
  ];
}
