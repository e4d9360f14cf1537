/** Selects the Deployments of products that decide about a CertificateRequest by who made it (catalogue 0.7.8). */
export const identityReaderSelector = "app.kubernetes.io/name in (cert-manager-approver-policy,cert-manager-istio-csr)";
