/** Asks until the answer is one; rejects with what was waited for and the last error after `timeoutMs`. */
export async function until<T>(what: string, ask: () => Promise<T | undefined | false>, timeoutMs = 30_000, everyMs = 100): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeoutMs / 1000} s${last ? ` (${last instanceof Error ? last.message : last})` : ""}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
