const klog = /^[IWEF](?<month>\d\d)(?<day>\d\d) (?<time>\d\d:\d\d:\d\d(?:\.\d+)?)/;
const json = /"ts":(?<ms>\d+(?:\.\d+)?)/;
const day = 24 * 60 * 60 * 1000;

/**
 * When a log line was written, or null where it doesn't say. klog leaves out the year: it is the last one in which the
 * line isn't of the future, give or take a day for clocks that differ.
 */
export function logTime(line: string, now: Date): Date | null {
  const structured = json.exec(line)?.groups?.ms;
  if (line.startsWith("{") && structured) return new Date(Number(structured));
  const found = klog.exec(line)?.groups;
  if (!found) return null;
  const { month, day: date, time } = found;
  for (const year of [now.getUTCFullYear() + 1, now.getUTCFullYear(), now.getUTCFullYear() - 1]) {
    const written = new Date(`${year}-${month}-${date}T${time}Z`);
    if (written.getTime() <= now.getTime() + day) return written;
  }
  return null;
}
