import { registrationRef } from "../derive/called-services.ts";
import { claimCall } from "../derive/claim-call.ts";
import { installs } from "../derive/installs.ts";
import { targetOf } from "../derive/webhook-call.ts";
import { roleOf, roleStrings } from "../derive/webhook-role.ts";
import { reapply } from "../kube/commands.ts";
import { defineCheck, type Evidence, type Pattern } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

const lookup = /(?<!proxyconnect tcp: )dial tcp: lookup (?<host>[^\s:]+)(?: on \S+)?: /;
const patterns: readonly Pattern[] = [
  { in: "webhook-call", text: lookup },
  { in: "webhook-call", text: /(?:^|: )notresolvable\b/ },
];

export default defineCheck({
  id: "webhook-dns-failure",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "webhooks", "deployments"],
  causedBy: ["webhook-config-wrong-target", "apiserver-egress-proxy"],
  patterns,
  sources: [
    "catalogue 1.8 webhook-dns-failure",
    "catalogue 0.7.7",
    "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/",
    "https://github.com/cert-manager/cert-manager/issues/4606",
  ],
  strings: {
    title: "Webhook's name not resolved",
    headline: "*No Certificate or Issuer can be created or changed,* because the API server can't find out the address of cert-manager's webhook.",
    why: "For a webhook behind a Service the API server needs no DNS: it knows the Service's address. It asks DNS where a registration calls a URL instead of a Service, and where a proxy or a control plane outside the cluster stands in between.",
    ...roleStrings,
    url: {
      text: "{kind} {name} calls the webhook by a URL, and the API server can't resolve {host}.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    name: "The API server tried to resolve {host} by DNS, although it knows the Services of its own cluster without it.",
    page: "The API server's call to {target} was answered with `notresolvable`, which is a proxy's word for a name that it doesn't know.",
    "not-dropped": "It was the lookup of a name that failed: nothing was sent to the webhook yet.",
    restore: "Call the Service again instead of a URL",
    "restore-changes":
      "The manifest of the same version is applied again, with a registration that calls the Service. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay as they are.",
    registrations: "See what the registrations call",
    proxy: "See whether the API server is told to use a proxy",
    unseen: "The API server didn't look up a name, or doesn't say what became of it.",
  },
  run({ apiProbe, reportedErrors, webhooks, deployments }) {
    const { made, verdict } = claimCall({ apiProbe, reportedErrors }, patterns, "dialing", "unseen");
    if (!made) return verdict;
    const { call } = made;
    const host = lookup.exec(call.reason)?.groups?.host;
    const byUrl = (knownValue(webhooks) ?? []).flatMap(({ configuration }) =>
      (configuration.webhooks ?? []).flatMap(({ clientConfig }, index) =>
        clientConfig.url && host && hostOf(clientConfig.url) === host ? [{ ref: registrationRef(configuration), index, url: clientConfig.url }] : [],
      ),
    );
    const evidence: readonly Evidence[] = byUrl.map(({ ref, index, url }) => ({ object: ref, path: `webhooks[${index}].clientConfig.url`, value: url }));
    const [caller] = byUrl;
    const found = installs({ deployments: knownValue(deployments) ?? [] });
    const install = found.find((one) => caller && one.components.webhook?.metadata.name === caller.ref.name) ?? found.find((one) => one.components.webhook);
    return {
      status: "fail",
      problems: [
        {
          key: caller ? "url" : host ? "name" : "page",
          values: { kind: caller?.ref.kind ?? "", name: caller?.ref.name ?? "", host: host ?? "", target: targetOf(call) },
          severity: "blocker",
          subject: caller?.ref ?? made.subject,
          component: "webhook",
          install: call.namespace ?? install?.namespace,
          evidence: [made.evidence, ...evidence],
          fix: [
            ...(caller && install ? reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } }) : []),
            ...(caller
              ? []
              : [
                  {
                    title: { key: "proxy" as const },
                    for: "kubectl" as const,
                    command: `kubectl -n kube-system get pods -l component=kube-apiserver -o jsonpath='{range .items[*].spec.containers[*].env[*]}{.name}={.value}{"\\n"}{end}'`,
                    effect: "none" as const,
                  },
                ]),
            {
              title: { key: "registrations" as const },
              for: "kubectl" as const,
              command:
                "kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations -o custom-columns='KIND:.kind,NAME:.metadata.name,URL:.webhooks[*].clientConfig.url,SERVICE:.webhooks[*].clientConfig.service.name'",
              effect: "none" as const,
            },
          ],
        },
      ],
      because: roleOf(call),
      ruledOut: [{ check: "webhook-io-timeout", key: "not-dropped" }],
    };
  },
});

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
