import { accessReviews, dryRuns } from "./creating.ts";
import type { Exchange } from "./exchange.ts";
import { logs } from "./logs.ts";
import { discovery, lists, objects, pages } from "./reading.ts";
import { selectors } from "./selecting.ts";

/**
 * What an administrator is answered by the embedded server as by a real API server, about a healthy cert-manager and the
 * objects beside it. Every text here was said by kube-apiserver 1.36: `npm test` holds the embedded server to it, and
 * `npm run test:cluster` asks both and compares all that they say.
 */
export function contract(webhookPod: string): Readonly<Record<string, readonly Exchange[]>> {
  return { discovery, objects, lists, pages, selectors, logs: logs(webhookPod), "dry runs": dryRuns, "access reviews": accessReviews };
}
