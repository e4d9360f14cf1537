import { describe, expect, test } from "vitest";
import { explain } from "./explain.ts";

/** What the API server puts before the reason of a failed call. */
const call = (reason: string, { path = "mutate", timeout = 30, hook = "webhook.cert-manager.io" } = {}) =>
  `Internal error occurred: failed calling webhook "${hook}": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/${path}?timeout=${timeout}s": ${reason}`;
const olderCall = (reason: string) =>
  `Internal error occurred: failed calling webhook "webhook.cert-manager.io": Post https://cert-manager-webhook.cert-manager.svc:443/mutate?timeout=10s: ${reason}`;
const pull = (reason: string) => `Failed to pull image "quay.io/jetstack/cert-manager-webhook:v1.21.1": rpc error: code = Unknown desc = ${reason}`;
const image =
  'failed to pull and unpack image "quay.io/jetstack/cert-manager-webhook:v1.21.1": failed to resolve reference "quay.io/jetstack/cert-manager-webhook:v1.21.1": ';
const unowned =
  'label validation error: missing key "app.kubernetes.io/managed-by": must be set to "Helm"; annotation validation error: missing key "meta.helm.sh/release-name": must be set to "cert-manager"; annotation validation error: missing key "meta.helm.sh/release-namespace": must be set to "cert-manager"';
const conflict = (of: string) =>
  `Unable to continue with install: CustomResourceDefinition "certificaterequests.cert-manager.io" in namespace "" exists and cannot be imported into the current release: invalid ownership metadata; ${of}`;

function namedBy(text: string) {
  const { matches, notOurs } = explain(text);
  return { matches: matches.map((match) => match.check), notOurs };
}

