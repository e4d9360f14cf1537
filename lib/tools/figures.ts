/** The median of some runs' times, in milliseconds. */
export async function medianTime(runs: number, work: () => Promise<unknown>): Promise<number> {
  return medianOf(await timesOf(runs, work));
}

/** The shortest of some runs' times: what the work takes where nothing else runs. */
export async function leastTime(runs: number, work: () => Promise<unknown>): Promise<number> {
  return Math.min(...(await timesOf(runs, work)));
}

async function timesOf(runs: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times;
}

export function medianOf(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** Milliseconds as people read them. */
export function ms(value: number): string {
  return value < 10 ? `${value.toFixed(2)} ms` : `${Math.round(value)} ms`;
}

/** One line of a benchmark: what, how much, and what it stands beside. */
export function printFigure(what: string, figure: string, beside: string): void {
  console.log(`${what.padEnd(58)} ${figure.padStart(16)}  ${beside}`);
}
