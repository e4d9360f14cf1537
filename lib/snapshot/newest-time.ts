import type { SnapshotObject } from "./snapshot.ts";

/**
 * The newest moment that a snapshot tells of: creation, event, condition, lease, container state or log line. Dates that
 * lie ahead by nature (notAfter, renewal) aren't looked at. Undefined where nothing carries a time.
 */
export function newestTime(objects: readonly SnapshotObject[], logs: ReadonlyMap<string, string>): Date | undefined {
  let newest = -Infinity;
  const see = (value: unknown): void => {
    const time = typeof value === "string" && rfc3339.test(value) ? Date.parse(value) : Number.NaN;
    if (time > newest) newest = time;
  };
  for (const object of objects) for (const value of timesOf(object)) see(value);
  for (const log of logs.values()) for (const line of lastLines(log)) see(lineTime(line));
  // klog's lines have no year: they are from the year that brings them nearest to the rest.
  if (Number.isFinite(newest)) for (const log of logs.values()) for (const line of lastLines(log)) see(klogTime(line, newest));
  return Number.isFinite(newest) ? new Date(newest) : undefined;
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

type Fields = Readonly<Record<string, unknown>>;

function* timesOf(object: SnapshotObject): Generator<unknown> {
  yield object.metadata.creationTimestamp;
  const status = fieldsOf(object.status);
  for (const condition of listOf(status.conditions)) {
    yield* [condition.lastTransitionTime, condition.lastUpdateTime, condition.lastProbeTime, condition.lastHeartbeatTime];
  }
  if (object.kind === "Event") yield* [object.firstTimestamp, object.lastTimestamp, object.eventTime, fieldsOf(object.series).lastObservedTime];
  if (object.kind === "Lease") yield* [fieldsOf(object.spec).renewTime, fieldsOf(object.spec).acquireTime];
  if (object.kind === "Pod") {
    for (const container of [...listOf(status.containerStatuses), ...listOf(status.initContainerStatuses)]) {
      for (const state of [fieldsOf(container.state), fieldsOf(container.lastState)]) {
        const [running, terminated] = [fieldsOf(state.running), fieldsOf(state.terminated)];
        yield* [running.startedAt, terminated.startedAt, terminated.finishedAt];
      }
    }
  }
}

function fieldsOf(value: unknown): Fields {
  return value !== null && typeof value === "object" ? (value as Fields) : {};
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** Logs are in order, so the end is enough; a few lines because the last may be a stack trace. */
function lastLines(log: string): readonly string[] {
  return log.trimEnd().slice(-20_000).split("\n").slice(-50);
}

/** The time that a line starts with, plainly or as the first key of JSON or logfmt. */
function lineTime(line: string): string | undefined {
  const match = /^(?:\{"(?:ts|time|timestamp)":|(?:ts|time)=)?"?(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))/.exec(line);
  if (match) return match[1];
  const epoch = /^\{"ts":(\d{10,13}(?:\.\d+)?)/.exec(line)?.[1];
  if (!epoch) return undefined;
  const milliseconds = Number(epoch) > 1e11 ? Number(epoch) : Number(epoch) * 1000;
  return new Date(milliseconds).toISOString();
}

function klogTime(line: string, near: number): string | undefined {
  const match = /^[IWEF](\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d{3})/.exec(line);
  if (!match) return undefined;
  const [, month, day, time] = match;
  const year = new Date(near).getUTCFullYear();
  const candidates = [year - 1, year, year + 1].map((one) => Date.parse(`${one}-${month}-${day}T${time}Z`)).filter((one) => !Number.isNaN(one));
  if (candidates.length === 0) return undefined;
  const nearest = candidates.reduce((best, one) => (Math.abs(one - near) < Math.abs(best - near) ? one : best));
  return new Date(nearest).toISOString();
}
