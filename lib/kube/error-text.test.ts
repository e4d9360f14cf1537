import { describe, expect, test } from "vitest";
import { findPattern, matchesAny, readDenial, readImagePull, readWebhookCall } from "./error-text.ts";

describe("a failed webhook call is read", () => {
  test("in today's words", () => {
    const text =
      'Error from server (InternalError): error when creating "issuer.yaml": Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://prod-cert-manager-webhook.certs.svc:443/validate?timeout=30s": dial tcp 10.96.108.33:443: i/o timeout';
    expect(readWebhookCall(text)).toEqual({
      hook: "webhook.cert-manager.io",
      purpose: "admission",
      ours: true,
      reason: "dial tcp 10.96.108.33:443: i/o timeout",
      service: "prod-cert-manager-webhook",
      namespace: "certs",
      path: "validate",
      timeoutSeconds: 30,
    });
  });

  test("in an older API server's words, without the quotes and the second envelope", () => {
    const text =
      'Internal error occurred: failed calling webhook "webhook.cert-manager.io": Post https://cert-manager-webhook.cert-manager.svc:443/mutate?timeout=10s: x509: certificate signed by unknown authority';
    expect(readWebhookCall(text)).toMatchObject({
      service: "cert-manager-webhook",
      timeoutSeconds: 10,
      reason: "x509: certificate signed by unknown authority",
    });
  });

  test("with the quotes of a structured log or of JSON", () => {
    const text =
      'E1130 18:41:12.1 controller.go:329] "Reconciler error" err="Internal error occurred: failed calling webhook \\"webhook.cert-manager.io\\": failed to call webhook: Post \\"https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s\\": no endpoints available for service \\"cert-manager-webhook\\""';
    expect(readWebhookCall(text)).toMatchObject({ ours: true, path: "validate", reason: 'no endpoints available for service "cert-manager-webhook""' });
  });

  test("where it ended before there was a URL", () => {
    const text =
      'failed calling webhook "webhook.cert-manager.io": could not get REST client: unable to load root certificates: unable to parse bytes as PEM block';
    const call = readWebhookCall(text);
    expect(call).toMatchObject({ ours: true, reason: "could not get REST client: unable to load root certificates: unable to parse bytes as PEM block" });
    expect(call?.service).toBeUndefined();
  });

  test("for a conversion, with what was to be converted", () => {
    const text =
      'conversion webhook for acme.cert-manager.io/v1, Kind=Challenge failed: Post "https://prod-cert-manager-webhook.infra.svc:443/convert?timeout=30s": service "prod-cert-manager-webhook" not found';
    expect(readWebhookCall(text)).toMatchObject({ hook: "acme.cert-manager.io/v1, Kind=Challenge", purpose: "conversion", ours: true, path: "convert" });
  });

  test.each([
    ["webhook.cert-manager.io", true],
    ["validate.webhooks.cert-manager.io", true],
    ["mutate.webhooks.cert-manager.io", true],
    ["webhook.certmanager.k8s.io", true],
    ["issuers.admission.certmanager.k8s.io", true],
    ["trust.cert-manager.io", false],
    ["policy.cert-manager.io", false],
    ["webhook.cert-manager.io.example.com", false],
    ["validate.kyverno.svc-fail", false],
    ["vnifi.cfm.cloudera.com", false],
  ])("%s is cert-manager's own: %s", (hook, ours) => {
    const reason = "dial tcp 10.96.0.9:443: connect: connection refused";
    expect(readWebhookCall(`failed calling webhook "${hook}": failed to call webhook: Post "https://a.b.svc:443/x?timeout=10s": ${reason}`)).toMatchObject({
      ours,
      reason,
    });
  });

  test.each([
    ['Post "https://prod-cert-manager-webhook.certs.svc:443/validate?timeout=30s": Service Unavailable', "Service Unavailable"],
    ['service "cert-manager-webhook" not found', 'service "cert-manager-webhook" not found'],
    ['no endpoints available for service "gitlab-certmanager-webhook"', 'no endpoints available for service "gitlab-certmanager-webhook"'],
    [
      "tls: failed to verify certificate: x509: certificate is valid for srv3, not cert-manager-webhook.certs.svc",
      "x509: certificate is valid for srv3, not cert-manager-webhook.certs.svc",
    ],
  ])("where only its end was copied: %s", (text, reason) => {
    expect(readWebhookCall(text)).toMatchObject({ hook: "", ours: true, purpose: "admission", reason, service: expect.stringMatching(/webhook$/) });
  });

  test.each([
    'service "my-app" not found',
    'services "cert-manager-webhook" not found',
    'Post "https://trust-manager.cert-manager.svc:443/validate?timeout=5s": EOF',
    'Post "https://cert-manager-webhook.example.com/validate": EOF',
    "x509: certificate is valid for a.example.com, not b.example.com",
  ])("unless it is about another Service: %s", (text) => {
    expect(readWebhookCall(text)).toBeNull();
  });

  test("and nothing else is", () => {
    expect(readWebhookCall("The connection to the server 127.0.0.1:6443 was refused - did you specify the right host or port?")).toBeNull();
    expect(readWebhookCall('admission webhook "webhook.cert-manager.io" denied the request: spec.request: Required value')).toBeNull();
    expect(readWebhookCall("")).toBeNull();
  });
});

