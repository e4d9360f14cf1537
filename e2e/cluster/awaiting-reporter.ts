import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

/** Lists, apart from passed and failed, what the scenarios would assert if the product had the check already. */
export default class AwaitingReporter implements Reporter {
  private readonly awaiting = new Map<string, string>();

  onTestEnd(test: TestCase, { status }: TestResult): void {
    if (status !== "passed") return;
    for (const { type, description } of test.annotations) {
      if (type === "awaiting" && description) this.awaiting.set(`${test.title} ${description}`, `  awaiting ${description}\n    in ${test.title}`);
    }
  }

  onEnd(): void {
    if (this.awaiting.size === 0) return;
    console.log(`\n${this.awaiting.size} assertions await their check:\n${[...this.awaiting.values()].sort().join("\n")}`);
  }
}
