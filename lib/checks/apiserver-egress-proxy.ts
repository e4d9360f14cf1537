import { apiServerProxies } from "../derive/api-server-proxies.ts";
import { trustedCas } from "../derive/trusted-ca.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { isApiServer } from "../kube/control-plane.ts";
import { matchesAny } from "../kube/error-text.ts";
import { stageOf } from "../kube/webhook-failure.ts";
import { defineCheck, type Evidence, type Pattern } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { Pod } from "../model/kubernetes.ts";

const patterns: readonly Pattern[] = [
  { in: "webhook-call", text: /^(?:Service Unavailable|Gateway Time-?out|Bad Gateway|Forbidden|Proxy Authentication Required)(?![\w ])/ },
  { in: "webhook-call", text: /proxyconnect tcp: / },
];
/** Signed by somebody unknown, and not by another key under the webhook CA's name. */
const otherIssuer = /x509: certificate signed by unknown authority(?! \(possibly)/;
/** Who dials the Service's own address uses no proxy, whatever the environment says. */
const directly = /(?<!proxyconnect tcp: )dial tcp [\d.[]/;
const manifest = "/etc/kubernetes/manifests/kube-apiserver.yaml";
const exceptions = ".svc,.cluster.local";

export default defineCheck({
  id: "apiserver-egress-proxy",
  area: "platform",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "controlPlanePods", "webhooks", "caSecrets", "deployments"],
  causedBy: [],
  patterns,
  sources: [
    "catalogue 1.8 apiserver-egress-proxy",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-init/",
    "https://github.com/cert-manager/cert-manager/issues/2640",
    "https://github.com/metallb/metallb/issues/2089",
  ],
  strings: {
    title: "Proxy between API server and webhook",
    headline: "*No Certificate or Issuer can be created or changed,* because the API server sends its calls to cert-manager's webhook through an HTTP proxy.",
    likely:
      "*No Certificate or Issuer can be created or changed:* somebody other than cert-manager's webhook answers the API server, most likely a proxy that opens TLS.",
    why: "An API server that was started with `HTTPS_PROXY` uses the proxy for every address that `NO_PROXY` doesn't except. A proxy outside of the cluster can't reach a Service in it. kubeadm copies these variables from the shell it runs in. Ranges of addresses in `NO_PROXY` don't help, since webhooks are called by name.",
    env: "{pod} has the proxy {proxy} in its environment, and its `NO_PROXY` doesn't except {target}.",
    said: "The API server's call to {target} ended with words that a proxy says and cert-manager's webhook doesn't.",
    "other-ca":
      "The API server's call to {target} met a certificate that nobody signed whom it knows. The registrations trust the CA that the webhook signs with, so the certificate is somebody else's.",
    sure: "The call failed, and the environment of the API server sends it through the proxy.",
    words: "The webhook answers with JSON or not at all. These words are an HTTP proxy's.",
    compared: "The CA bundles of the registrations hold the CA in the webhook's Secret.",
    "not-empty": "The registrations have a CA bundle, and it is the right one.",
    look: "See which proxy the API servers use",
    except: "On each node of the control plane: except the cluster's own names from the proxy",
    "except-changes":
      "`NO_PROXY` in the API server's manifest gets `.svc` and `.cluster.local`. The kubelet then starts that API server again; with a single one the cluster's API is away for about a minute.",
    "except-undo": "Take `,.svc,.cluster.local` out of `NO_PROXY` in the same file.",
    again: "Keep it so: have kubeadm's next run see the same exceptions",
    "again-changes": "Only this shell's environment changes; `kubeadm` copies it into the manifests that it writes.",
    who: "See which certificate the webhook itself presents, on another way",
    unseen: "The API server's call didn't get as far as a proxy, or its pods can't be seen.",
  },
  run({ apiProbe, reportedErrors, controlPlanePods, webhooks, caSecrets, deployments }) {
    const made = webhookCall({ apiProbe, reportedErrors });
    if (made.outcome === "unknown") return { status: "needs", fact: "apiProbe" };
    if (made.outcome === "answered") return { status: "pass" };
    if (made.outcome === "not-called" || stageOf(made.call.reason) === "unrouted") return { status: "not-applicable", because: { key: "unseen" } };
    const { call, message } = made;
    const proxied = directly.test(call.reason) ? [] : apiServerProxies(knownValue(controlPlanePods) ?? [], call);
    const said = matchesAny(message, patterns);
    const otherCa = otherIssuer.test(call.reason) && isBundleRight();
    const key = proxied.length > 0 ? "env" : said ? "said" : otherCa ? "other-ca" : undefined;
    if (!key) {
      if (controlPlanePods.state !== "known") return { status: "needs", fact: "controlPlanePods" };
      return controlPlanePods.value.some(isApiServer) ? { status: "pass" } : { status: "not-applicable", because: { key: "unseen" } };
    }

    /** Whether every registration that calls this Service trusts the CA in the webhook's Secret. */
    function isBundleRight(): boolean {
      const known = { webhooks: knownValue(webhooks) ?? [], caSecrets: knownValue(caSecrets) ?? [], deployments: knownValue(deployments) ?? [] };
      const own = trustedCas(known).filter(({ install }) => install.namespace === call.namespace);
      return own.length > 0 && own.every(({ trusted }) => trusted);
    }

    const evidence: readonly Evidence[] = proxied.flatMap((one) => one.evidence);
    const first = proxied[0];
    const kubectl = { for: "kubectl" as const };
    return {
      status: "fail",
      ...(key === "other-ca" ? { headline: { key: "likely" as const } } : {}),
      problems: [
        {
          key,
          values: { target: targetOf(call), pod: first?.pod.metadata.name ?? "", proxy: first?.proxy ?? "" },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          // The API server takes a moment to see a bundle that was just filled in.
          transient: key === "other-ca",
          evidence: [made.evidence, ...evidence],
          fix: [
            {
              ...kubectl,
              title: { key: "look" },
              command: `kubectl -n kube-system get pods -l component=kube-apiserver -o jsonpath='{range .items[*]}{.metadata.name}{"\\n"}{range .spec.containers[*].env[*]}  {.name}={.value}{"\\n"}{end}{end}'`,
              effect: "none",
            },
            ...(key === "other-ca" && call.namespace
              ? [
                  {
                    ...kubectl,
                    title: { key: "who" as const },
                    command: `kubectl -n ${call.namespace} port-forward service/${call.service} 8443:443 >/dev/null & sleep 2; openssl s_client -connect 127.0.0.1:8443 -servername ${call.service}.${call.namespace}.svc </dev/null 2>/dev/null | openssl x509 -noout -subject -issuer -dates; kill $!`,
                    effect: "none" as const,
                  },
                ]
              : []),
            ...(first && isFromManifest(first.pod)
              ? [
                  {
                    ...kubectl,
                    title: { key: "except" as const },
                    command: exceptCluster(first.pod),
                    effect: "cluster" as const,
                    changes: { key: "except-changes" as const },
                    undo: { key: "except-undo" as const },
                  },
                  {
                    ...kubectl,
                    title: { key: "again" as const },
                    command: `export NO_PROXY="\${NO_PROXY:+$NO_PROXY,}${exceptions}" no_proxy="\${no_proxy:+$no_proxy,}${exceptions}"`,
                    effect: "cluster" as const,
                    changes: { key: "again-changes" as const },
                  },
                ]
              : []),
          ],
        },
      ],
      because: [{ key: key === "env" ? "sure" : key === "said" ? "words" : "compared" }],
      ruledOut: key === "other-ca" ? [{ check: "ca-bundle-empty", key: "not-empty" as const }] : [],
    };
  },
});

/** Whether the kubelet runs it from kubeadm's file; other distributions write theirs anew from settings of their own. */
function isFromManifest({ metadata: { annotations }, spec: { containers } }: Pod): boolean {
  return annotations?.["kubernetes.io/config.source"] === "file" && !containers.some(({ image }) => image.includes("rancher/"));
}

/** The kubelet runs every file in that folder, so no copy is left there. */
function exceptCluster({ spec: { containers } }: Pod): string {
  const variable = containers.flatMap(({ env = [] }) => env).find(({ name }) => /^no_proxy$/i.test(name))?.name;
  if (!variable) return `sudo sed -i 's|^    env:$|&\\n    - name: NO_PROXY\\n      value: localhost,127.0.0.1,${exceptions}|' ${manifest}`;
  return `sudo sed -i '/name: ${variable}$/{n;s|"*$|,${exceptions}&|}' ${manifest}`;
}
