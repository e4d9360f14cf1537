import { expect, test } from "vitest";
import { ca, clientKey, otherCa, serverCertificate, serverKey } from "../cluster/test-pki.ts";
import { caFlaw } from "./certificate.ts";

const encoded = (text: string) => Buffer.from(text).toString("base64");
const secret = (certificate: string, key?: string) => ({
  "ca.crt": encoded(certificate),
  "tls.crt": encoded(certificate),
  ...(key ? { "tls.key": encoded(key) } : {}),
});

test.each([
  [null, "a CA whose key was left out", secret(ca)],
  [null, "a Secret whose data was left out", {}],
  [null, "values that were blacked out", secret("***HIDDEN***")],
  [null, "a key that was blacked out", secret(ca, "REDACTED")],
  ["absent", "no ca.crt", { "tls.crt": encoded(ca) }],
  ["different", "two certificates", { "ca.crt": encoded(otherCa), "tls.crt": encoded(ca) }],
  ["unreadable", "text that is no certificate", secret("not a certificate")],
  ["other-key", "another certificate's key", secret(ca, clientKey)],
  ["other-key", "a key that can't be read", secret(ca, "not a key")],
  ["no-ca", "a certificate that may not sign", secret(serverCertificate, serverKey)],
])("%s: %s", (flaw, _, data) => {
  expect(caFlaw(data)).toBe(flaw);
});
