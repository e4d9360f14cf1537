import { X509Certificate } from "node:crypto";
import type { CertificateFacts } from "../model/facts.ts";

const pemBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * The certificates in base64-encoded PEM as Kubernetes stores them (caBundle, Secret data), oldest first as written.
 * [] for an empty or absent value, null where something is there that isn't PEM.
 */
export function certificatesIn(base64: string | undefined): readonly CertificateFacts[] | null {
  if (!base64) return [];
  const text = Buffer.from(base64, "base64").toString("utf8");
  const blocks = text.match(pemBlock);
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
