import { defineCheck } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";

/** The API server's words for what an account may not do. */
const refusal = /User "(?<user>[^"]+)" cannot create resource "certificaterequests"(?:.*in the namespace "(?<namespace>[^"]+)")?/;
const role = "certmedic-probe";

export default defineCheck({
  id: "probe-forbidden",
  area: "api-probe",
  severity: "info",
  needs: [],
  uses: ["apiProbe"],
  causedBy: [],
  sources: ["catalogue 1.11", "https://kubernetes.io/docs/reference/access-authn-authz/rbac/"],
  strings: {
    title: "API check that this account may not make",
    headline: "*Whether the API server accepts cert-manager's objects isn't known,* because this account may not ask it.",
    why: "The API check asks the API server whether it would accept a CertificateRequest, without storing one. That takes the right to create CertificateRequests in one namespace, which whoever only reads doesn't have. All other checks go on without it.",
    ignore: "This says nothing about cert-manager. With an account that may create CertificateRequests the answer comes by itself.",
    forbidden: "The API server doesn't let this account ask whether it would accept a CertificateRequest.",
    see: "See what this account may do",
    allow: "Let this account ask, in one namespace",
    "allow-changes":
      "The account {user} may create CertificateRequests in namespace {namespace}, real ones too. The admission policy in `deploy/probe-policy.yaml` of Certmedic holds an account to dry runs.",
    "allow-undo": "Delete the RoleBinding and the Role `certmedic-probe` in namespace {namespace}.",
  },
  run({ apiProbe }) {
    if (apiProbe.state === "known") return { status: "pass" };
    if (apiProbe.state !== "missing" || apiProbe.reason !== "forbidden") return { status: "needs", fact: "apiProbe" };
    const { user, namespace = "default" } = refusal.exec(apiProbe.detail)?.groups ?? {};
    const object = { kind: "CertificateRequest", namespace, name: role };
    return {
      status: "fail",
      problems: [
        {
          key: "forbidden",
          severity: "info",
          subject: object,
          evidence: [{ object, path: "answer", value: apiProbe.detail }],
          fix: [
            {
              title: { key: "see" as const },
              for: "kubectl" as const,
              command: `kubectl -n ${namespace} auth can-i create certificaterequests.cert-manager.io`,
              effect: "none" as const,
            },
            ...(user ? [allow(user, namespace)] : []),
          ],
        },
      ],
    };
  },
});

function allow(user: string, namespace: string): FixStep<"allow" | "allow-changes" | "allow-undo"> {
  const account = /^system:serviceaccount:([^:]+:[^:]+)$/.exec(user)?.[1];
  return {
    title: { key: "allow" },
    for: "kubectl",
    command: [
      `kubectl -n ${namespace} create role ${role} --verb=create --resource=certificaterequests.cert-manager.io`,
      `kubectl -n ${namespace} create rolebinding ${role} --role=${role} ${account ? `--serviceaccount=${account}` : `--user='${user.replaceAll("'", "")}'`}`,
    ].join("\n"),
    effect: "cluster",
    changes: { key: "allow-changes", values: { user, namespace } },
    undo: { key: "allow-undo", values: { namespace } },
  };
}
