import { stringify } from "yaml";

/**
 * Admission as on clusters that keep the system's priority classes to themselves (GKE): a pod of such a class is let in only
 * where a ResourceQuota speaks of it.
 */
export const admissionConfig = stringify({
  apiVersion: "apiserver.config.k8s.io/v1",
  kind: "AdmissionConfiguration",
  plugins: [
    {
      name: "ResourceQuota",
      configuration: {
        apiVersion: "apiserver.config.k8s.io/v1",
        kind: "ResourceQuotaConfiguration",
        limitedResources: [
          {
            resource: "pods",
            matchScopes: [{ scopeName: "PriorityClass", operator: "In", values: ["system-node-critical", "system-cluster-critical"] }],
          },
        ],
      },
    },
  ],
});
