import type { Report } from "../model/report.ts";

/** Fixed by contract.md. */
export const exitCodes = { healthy: 0, failing: 3, warnings: 4, unreadable: 5, usage: 64, waited: 124 } as const;

/** The exit code that a report stands for. */
export function exitCodeOf(report: Report): number {
  switch (report.verdict) {
    case "broken":
    case "degraded":
    case "not-installed":
      return exitCodes.failing;
    case "unknown":
    case "settling":
      return exitCodes.unreadable;
    case "healthy": {
      const warned = report.checks.some((check) => check.status === "fail" && check.problems.some((problem) => problem.severity === "warning"));
      return warned ? exitCodes.warnings : exitCodes.healthy;
    }
  }
}
