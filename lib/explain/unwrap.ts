/** Removes the backslashes of a string in a log or in JSON, however often it was put into another one. */
export function unescaped(text: string): string {
  return text
    .replaceAll(/(?<!\\)\\+n/g, "\n")
    .replaceAll(/(?<!\\)\\+t/g, " ")
    .replaceAll(/(?<!\\)\\+"/g, '"');
}

const text = String.raw`"((?:\\.|[^"\\])*)"`;
/** `err="…"` of a structured log, `"error"="…"` of an older one. */
const errorPair = new RegExp(String.raw`(?:^|[\s,])"?(?:err|error|cause)"?=${text}`);
const messagePair = new RegExp(String.raw`(?:^|[\s,])"?(?:msg|message)"?=${text}`);
const leadingMessage = new RegExp(String.raw`^${text}(?=\s|$)`);

/** A line of a structured log as a sentence: what happened, then why. Null where it is none, or doesn't say why. */
export function unwrapLog(line: string): string | null {
  const error = errorPair.exec(line)?.[1];
  const message = messagePair.exec(line)?.[1] ?? leadingMessage.exec(line)?.[1];
  if (error === undefined && !messagePair.test(line)) return null;
  return unescaped([message, error].filter(Boolean).join(": "));
}

/** The errors in a line of JSON: a log line, a Status, an event, or any object with messages in it. Null where it isn't JSON. */
export function unwrapJson(line: string): readonly string[] | null {
  if (!/^[{[].*[}\]]$/s.test(line)) return null;
  try {
    return messagesIn(JSON.parse(line), 8);
  } catch {
    return null;
  }
}

function messagesIn(value: unknown, depth: number): readonly string[] {
  if (typeof value !== "object" || value === null || depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((one) => messagesIn(one, depth - 1));
  const fields = value as Readonly<Record<string, unknown>>;
  const own = ["msg", "message", "err", "error", "stderr", "log"].flatMap((key) =>
    typeof fields[key] === "string" && fields[key] !== "" ? [fields[key]] : [],
  );
  const inner = Object.values(fields).flatMap((one) => messagesIn(one, depth - 1));
  return own.length > 0 ? [unescaped(own.join(": ")), ...inner] : inner;
}

/** The message of a row in kubectl's tables of events, or null. */
export function unwrapEvent(line: string): string | null {
  const columns = line.split(/ {2,}|\t+/);
  const type = columns.slice(0, 3).findIndex((column) => column === "Normal" || column === "Warning");
  if (type < 0) return null;
  // `describe` prints reason, age, from; `get` prints reason, object.
  const before = /^(?:<|\d+[smhd])/.test(columns[type + 2] ?? "") ? 4 : 3;
  const message = columns.slice(type + before).join(" ");
  return message === "" ? null : message;
}

/** A field that holds a message, in YAML, in JSON that is spread over lines, or in what `kubectl describe` prints. */
const messageField = /^(?:- )?(?:(?:[Mm]essage|msg|stderr|note)|"(?:message|error|err|msg|stderr|note)"):(?:\s+|$)(?<value>.*)$/;

/** What follows `message:`, or null. The value may go on in the next lines. */
export function messageOf(line: string): string | null {
  return messageField.exec(line)?.groups?.value ?? null;
}

/** A value as YAML and JSON write it, as the text that it stands for. */
export function unquoted(value: string): string {
  const whole = value.trim().replace(/,$/, "");
  if (/^'(?:''|[^'])*'$/.test(whole)) return whole.slice(1, -1).replaceAll("''", "'");
  if (/^"(?:\\.|[^"\\])*"$/s.test(whole)) return unescaped(whole.slice(1, -1));
  return whole;
}