const named: Readonly<Record<string, readonly string[]>> = {
  "serving-cert-is-kubelet": [
    call(
      "tls: failed to verify certificate: x509: certificate is valid for ip-10-0-0-10.eu-west-1.compute.internal, not cert-manager-webhook.cert-manager.svc",
    ),
    call("x509: certificate is valid for ip-192-168-12-7.ec2.internal, not cert-manager-webhook.cert-manager.svc"),
    olderCall("x509: certificate is valid for ip-192-168-133-253.us-west-2.compute.internal, not cert-manager-webhook.cert-manager.svc"),
  ],
  "serving-cert-wrong-san": [
    call(
      "tls: failed to verify certificate: x509: certificate is valid for cert-manager-webhook, cert-manager-webhook.slr, cert-manager-webhook.slr.svc, not cert-manager-webhook.cert-manager.svc",
    ),
    olderCall("x509: certificate is valid for prod-webhook, prod-webhook.infra, prod-webhook.infra.svc, not cert-manager-webhook.cert-manager.svc"),
  ],
  "ca-secret-injection-not-allowed": [
    'I1201 00:43:21.440648 472 sources.go:207] "Secret resource does not allow direct injection - refusing to inject CA" logger="cert-manager.cainjector" kind="mutatingwebhookconfiguration" name="cert-manager-webhook" secret="cert-manager/cert-manager-webhook-ca"',
  ],
  "inject-annotation-wrong": [
    'E1201 00:43:21.440648 472 sources.go:178] "invalid secret source: missing namespace/ prefix" err="invalid annotation" logger="cert-manager.cainjector" name="cert-manager-webhook" secret="cert-manager-webhook-ca"',
  ],
  "ca-secret-invalid": [
    'I1201 00:15:12.987425 67 authority.go:274] "Will regenerate CA" logger="cert-manager" reason="Different data in ca.crt and tls.crt."',
    "failed verifying CA keypair: tls: failed to find any PEM data in certificate input",
  ],
  "webhook-tls-files-problem": [
    'E1201 01:16:12.849757 1 file_source.go:81] "failed to read certificate from disk" err="failed to read keyPath: open /certificates/tls.key: no such file or directory" logger="cert-manager"',
    "error validating flags: tlsConfig: Invalid value: cannot specify both filesystem based and dynamic TLS configuration",
  ],
  "webhook-log-tls-errors": [
    "http: TLS handshake error from 10.0.0.2:43012: remote error: tls: bad certificate",
    'I1201 01:02:10.480111 67 ???:1] "http: TLS handshake error from 10.0.0.7:40998: remote error: tls: unknown certificate authority"',
  ],
  "serving-cert-from-mesh": [
    call("tls: failed to verify certificate: x509: certificate is not valid for any names, but wanted to match cert-manager-webhook.cert-manager.svc"),
    olderCall("x509: certificate is not valid for any names, but wanted to match cert-manager-webhook.cert-manager.svc"),
  ],
  "apiserver-egress-proxy": [
    call("proxyconnect tcp: dial tcp 10.0.0.5:3128: connect: connection refused"),
    call("proxyconnect tcp: dial tcp 10.0.0.5:3128: i/o timeout"),
    call("Service Unavailable"),
    olderCall("Gateway Timeout"),
    call("Proxy Authentication Required"),
  ],
  "konnectivity-broken": [call("No agent available"), call("dial timeout, backstop"), call("read unix @->/tunnel-uds/socket: read: connection reset by peer")],
  "ca-bundle-empty": [
    call("tls: failed to verify certificate: x509: certificate signed by unknown authority"),
    olderCall("x509: certificate signed by unknown authority"),
    call("tls: failed to verify certificate: x509: certificate signed by unknown authority", { hook: "validate.webhooks.cert-manager.io", path: "validate" }),
    "Not ready: the cert-manager webhook CA bundle is not injected yet",
  ],
  "ca-bundle-mismatch": [
    call(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "cert-manager-webhook-ca")',
    ),
  ],
  "ca-bundle-malformed": [
    'failed calling webhook "webhook.cert-manager.io": could not get REST client: unable to load root certificates: unable to parse bytes as PEM block',
  ],
  "webhook-serving-cert-expired": [
    call(
      "tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-30T19:31:02Z is after 2026-11-30T11:10:12Z",
    ),
  ],
  "webhook-ca-expired": [
    'E1130 19:31:02.418220 1 dynamic_source.go:240] "Failed to generate serving certificate" err="internal error: CA certificate has expired, try again later"',
  ],
  "webhook-service-missing": [
    call('service "cert-manager-webhook" not found'),
    olderCall('service "prod-cert-manager-webhook" not found'),
    "Not ready: the cert-manager webhook service is not created yet",
  ],
  "webhook-no-endpoints": [call('no endpoints available for service "cert-manager-webhook"')],
  "webhook-connection-refused": [
    call("dial tcp 127.96.108.33:443: connect: connection refused"),
    olderCall("dial tcp 10.96.38.90:443: connect: connection refused"),
    call("dial tcp [fd00:10:96::8f3a]:443: connect: connection refused"),
    "Not ready: the cert-manager webhook deployment is not ready yet",
  ],
  "webhook-io-timeout": [
    call("dial tcp 10.96.108.33:443: i/o timeout"),
    call("dial tcp [fd00:10:96::8f3a]:443: i/o timeout"),
    olderCall("dial tcp 10.0.0.10:443: i/o timeout"),
    call("dial tcp 10.96.112.222:443: i/o timeout (Client.Timeout exceeded while awaiting headers)", { path: "validate" }),
    call("net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)"),
    call("dial tcp 10.100.207.248:443: connect: connection timed out", { timeout: 10 }),
  ],
  "podsecurity-rejected": [
    'Error creating: pods "cert-manager-webhook-7d5f8b6c9d-4xk2p" is forbidden: violates PodSecurity "restricted:latest": host namespaces (hostNetwork=true)',
    'Error creating: pods "cert-manager-webhook-7d5f8b6c9d-" is forbidden: PodSecurityPolicy: unable to validate against any pod security policy: []',
  ],
  "openshift-scc-rejected": [
    'Error creating: pods "cert-manager-7d5f8b6c9d-" is forbidden: unable to validate against any security context constraint: [pod.metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: Forbidden: seccomp may not be set, provider "privileged": Forbidden: not usable by user or serviceaccount]',
  ],
  "openshift-runasuser-range": [
    'pods "cert-manager-7d5f8b6c9d-" is forbidden: unable to validate against any security context constraint: [provider restricted-v2: .containers[0].runAsUser: Invalid value: 1000: must be in the ranges: [1000660000, 1000669999]]',
  ],
  "pod-apiserver-egress-blocked": [
    'E1201 01:17:11.134402 1 main.go:42] "error executing command" err="error building admission chain: Get \\"https://10.96.0.1:443/api\\": dial tcp 10.96.0.1:443: i/o timeout" logger="cert-manager"',
    'error retrieving resource lock kube-system/cert-manager-controller: Get "https://10.96.0.1:443/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/cert-manager-controller": Service Unavailable',
    'error creating manager: Get "https://[fd00:10:96::1]:443/api?timeout=32s": dial tcp [fd00:10:96::1]:443: connect: no route to host',
  ],
  "webhook-hostport-conflict": ['"error executing command" err="listen tcp :10250: bind: address already in use" logger="cert-manager"'],
  "webhook-not-ready-500": [
    "Warning  Unhealthy  2m (x60 over 12m)  kubelet  Readiness probe failed: HTTP probe failed with statuscode: 500",
    call("remote error: tls: internal error"),
  ],
  "webhook-probe-port-mismatch": ['Readiness probe failed: Get "http://10.244.0.1:6080/healthz": dial tcp 10.244.0.1:6080: connect: connection refused'],
  "policy-engine-rejected": [
    'Error creating: admission webhook "validate.kyverno.svc-fail" denied the request: \n\nresource Pod/cert-manager/cert-manager-webhook-646c95c5ff-4xk2p was blocked due to the following policies',
    'Error: INSTALLATION FAILED: admission webhook "validation.gatekeeper.sh" denied the request: [must-have-limits] container <cert-manager-controller> has no resource limits',
    "pods \"cert-manager-webhook-646c95c5ff-4xk2p\" is forbidden: ValidatingAdmissionPolicy 'no-host-network' with binding 'everywhere' denied request: pods must not use the host network",
  ],
  "image-signature-policy-denied": [
    'admission webhook "validation.gatekeeper.sh" denied the request: [allowed-repos] container <cert-manager-webhook> has an invalid image repo <quay.io/jetstack/cert-manager-webhook:v1.21.1>, allowed repos are ["harbor.example.local/"]',
    'admission webhook "mutate.kyverno.svc-fail" denied the request: resource Deployment/cert-manager/cert-manager was blocked due to the following policies verify-images: autogen-verify: image verification failed for quay.io/jetstack/cert-manager-controller:v1.21.1',
  ],
  "priorityclass-quota": [
    'Error creating: pods "cert-manager-689c4c5575-x7b4n" is forbidden: insufficient quota to match these scopes: [{PriorityClass In [system-node-critical system-cluster-critical]}]',
    'pods "cert-manager-689c4c5575-x7b4n" is forbidden: no PriorityClass with name important was found',
  ],
  "resourcequota-blocked": [
    'Error creating: pods "cert-manager-689c4c5575-x7b4n" is forbidden: failed quota: compute: must specify limits.cpu for: cert-manager-controller',
    'pods "cert-manager-cainjector-6fbb9c8cd6-abcde" is forbidden: exceeded quota: objects, requested: pods=1, used: pods=3, limited: pods=3',
    'pods "cert-manager-689c4c5575-x7b4n" is forbidden: minimum cpu usage per Container is 100m, but request is 0',
  ],
  "serviceaccount-missing": [
    'Error creating: pods "cert-manager-webhook-646c95c5ff-" is forbidden: error looking up service account cert-manager/cert-manager-webhook: serviceaccount "cert-manager-webhook" not found',
    'MountVolume.SetUp failed for volume "kube-api-access-rxt8g" : failed to fetch token: serviceaccounts "cert-manager-webhook" not found',
  ],
  "webhook-config-missing": [
    "error: the cert-manager mutation webhook did not mutate the dry-run CertificateRequest object",
    "error: the cert-manager validating webhook did not validate the dry-run CertificateRequest object",
    'Error from server (Forbidden): error when creating "request.yaml": admission webhook "webhook.cert-manager.io" denied the request: [spec.uid: Forbidden: uid identity must be that of the requester, spec.username: Forbidden: username identity must be that of the requester, spec.groups: Forbidden: groups identity must be that of the requester]',
  ],
  "webhook-context-deadline": [
    call("context deadline exceeded"),
    call("context deadline exceeded", { timeout: 5 }),
    call("context deadline exceeded (Client.Timeout exceeded while awaiting headers)"),
  ],
  "webhook-tls-handshake-timeout": [call("net/http: TLS handshake timeout")],
  "webhook-request-canceled": [call("net/http: request canceled (Client.Timeout exceeded while awaiting headers)")],
  "webhook-serving-insecurely": [call("http: server gave HTTP response to HTTPS client")],
  "webhook-connection-reset": [call("EOF"), call("read tcp 10.0.0.2:40112->10.96.108.33:443: read: connection reset by peer")],
  "webhook-no-route": [call("dial tcp 10.96.108.33:443: connect: no route to host")],
  "webhook-dns-failure": [
    call("dial tcp: lookup cert-manager-webhook.cert-manager.svc on 10.0.0.2:53: no such host"),
    call("dial tcp: lookup webhook.example.com on 10.0.0.2:53: read udp 10.0.0.4:41011->10.0.0.2:53: i/o timeout"),
    call("dial tcp: lookup webhook.example.com: i/o timeout"),
  ],
  "webhook-payload-errors": [
    'failed calling webhook "webhook.cert-manager.io": failed to call webhook: the server could not find the requested resource',
    'failed calling webhook "webhook.cert-manager.io": received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=',
  ],
  "crds-missing": [
    'error: resource mapping not found for name: "letsencrypt" namespace: "" from "issuer.yaml": no matches for kind "ClusterIssuer" in version "cert-manager.io/v1"\nensure CRDs are installed first',
    'no matches for kind "Challenge" in version "acme.cert-manager.io/v1"',
    'failed to find API group "cert-manager.io"',
    'no resources found for group "cert-manager.io/v1"',
    "Not ready: the cert-manager CRDs are not yet installed on the Kubernetes API server",
  ],
  "cainjector-waiting-for-crds": [
    '"cainjector has been configured to watch certificates, but certificates.cert-manager.io CRD not found, retrying with a backoff..." logger="cert-manager"',
    'E1201 01:17:11.134402       1 main.go:41] "error executing command" err="error retrieving certificate.cert-manager.io CRDs: context deadline exceeded" logger="cert-manager"',
  ],
  "cainjector-rbac": [
    'E1201 01:19:14.765615       1 reflector.go:204] "Failed to watch" err="failed to list *v1.Secret: secrets is forbidden: User \\"system:serviceaccount:cert-manager:cert-manager-cainjector\\" cannot list resource \\"secrets\\" in API group \\"\\" at the cluster scope"',
    '"cainjector was forbidden to retrieve the ca data source" kind="validatingwebhookconfiguration"',
  ],
  "ca-secret-rbac": [
    'secrets "cert-manager-webhook-ca" is forbidden: User "system:serviceaccount:cert-manager:cert-manager-webhook" cannot list resource "secrets" in API group "" in the namespace "cert-manager"',
    'secrets is forbidden: User "system:serviceaccount:infra:prod-cert-manager-webhook" cannot create resource "secrets" in API group "" in the namespace "infra"',
  ],
  "controller-rbac-forbidden": [
    '"re-queuing item due to error processing" err="issuers.cert-manager.io \\"self-signed\\" is forbidden: User \\"system:serviceaccount:cert-manager:cert-manager\\" cannot update resource \\"issuers/status\\" in API group \\"cert-manager.io\\" in the namespace \\"default\\""',
    'orders.acme.cert-manager.io "web-1" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: , <nil>',
  ],
  "controller-leader-election-lost": [
    '"error executing command" err="error running controller: leader election lost" logger="cert-manager"',
    '"Failed to update lock optimistically" err="Put \\"https://10.96.0.1:443/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/cert-manager-controller?timeout=5s\\": context deadline exceeded" lock="kube-system/cert-manager-controller"',
  ],
  "controller-gateway-crds-missing": [
    "error building controller context: the Gateway API CRDs do not seem to be present, but ExperimentalGatewayAPISupport is set to true. Please install the gateway-api CRDs.",
    "found GatewayAPI CRDs; however the Gateway API ListenerSet CRD do not seem to be present, but ListenerSets is set to true.",
  ],
  "crds-version-skew": [
    'Error from server (BadRequest): error when creating "issuer.yaml": Issuer in version "v1" cannot be handled as a Issuer: strict decoding error: unknown field "spec.acme.profile"',
  ],
  "helm-ownership-missing": [
    `Error: INSTALLATION FAILED: ${conflict(unowned)}`,
    `Error: INSTALLATION FAILED: unable to continue with install: CustomResourceDefinition "challenges.acme.cert-manager.io" in namespace "" exists and cannot be imported into the current release: invalid ownership metadata; ${unowned}`,
    `Error: rendered manifests contain a resource that already exists. ${conflict(unowned)}`,
  ],
  "helm-ownership-other-release": [
    `Error: INSTALLATION FAILED: ${conflict('annotation validation error: key "meta.helm.sh/release-name" must equal "cm2": current value is "cert-manager"')}`,
  ],
  "image-not-found": [
    pull(`${image}quay.io/jetstack/cert-manager-webhook:v1.21.1: not found`),
    pull("reading manifest v1.21.1 in quay.io/jetstack/cert-manager-webhook: manifest unknown"),
  ],
  "image-pull-unauthorized": [
    pull(`${image}unexpected status from HEAD request to https://quay.io/v2/jetstack/cert-manager-webhook/manifests/v1.21.1: 401 Unauthorized`),
    pull("Error response from daemon: pull access denied for jetstack/cert-manager-webhook, repository does not exist or may require 'docker login'"),
  ],
  "image-pull-dns": [
    pull(
      `${image}failed to do request: Head "https://quay.io/v2/jetstack/cert-manager-webhook/manifests/v1.21.1": dial tcp: lookup quay.io on 10.0.0.2:53: no such host`,
    ),
    pull(
      'pinging container registry quay.io: Get "https://quay.io/v2/": dial tcp: lookup quay.io on 10.0.0.2:53: read udp 10.0.0.11:40001->10.0.0.2:53: i/o timeout',
    ),
  ],
  "image-pull-secret-missing": ["Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed."],
  "cainjector-leader-election-forbidden": [
    'error retrieving resource lock kube-system/cert-manager-cainjector-leader-election: leases.coordination.k8s.io "cert-manager-cainjector-leader-election" is forbidden: User "system:serviceaccount:cert-manager:cert-manager-cainjector" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "kube-system": GKE Warden authz [denied by managed-namespaces-limitation]: the namespace "kube-system" is managed and the request\'s verb "get" is denied',
  ],
};

