import { signingRequest } from "../../lib/kube/signing-request.ts";
import { expect, test } from "./test.ts";

/** What the generated role leaves out on purpose (security.md 1): whoever may read one Secret by RBAC may read its key too. */
const withoutSecrets = { fact: "caSecrets", reason: "forbidden" } as const;

test("with just the generated role every fact but the Secrets is read, and the missing rule is named", async ({ cluster }) => {
  await cluster.reset("healthy");
  const report = await cluster.report();
  expect(report.verdict).toBe("healthy");
  expect(report.gathering.missing.map(({ fact, reason }) => ({ fact, reason }))).toEqual([withoutSecrets]);
  expect(report.gathering.missing[0]?.rule).toMatchObject({ resources: ["secrets"], verbs: ["get"] });
  for (const check of report.checks.filter(({ status }) => status === "unknown"))
    expect(check.because).toContain('secrets "cert-manager-webhook-ca" is forbidden');
  expect(report.checks.find(({ id }) => id === "api-probe-failing")?.status).toBe("pass");
});

test("the account can read nothing that its role doesn't name", async ({ cluster }) => {
  await cluster.reset("healthy");
  const mayI = (what: string) => cluster.try(`kubectl auth can-i ${what} --as=system:serviceaccount:certmedic:certmedic --all-namespaces`);
  for (const forbidden of [
    "list secrets",
    "get secrets",
    "create pods --subresource=exec",
    "create pods --subresource=portforward",
    "get services --subresource=proxy",
    "delete customresourcedefinitions",
    "update certificates.cert-manager.io",
    "impersonate users",
  ]) {
    expect((await mayI(forbidden)).stdout.trim(), forbidden).toBe("no");
  }
  expect((await mayI("list deployments.apps")).stdout.trim()).toBe("yes");
});

test("the admission policy lets the probe's dry run pass and refuses a real create by the same account", async ({ cluster }) => {
  await cluster.reset("healthy");
  await cluster.run("kubectl apply -f deploy/probe-policy.yaml");
  const request = {
    apiVersion: "cert-manager.io/v1",
    kind: "CertificateRequest",
    metadata: { generateName: "real-", namespace: "default" },
    spec: { request: Buffer.from(signingRequest).toString("base64"), issuerRef: { name: "self-signed" } },
  };
  const create = (flags: string) =>
    cluster.try(`kubectl create ${flags} --as=system:serviceaccount:certmedic:certmedic -f -`, { input: JSON.stringify(request) });
  // The API server takes up a new policy a moment after it is stored.
  const refused = await cluster.until("the policy to be enforced", async () => {
    const real = await create("");
    return real.code !== 0 && real;
  });
  expect(refused.stderr).toContain("Certmedic's account may create CertificateRequests as a dry run only.");
  expect((await create("--dry-run=server")).stderr).toBe("");
  const report = await cluster.report();
  expect(report.checks.find(({ id }) => id === "api-probe-failing")?.status).toBe("pass");
  expect(report.verdict).toBe("healthy");
});
