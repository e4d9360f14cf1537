import { createPrivateKey, X509Certificate } from "node:crypto";
import type { CaFlaw, CertificateFacts } from "../model/facts.ts";

const pemBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * The certificates in base64-encoded PEM as Kubernetes stores them (caBundle, Secret data), oldest first as written.
 * [] for an empty or absent value, null where something is there that isn't PEM.
 */
export function certificatesIn(base64: string | undefined): readonly CertificateFacts[] | null {
  if (!base64) return [];
  const blocks = textOf(base64).match(pemBlock);
  if (!blocks) return null;
  try {
    return blocks.map((block) => factsOf(new X509Certificate(block)));
  } catch {
    return null;
  }
}

function factsOf(certificate: X509Certificate): CertificateFacts {
  return {
    subject: certificate.subject ?? "",
    issuer: certificate.issuer ?? "",
    notBefore: new Date(certificate.validFrom).toISOString(),
    notAfter: new Date(certificate.validTo).toISOString(),
    isCa: certificate.ca,
    dnsNames: (certificate.subjectAltName ?? "")
      .split(", ")
      .filter((name) => name.startsWith("DNS:"))
      .map((name) => name.slice(4)),
    fingerprint: certificate.fingerprint256,
  };
}

/** What tools that collect snapshots write in the place of a secret value. */
const blackedOut = /redacted|hidden|removed|\*\*\*/i;

/**
 * Why the webhook would throw away the CA in a Secret's data: the questions that it asks itself, in the same order. What was left
 * out or blacked out on the way here proves nothing.
 */
export function caFlaw(data: Readonly<Record<string, string>>): CaFlaw | null {
  const { "ca.crt": ca, "tls.crt": certificate, "tls.key": key } = data;
  if (Object.keys(data).length === 0 || [ca, certificate].some((value) => value && blackedOut.test(textOf(value)))) return null;
  if (!ca || !certificate) return "absent";
  if (ca !== certificate) return "different";
  const [first] = certificatesIn(certificate) ?? [];
  if (!first) return "unreadable";
  if (key && !blackedOut.test(textOf(key)) && !isKeyOf(certificate, key)) return "other-key";
  return first.isCa ? null : "no-ca";
}

function isKeyOf(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(textOf(certificate)).checkPrivateKey(createPrivateKey(textOf(key)));
  } catch {
    return false;
  }
}

function textOf(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}