describe.each(Object.entries(named))("%s", (id, texts) => {
  test.each(texts)("%s", (text) => {
    expect(namedBy(text)).toEqual({ matches: [id], notOurs: null });
  });
});

/** Things that look like cert-manager's and aren't. Failure modes that have no check yet are in classifier.test.ts. */
const nameless: readonly string[] = [
  "The connection to the server 127.0.0.1:6443 was refused - did you specify the right host or port?",
  "dial tcp 127.0.0.1:6443: connect: connection refused",
  'Get "https://10.96.0.1:443/api?timeout=32s": dial tcp 10.96.0.1:443: i/o timeout',
  "the server is currently unable to handle the request",
  "couldn't get resource list for metrics.k8s.io/v1beta1: the server is currently unable to handle the request",
  "x509: certificate signed by unknown authority",
  'Get "https://quay.io/v2/": x509: certificate signed by unknown authority',
  "Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress",
  "Error: INSTALLATION FAILED: cannot re-use a name that is still in use",
  'service "my-app" not found',
  'no endpoints available for service "my-app"',
  'no matches for kind "Bundle" in version "trust.cert-manager.io/v1alpha1"',
  'no matches for kind "Certificate" in version "networking.internal.knative.dev/v1alpha1"',
  "http: TLS handshake error from 10.0.0.2:43012: EOF",
  "",
];

