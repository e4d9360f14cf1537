import { describe, expect, test } from "vitest";
import { checks } from "../checks/index.gen.ts";
import { explain } from "./explain.ts";

const call = (reason: string, { timeout = 30, hook = "webhook.cert-manager.io", quote = '"', second = "failed to call webhook: " } = {}) =>
  `Error from server (InternalError): error when creating "issuer.yaml": Internal error occurred: failed calling webhook "${hook}": ${second}Post ${quote}https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=${timeout}s${quote}: ${reason}`;
const wanted = "cert-manager-webhook.cert-manager.svc";
const crd = "CustomResourceDefinition";

/**
 * The table of error texts in the catalogue (0.5): the row, the entries that may come first (what a cluster decides, a text can't), and texts as people see
 * them. Where none of the entries has a check yet, the text must not name another one.
 */
const rows: readonly (readonly [row: string, entries: readonly string[], texts: readonly string[]])[] = [
  [
    "1",
    ["serving-cert-is-kubelet"],
    [
      call(`tls: failed to verify certificate: x509: certificate is valid for ip-10-0-0-10.eu-west-1.compute.internal, not ${wanted}`),
      call(`x509: certificate is valid for ip-192-168-133-253.us-west-2.compute.internal, not ${wanted}`, { quote: "", second: "", timeout: 10 }),
    ],
  ],
  ["2", ["serving-cert-from-mesh"], [call(`tls: failed to verify certificate: x509: certificate is not valid for any names, but wanted to match ${wanted}`)]],
  [
    "3",
    ["serving-cert-wrong-san"],
    [call(`tls: failed to verify certificate: x509: certificate is valid for prod-cert-manager-webhook, prod-cert-manager-webhook.infra.svc, not ${wanted}`)],
  ],
  [
    "4",
    ["webhook-serving-cert-expired", "webhook-ca-expired"],
    [
      call(
        "tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-30T19:31:02Z is after 2026-11-30T11:10:12Z",
      ),
    ],
  ],
  ["5", ["ca-bundle-empty", "ca-bundle-mismatch"], [call("x509: certificate signed by unknown authority", { second: "", timeout: 10 })]],
  [
    "6",
    ["ca-bundle-malformed", "ca-bundle-mismatch"],
    [
      'Internal error occurred: failed calling webhook "webhook.cert-manager.io": could not get REST client: unable to load root certificates: unable to parse bytes as PEM block',
    ],
  ],
  ["7", ["webhook-service-missing", "webhook-config-orphaned", "webhook-config-garbled-name"], [call('service "cert-manager-webhook" not found')]],
  ["8", ["webhook-no-endpoints"], [call('no endpoints available for service "cert-manager-webhook"')]],
  ["9", ["webhook-service-port-mismatch"], [call('no service port 443 found for service "cert-manager-webhook"')]],
  ["10", ["webhook-connection-refused"], [call("dial tcp 10.96.108.33:443: connect: connection refused")]],
  [
    "11",
    ["webhook-no-route"],
    [call("dial tcp 10.96.108.33:443: connect: no route to host"), call("dial tcp 10.96.108.33:443: connect: network is unreachable")],
  ],
  ["12", ["webhook-io-timeout"], [call("dial tcp 10.96.108.33:443: i/o timeout")]],
  ["13", ["webhook-tls-handshake-timeout"], [call("net/http: TLS handshake timeout")]],
  ["13a", ["webhook-not-ready-500"], [call("remote error: tls: internal error")]],
  ["13b", ["webhook-serving-insecurely"], [call("http: server gave HTTP response to HTTPS client")]],
  [
    "14",
    ["webhook-request-canceled", "webhook-io-timeout", "webhook-context-deadline"],
    [
      call("net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)"),
      call("net/http: request canceled (Client.Timeout exceeded while awaiting headers)"),
    ],
  ],
  [
    "15",
    ["webhook-context-deadline", "webhook-io-timeout"],
    [call("context deadline exceeded", { timeout: 10 }), call("context deadline exceeded (Client.Timeout exceeded while awaiting headers)")],
  ],
  [
    "16",
    ["apiserver-egress-proxy"],
    [
      call("Service Unavailable"),
      call("proxyconnect tcp: dial tcp 10.0.0.5:3128: connect: connection refused"),
      call("proxyconnect tcp: dial tcp 10.0.0.5:3128: i/o timeout"),
      call("Proxy Authentication Required"),
      call("Forbidden"),
    ],
  ],
  [
    "17",
    ["webhook-dns-failure"],
    [
      call(`dial tcp: lookup ${wanted} on 10.0.0.2:53: no such host`),
      call(`dial tcp: lookup ${wanted} on 10.0.0.2:53: server misbehaving`),
      call(`dial tcp: lookup ${wanted}: i/o timeout`),
    ],
  ],
  [
    "18",
    ["legacy-apiservice-unavailable"],
    ["couldn't get resource list for admission.certmanager.k8s.io/v1beta1: the server is currently unable to handle the request"],
  ],
  ["19", ["webhook-connection-reset"], [call("EOF"), call("read tcp 10.0.0.2:40112->10.96.108.33:443: read: connection reset by peer")]],
  ["20", ["webhook-denied"], ['Error from server: admission webhook "webhook.cert-manager.io" denied the request: spec.acme.solvers: Required value']],
  [
    "21",
    ["crds-missing"],
    [
      'no matches for kind "Certificate" in version "cert-manager.io/v1"',
      "Error from server (NotFound): the server could not find the requested resource (post issuers.cert-manager.io)",
    ],
  ],
  [
    "22",
    ["removed-api-version-used"],
    ['no matches for kind "Certificate" in version "cert-manager.io/v1alpha2"', 'no matches for kind "Issuer" in version "certmanager.k8s.io/v1alpha1"'],
  ],
  [
    "23",
    ["helm-ownership-missing"],
    [
      `Error: INSTALLATION FAILED: Unable to continue with install: ${crd} "challenges.acme.cert-manager.io" in namespace "" exists and cannot be imported into the current release: invalid ownership metadata; label validation error: missing key "app.kubernetes.io/managed-by": must be set to "Helm"`,
    ],
  ],
  [
    "23",
    ["helm-ownership-other-release"],
    [
      `Error: INSTALLATION FAILED: Unable to continue with install: ${crd} "challenges.acme.cert-manager.io" in namespace "" exists and cannot be imported into the current release: invalid ownership metadata; annotation validation error: key "meta.helm.sh/release-name" must equal "cm2": current value is "cert-manager"`,
    ],
  ],
  [
    "24",
    ["helm-name-in-use"],
    ["$ helm install cert-manager oci://quay.io/jetstack/charts/cert-manager\nError: INSTALLATION FAILED: cannot re-use a name that is still in use"],
  ],
  [
    "25",
    ["helm-operation-in-progress"],
    ["$ helm upgrade cert-manager jetstack/cert-manager\nError: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress"],
  ],
  ["26", ["helm-no-deployed-release"], ['Error: UPGRADE FAILED: "cert-manager" has no deployed releases']],
  [
    "27",
    ["helm-startupapicheck-failed"],
    [
      "Error: INSTALLATION FAILED: failed post-install: resource Job/cert-manager/cert-manager-startupapicheck not ready. status: InProgress, message: Job in progress",
    ],
  ],
  [
    "28",
    ["helm-values-schema"],
    [
      "Error: INSTALLATION FAILED: values don't meet the specifications of the schema(s) in the following chart(s):\ncert-manager:\n- at '/webhook': additional properties 'replica' not allowed",
    ],
  ],
  [
    "29",
    ["helm-ssa-conflict"],
    [
      'Error: UPGRADE FAILED: conflict occurred while applying object cert-manager/cert-manager-webhook apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with "kubectl-edit" using apps/v1: .spec.replicas',
    ],
  ],
  [
    "30",
    ["helm-crds-not-first", "crds-missing"],
    [
      'error: resource mapping not found for name: "letsencrypt" namespace: "" from "issuer.yaml": no matches for kind "ClusterIssuer" in version "cert-manager.io/v1"\nensure CRDs are installed first',
    ],
  ],
  [
    "31",
    ["gke-autopilot-webhook-denied"],
    [
      'Error: INSTALLATION FAILED: mutatingwebhookconfigurations.admissionregistration.k8s.io "cert-manager-webhook" is forbidden: User "jane@example.com" cannot create resource "mutatingwebhookconfigurations" in API group "admissionregistration.k8s.io" at the cluster scope: GKEAutopilot authz: cluster scoped resource "mutatingwebhookconfigurations/" is managed and access is denied',
    ],
  ],
  [
    "31",
    ["cainjector-leader-election-forbidden"],
    [
      'E1130 18:41:12.418220       1 leaderelection.go:332] error retrieving resource lock kube-system/cert-manager-cainjector-leader-election: leases.coordination.k8s.io "cert-manager-cainjector-leader-election" is forbidden: User "system:serviceaccount:cert-manager:cert-manager-cainjector" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "kube-system": GKE Warden authz [denied by managed-namespaces-limitation]: the namespace "kube-system" is managed and the request\'s verb "get" is denied',
    ],
  ],
  [
    "32",
    ["etcd-quota"],
    [
      "Error from server: etcdserver: mvcc: database space exceeded",
      'Error from server (Forbidden): error when creating "issuer.yaml": ETCD storage quota exceeded',
    ],
  ],
];