test("a denial names who denied", () => {
  expect(readDenial('admission webhook "webhook.cert-manager.io" denied the request: spec.issuerRef: Required value')).toEqual({
    hook: "webhook.cert-manager.io",
    ours: true,
  });
  expect(readDenial('err="admission webhook \\"validate.kyverno.svc-fail\\" denied the request: no"')).toEqual({
    hook: "validate.kyverno.svc-fail",
    ours: false,
  });
  expect(readDenial('failed calling webhook "webhook.cert-manager.io": EOF')).toBeNull();
});

test("a failed pull names its image", () => {
  expect(readImagePull('Failed to pull image "quay.io/jetstack/cert-manager-webhook:v1.21.1": rpc error: code = NotFound desc = x')).toEqual({
    image: "quay.io/jetstack/cert-manager-webhook:v1.21.1",
  });
  expect(readImagePull('Back-off pulling image "registry.example/cm:v1"')).toEqual({ image: "registry.example/cm:v1" });
  expect(readImagePull('Successfully pulled image "registry.example/cm:v1"')).toBeNull();
});

describe("a pattern counts only where it belongs", () => {
  const refused = { in: "webhook-call", text: /connect: connection refused/ } as const;

  test("in a call of cert-manager's webhook", () => {
    const call = (hook: string) =>
      `failed calling webhook "${hook}": failed to call webhook: Post "https://a.b.svc:443/mutate?timeout=10s": dial tcp 10.0.0.1:443: connect: connection refused`;
    expect(findPattern(call("webhook.cert-manager.io"), refused)?.[0]).toBe("connect: connection refused");
    expect(findPattern(call("validate.kyverno.svc-fail"), refused)).toBeNull();
    expect(findPattern("dial tcp 127.0.0.1:6443: connect: connection refused", refused)).toBeNull();
  });

  test("not in a failed conversion, which nothing but its removal repairs", () => {
    const text =
      'conversion webhook for cert-manager.io/v1, Kind=Issuer failed: Post "https://a.b.svc:443/convert?timeout=30s": dial tcp 10.0.0.1:443: connect: connection refused';
    expect(findPattern(text, refused)).toBeNull();
  });

  test("in a pull error", () => {
    const unauthorized = { in: "image-pull", text: /401 Unauthorized/ } as const;
    expect(matchesAny('Failed to pull image "a/b:c": 401 Unauthorized', [unauthorized])).toBe(true);
    expect(matchesAny("401 Unauthorized", [unauthorized])).toBe(false);
  });

  test("or anywhere", () => {
    expect(matchesAny('level=error msg="no matches for kind \\"Issuer\\""', [{ in: "anywhere", text: /no matches for kind "Issuer"/ }])).toBe(true);
    expect(matchesAny("", [{ in: "anywhere", text: /x/ }])).toBe(false);
  });
});
