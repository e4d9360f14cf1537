import type { Container, Job, Pod } from "../model/kubernetes.ts";

/** Selects the Job that the chart runs after an install, and its pods. */
export const startupCheckSelector = "app.kubernetes.io/component=startupapicheck";

/** The container that asks the API; a mesh may put its own beside it. */
export function checkContainer({ spec: { containers } }: Pod): Container | undefined {
  return containers.find(({ name, image }) => /startupapicheck/.test(name) || /cert-manager-(?:startupapicheck|ctl)/.test(image)) ?? containers[0];
}

/** Whether the check went through. */
export function isCompleted(job: Job): boolean {
  return hasCondition(job, "Complete") || hasCondition(job, "SuccessCriteriaMet");
}

/** Whether the Job has given up. */
export function isFailed(job: Job): boolean {
  return hasCondition(job, "Failed");
}

function hasCondition({ status }: Job, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === "True") ?? false;
}
