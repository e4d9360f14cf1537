type Container = Record<string | number, unknown>;

/**
 * Sets a field of an object in place: `webhooks[0].clientConfig.caBundle`, `metadata.labels["app.kubernetes.io/name"]`; null
 * deletes it. Objects on the way are made, list items are not: an index beyond the end is an error that names `owner`.
 */
export function setAtPath(object: object, path: string, value: unknown, owner: string): void {
  const keys = keysOf(path);
  const last = keys.pop();
  if (last === undefined) throw new Error(`overlay: set without a path: ${owner}`);
  let at = object as Container;
  for (const key of keys) {
    const next = at[key];
    if (next === null || typeof next !== "object") {
      if (next !== undefined || value === null || typeof key === "number") throw new Error(`overlay: set matches nothing: ${owner} ${path}`);
      at[key] = {};
    }
    at = at[key] as Container;
  }
  if (typeof last === "number" && !(Array.isArray(at) && last < at.length)) throw new Error(`overlay: set matches nothing: ${owner} ${path}`);
  if (value !== null) at[last] = value;
  else if (!(last in at)) throw new Error(`overlay: set matches nothing: ${owner} ${path}`);
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
}

function keysOf(path: string): (string | number)[] {
  const keys: (string | number)[] = [];
  let rest = path;
  while (rest !== "") {
    const match = /^(?:\.?([^.[\]]+)|\[(\d+)\]|\["([^"]+)"\])/.exec(rest);
    if (!match) throw new Error(`overlay: not a path: ${path}`);
    keys.push(match[1] ?? match[3] ?? Number(match[2]));
    rest = rest.slice(match[0].length);
  }
  return keys;
}
