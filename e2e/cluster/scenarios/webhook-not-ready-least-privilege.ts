import { defineScenario } from "../scenario.ts";
import webhookNotReady from "./webhook-not-ready.ts";

export default defineScenario({
  title: "a webhook that never becomes ready, seen by an account that may read no Secrets",
  from: webhookNotReady.from,
  fault: webhookNotReady.fault,
  expect: { verdict: "broken", roots: ["ca-secret-rbac"], explains: ["webhook-not-ready-500", "webhook-no-endpoints", "api-probe-failing"] },
});
