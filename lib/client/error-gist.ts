/** The part of an error that names its cause: errors wrap one another, so that is their end. At least one part, else as many as `room` characters hold. */
export function errorGist(text: string, room: number): string {
  const parts = text.trim().split(": ");
  let gist = parts.pop() ?? "";
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (part.length + gist.length + 2 > room) return `… ${gist}`;
    gist = `${part}: ${gist}`;
  }
  return gist;
}

/** What a log line says: of a structured one its `err`, without the escapes. */
export function logGist(line: string): string {
  const error = /\berr="((?:\\.|[^"\\])+)"/.exec(line)?.[1];
  return error ? error.replaceAll(/\\(.)/g, "$1") : line;
}
