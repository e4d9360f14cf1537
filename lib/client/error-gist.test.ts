import { expect, test } from "vitest";
import { errorGist, logGist } from "./error-gist.ts";

test("the end of a long error is what it is about", () => {
  const error =
    'Error from server (InternalError): error when creating "issuer.yaml": Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s": tls: failed to verify certificate: x509: certificate signed by unknown authority';
  expect(errorGist(error, 90)).toBe("… tls: failed to verify certificate: x509: certificate signed by unknown authority");
  expect(errorGist('service "x" not found', 90)).toBe('service "x" not found');
});

test("a structured log line says its error", () => {
  expect(logGist('E1130 19:40:44.76 1 leaderelection.go:436] "Error retrieving lease lock" err="leases \\"a\\" is forbidden" lock="kube-system/a"')).toBe(
    'leases "a" is forbidden',
  );
  expect(logGist("plain words")).toBe("plain words");
});
