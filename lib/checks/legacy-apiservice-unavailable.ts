import { installs } from "../derive/installs.ts";
import { isLegacyApiService } from "../kube/legacy-api-service.ts";
import { isAtLeast } from "../kube/version.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

export default defineCheck({
  id: "legacy-apiservice-unavailable",
  area: "cleanup",
  severity: "blocker",
  needs: ["apiServices"],
  uses: ["deployments"],
  causedBy: [],
  patterns: [
    { in: "webhook-call", text: /the server is currently unable to handle the request/ },
    {
      in: "anywhere",
      text: /(?:\bwebhook\.cert-manager\.io|\b(?:admission|webhook)\.certmanager\.k8s\.io)\/v1\w*: (?:the server is currently unable to handle the request|stale GroupVersion discovery)/,
    },
  ],
  sources: [
    "catalogue 1.8 legacy-apiservice-unavailable",
    "https://github.com/kubernetes/kubernetes/issues/104272",
    "https://github.com/cert-manager/cert-manager/issues/5951",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
  ],
  strings: {
    title: "API of an old cert-manager that nobody serves",
    headline: "*No namespace can be deleted any more,* because the cluster still lists an API of an old cert-manager that nobody serves.",
    why: "Until 0.13 cert-manager's webhook was an API of its own, registered with an APIService. It stays when the rest is removed. Whoever asks for all APIs then gets an error: what deletes namespaces, other products' operators, and with Kubernetes before 1.26 every kubectl command.",
    unavailable: {
      text: "APIService {name} leads to Service {service}, and the API server gets no API from there: {reason}.",
      note: "APIService is a Kubernetes kind; {reason} is the API server's own word, such as ServiceNotFound",
    },
    "none-old": "No cert-manager of 0.13 or older is installed, so nothing needs it.",
    works: "This doesn't mean that the cert-manager of today is broken: it has no APIService.",
    see: "See which APIs aren't served",
    remove: "Remove the old API",
    "remove-changes":
      "The API server stops listing an API that nobody serves. Namespaces that wait for it are deleted then. No Certificate, Issuer or Secret is touched.",
    "remove-undo": "A cert-manager of 0.13 or older creates it again when it is installed.",
    pods: "See why the old webhook doesn't answer",
    verify: "See whether a namespace still waits",
  },
  run({ apiServices, deployments }) {
    const dead = apiServices.filter(isLegacyApiService).flatMap((one) => {
      const index = one.status?.conditions?.findIndex(({ type }) => type === "Available") ?? -1;
      const condition = one.status?.conditions?.[index];
      return condition && condition.status !== "True" ? [{ one, index, condition }] : [];
    });
    if (dead.length === 0) return { status: "pass" };
    const known = knownValue(deployments);
    const isOld = known !== undefined && installs({ deployments: known }).some(({ version }) => !isAtLeast(version, "0.14.0"));
    const look = <K extends "see" | "pods" | "verify">(key: K, command: string) => ({
      title: { key },
      for: "kubectl" as const,
      command,
      effect: "none" as const,
    });
    return {
      status: "fail",
      problems: dead.map(({ one, index, condition }) => {
        const { name } = one.metadata;
        const { namespace = "", name: service = "" } = one.spec?.service ?? {};
        const object = { kind: "APIService", name };
        return {
          key: "unavailable" as const,
          values: { name, service: `${namespace}/${service}`, reason: condition.reason ?? condition.status },
          severity: "blocker" as const,
          subject: object,
          evidence: [
            { object, path: `status.conditions[${index}].status`, value: condition.status },
            { object, path: "spec.service", value: `${namespace}/${service}` },
            ...(condition.message ? [{ object, path: `status.conditions[${index}].message`, value: condition.message }] : []),
          ],
          fix: [
            look("see", "kubectl get apiservices | grep -v ' True '"),
            ...(isOld
              ? [look("pods", `kubectl -n ${namespace} get pods,services,endpointslices`)]
              : [
                  {
                    title: { key: "remove" as const },
                    for: "kubectl" as const,
                    command: `kubectl delete apiservice ${name}`,
                    effect: "cluster" as const,
                    changes: { key: "remove-changes" as const },
                    undo: { key: "remove-undo" as const },
                  },
                  look("verify", "kubectl get namespaces --field-selector status.phase=Terminating"),
                ]),
          ],
        };
      }),
      because: [...(known && !isOld ? [{ key: "none-old" as const }] : []), { key: "works" as const }],
    };
  },
});
