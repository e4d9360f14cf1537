const steps = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** How long ago something was, in the largest fitting unit ("3s ago"). A clock that runs ahead of the server's counts as now. */
export function ageText(since: string, now: number, locale: string): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1_000));
  const [unit, size] = steps.find(([, length]) => seconds >= length) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(locale, { style: "narrow" }).format(-Math.floor(seconds / size), unit);
}

/** A time of day, for what is at most a few hours old. */
export function clockText(at: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: "short", hourCycle: "h23", timeZone: "UTC" }).format(new Date(at)).concat(" UTC");
}

/** A time of its own, short and unmistakable: with its date and its time zone. Server and browser both write UTC. */
export function timeText(at: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23", timeZone: "UTC" }).format(new Date(at)).concat(" UTC");
}
