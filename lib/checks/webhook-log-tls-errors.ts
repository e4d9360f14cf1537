import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { bundleChanged } from "../kube/bundle-fields.ts";
import type { Install } from "../kube/install.ts";
import { logTime } from "../kube/log-time.ts";
import { defineCheck } from "../model/check.ts";
import type { ContainerLog, WebhookRegistration } from "../model/facts.ts";

/** What a client says that refuses the certificate. Broken connections (EOF, time-outs) are health checks and load balancers. */
const refusal = /TLS handshake error from (?<client>\S+): remote error: tls: (?:bad certificate|unknown certificate(?: authority)?|expired certificate)/;

/** The webhook has a new certificate, so what was refused before may be history. */
const renewed = /Updated cert-manager TLS certificate|Updated serving TLS certificate|Serving certificate generated successfully/;

/** API servers take some seconds to use a new bundle. */
const grace = 60_000;
/** What is older isn't a matter of today. */
const recent = 24 * 60 * 60 * 1000;

export default defineCheck({
  id: "webhook-log-tls-errors",
  area: "webhook-reachability",
  severity: "warning",
  needs: ["deployments", "pods", "webhooks", "logs"],
  uses: [],
  causedBy: [
    "ca-bundle-empty",
    "ca-bundle-mismatch",
    "webhook-ca-expired",
    "webhook-serving-cert-expired",
    "serving-cert-wrong-san",
    "ca-bundle-malformed",
    "webhook-tls-files-problem",
  ],
  patterns: [{ in: "anywhere", text: refusal }],
  sources: ["catalogue 0.7 webhook-log-tls-errors", "catalogue 2(d)", "https://cert-manager.io/docs/troubleshooting/webhook/"],
  strings: {
    title: "Callers that refuse the webhook's certificate",
    headline: "*Somebody calls cert-manager's webhook and refuses its certificate,* since the CA bundles changed last.",
    why: "The webhook logs each caller that breaks off because it doesn't trust its certificate. In the first minute of an install that is normal. Later it means that an API server doesn't have the right CA, of several perhaps just one, or that something else looks at the port, such as a scanner.",
    ignore: "Monitoring and port scanners that don't know the CA leave the same lines. Where the callers aren't API servers there is nothing to do.",
    refused:
      "The certificate of {pod} in namespace {namespace} was refused {count, plural, one {once} other {# times}} since the CA bundles changed on {since}, the last time by {client}.",
    newer: "Only lines that are more than a minute newer than the last change of the CA bundles count; older ones are from before.",
    callers: "See who calls and breaks off",
    addresses: "See whether these are the addresses of API servers",
    none: "No log of a webhook could be read.",
  },
  run({ deployments, pods, webhooks, logs }, now) {
    const read = installs({ deployments }).flatMap((install) => {
      const own = componentPods({ pods }, install, "webhook");
      const found = logs.filter((log) => !log.previous && own.some(({ metadata }) => metadata.name === log.pod && metadata.namespace === log.namespace));
      const since = lastChange(install, webhooks);
      return since === null ? [] : found.map((log) => ({ install, log, since }));
    });
    if (read.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const problems = read.flatMap(({ install, log, since }) => {
      const lines = refusals(log, since, now);
      const last = lines.at(-1);
      if (last === undefined) return [];
      const subject = { kind: "Pod", namespace: log.namespace, name: log.pod };
      return [
        {
          key: "refused" as const,
          values: {
            count: lines.length,
            pod: log.pod,
            namespace: log.namespace,
            since: since.toISOString().slice(0, 16).replace("T", " "),
            client: hostOf(last),
          },
          severity: "warning" as const,
          subject,
          component: "webhook" as const,
          install: install.namespace,
          transient: true,
          evidence: [{ object: subject, path: `log/${log.container}`, value: last }],
          fix: [
            {
              title: { key: "callers" as const },
              for: "kubectl" as const,
              command: `kubectl -n ${log.namespace} logs ${log.pod} -c ${log.container} | grep "TLS handshake error" | grep -oE "from \\S+:" | sort | uniq -c`,
              effect: "none" as const,
            },
            {
              title: { key: "addresses" as const },
              for: "kubectl" as const,
              command: "kubectl get endpointslices -n default -l kubernetes.io/service-name=kubernetes -o wide\nkubectl get nodes,pods -A -o wide",
              effect: "none" as const,
            },
          ],
        },
      ];
    });
    return problems.length > 0 ? { status: "fail", problems, because: [{ key: "newer" }] } : { status: "pass" };
  },
});

/** When the CA bundle of a registration that calls the install changed last. */
function lastChange({ namespace }: Install, webhooks: readonly WebhookRegistration[]): Date | null {
  const own = webhooks.filter(({ configuration }) => configuration.webhooks?.some(({ clientConfig }) => clientConfig.service?.namespace === namespace));
  const times = own.flatMap(({ configuration }) => bundleChanged(configuration)?.getTime() ?? []);
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}

function refusals({ lines }: ContainerLog, since: Date, now: Date): readonly string[] {
  const later = lines.slice(lines.findLastIndex((line) => renewed.test(line)) + 1);
  const earliest = Math.max(since.getTime() + grace, now.getTime() - recent);
  return later.filter((line) => refusal.test(line) && (logTime(line, now)?.getTime() ?? 0) > earliest);
}

function hostOf(line: string): string {
  return refusal.exec(line)?.groups?.client?.replace(/:\d+$/, "") ?? "";
}
