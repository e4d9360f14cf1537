import "server-only";

const shared = globalThis as unknown as { certmedic?: Map<string, unknown> };

/** State that belongs to the process: Next may load a module more than once, `globalThis` exists once. */
export function processState<T>(name: string, first: () => T): T {
  shared.certmedic ??= new Map();
  if (!shared.certmedic.has(name)) shared.certmedic.set(name, first());
  return shared.certmedic.get(name) as T;
}