test.each(nameless)("names nothing: %s", (text) => {
  expect(namedBy(text)).toEqual({ matches: [], notOurs: null });
});

test.each([
  ["mutate.kyverno.svc-fail", call("dial tcp 10.96.3.3:443: connect: connection refused", { hook: "mutate.kyverno.svc-fail" })],
  ["vnifi.cfm.cloudera.com", call("tls: failed to verify certificate: x509: certificate signed by unknown authority", { hook: "vnifi.cfm.cloudera.com" })],
  ["trust.cert-manager.io", call('no endpoints available for service "trust-manager"', { hook: "trust.cert-manager.io" })],
  ["validate.nginx.ingress.kubernetes.io", call("context deadline exceeded", { hook: "validate.nginx.ingress.kubernetes.io", timeout: 10 })],
  ["validate.kyverno.svc-fail", 'admission webhook "validate.kyverno.svc-fail" denied the request: policy Issuer/default/x for resource violation'],
])("%s is somebody else's webhook", (hook, text) => {
  expect(namedBy(text)).toEqual({ matches: [], notOurs: hook });
});

test("says which webhook, Service and namespace the error is about", () => {
  expect(explain(call("dial tcp 10.96.108.33:443: i/o timeout")).matches).toEqual([
    {
      check: "webhook-io-timeout",
      details: {
        address: "10.96.108.33:443",
        webhook: "webhook.cert-manager.io",
        service: "cert-manager-webhook",
        namespace: "cert-manager",
        path: "mutate",
        timeoutSeconds: "30",
      },
      words: "dial tcp 10.96.108.33:443: i/o timeout",
    },
  ]);
});

test("reads the error out of what other tools print around it", () => {
  const log = `time="2026-11-30T18:41:12Z" level=error msg="reconcile failed" error="${call("dial tcp 10.96.108.33:443: i/o timeout").replaceAll('"', '\\"')}"`;
  expect(explain(log).matches.map((match) => match.check)).toEqual(["webhook-io-timeout"]);
  const helm = `Error: INSTALLATION FAILED: 1 error occurred:\n\t* ${call('service "cert-manager-webhook" not found', { path: "validate" })}\n\n`;
  expect(explain(helm).matches.map((match) => match.check)).toEqual(["webhook-service-missing"]);
});