const known = new Set(checks.map((check) => check.id));

describe.each(rows.map(([row, entries, texts]) => ({ row, entries, texts, written: entries.some((id) => known.has(id)) })))(
  "row $row, $entries.0, written: $written",
  ({ entries, texts, written }) => {
    test.each(texts)("%s", (text) => {
      const named = explain(text).matches.map((match) => match.check);
      if (written && !(named.length === 0 && entries.some((id) => !known.has(id)))) expect(entries).toContain(named[0]);
      else expect(named).toEqual([]);
    });
  },
);

/** What rows 10 to 29 don't mean (0.7.7): errors of other programs, releases and objects. */
const others: readonly string[] = [
  "The connection to the server 127.0.0.1:6443 was refused - did you specify the right host or port?",
  "dial tcp 127.0.0.1:6443: connect: connection refused",
  "dial tcp 10.96.0.1:443: connect: no route to host",
  'Get "https://10.96.0.1:443/api?timeout=32s": dial tcp 10.96.0.1:443: i/o timeout',
  'Get "https://10.96.0.1:443/api?timeout=32s": net/http: TLS handshake timeout',
  "context deadline exceeded",
  "net/http: request canceled (Client.Timeout exceeded while awaiting headers)",
  "http: server gave HTTP response to HTTPS client",
  "EOF",
  "connection reset by peer",
  "Service Unavailable",
  "dial tcp: lookup example.com on 10.0.0.2:53: no such host",
  "remote error: tls: internal error",
  "the server is currently unable to handle the request",
  "couldn't get resource list for metrics.k8s.io/v1beta1: the server is currently unable to handle the request",
  "the server could not find the requested resource",
  'no matches for kind "Ingress" in version "extensions/v1beta1"',
  "$ helm install ingress-nginx ingress-nginx/ingress-nginx\nError: INSTALLATION FAILED: cannot re-use a name that is still in use",
  "$ helm upgrade grafana grafana/grafana\nError: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress",
  'Error: UPGRADE FAILED: "grafana" has no deployed releases',
  "Error: INSTALLATION FAILED: values don't meet the specifications of the schema(s) in the following chart(s):\ngrafana:\n- at '/replicas': got string, want integer",
  'Error: UPGRADE FAILED: conflict occurred while applying object monitoring/grafana apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with "kubectl-edit" using apps/v1: .spec.replicas',
  'error: resource mapping not found for name: "x" namespace: "" from "x.yaml": no matches for kind "VirtualService" in version "networking.istio.io/v1"\nensure CRDs are installed first',
];

test.each(others)("not cert-manager's: %s", (text) => {
  expect(explain(text).matches).toEqual([]);
});
