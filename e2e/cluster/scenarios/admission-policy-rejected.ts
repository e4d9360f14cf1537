import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

const name = "resource-limits";
const policy = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name },
  spec: {
    failurePolicy: "Fail",
    matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }] },
    validations: [
      {
        expression: "object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && 'memory' in c.resources.limits)",
        message: "each container must have limits for its memory",
      },
    ],
  },
};
const binding = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name },
  spec: { policyName: name, validationActions: ["Deny"] },
};

export default defineScenario({
  title: "an admission policy of the cluster that wants limits, which the chart doesn't set",
  from: "empty",
  async fault(cluster) {
    await cluster.apply(policy, binding);
    await cluster.run(`${install} --set startupapicheck.enabled=false`);
  },
  expect: { verdict: "broken", roots: ["policy-engine-rejected"], explains: ["webhook-no-endpoints", "api-probe-failing"] },
  mends: true,
});
