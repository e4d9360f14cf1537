import { parseAllDocuments } from "yaml";
import { InputError } from "../cluster/errors.ts";
import type { BundleLimits } from "./bundle-limits.ts";

/** The documents of a YAML or JSON file as plain values. What doesn't parse, or is built to exhaust us, is an InputError that names the file. */
export function documentsIn(path: string, bytes: Uint8Array, limits: BundleLimits): readonly unknown[] {
  const text = new TextDecoder().decode(bytes);
  const documents = path.endsWith(".json") ? [parsedJson(path, text)] : (likelyJson(text) ?? parsedYaml(path, text, limits));
  for (const document of documents) checkDepth(document, path, limits.depth);
  return documents;
}

function parsedJson(path: string, text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = cause as SyntaxError;
    const line = text.slice(0, errorOffset(message, text)).split("\n").length;
    const what = message.replace(/( in JSON at position|, (\.\.\.)?").*/s, "");
    throw new InputError(`${path} isn't valid JSON (line ${line}: ${what}): correct it or take it out.`, { cause });
  }
}

/** V8 gives the position, or the ten characters on either side of the mistake, or neither where the end is missing. */
function errorOffset(message: string, text: string): number {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position) return Number(position);
  const [, token = "", dots, excerpt = ""] = /^Unexpected token '(.+?)', (\.\.\.)?"(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(message) ?? [];
  const at = text.indexOf(excerpt);
  return token === "" || at < 0 ? text.length : at + (dots ? 10 : Math.max(0, excerpt.indexOf(token)));
}

/** JSON is YAML, and a hundred times faster to read as what it is. */
function likelyJson(text: string): readonly unknown[] | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return [JSON.parse(text)];
  } catch {
    return undefined;
  }
}

function parsedYaml(path: string, text: string, limits: BundleLimits): readonly unknown[] {
  // Key uniqueness is checked in quadratic time; the plain core schema makes no dates or sets, whatever a file's header asks for.
  const documents = parseAllDocuments(text, { logLevel: "silent", uniqueKeys: false, schema: "core", resolveKnownTags: false, merge: false });
  if ("empty" in documents) return [];
  return documents.map((document) => {
    const [error] = document.errors;
    if (error && /call stack/.test(error.message)) throw tooDeep(path);
    if (error) {
      const [message = ""] = error.message.replace(/ at line \d+, column \d+:?/, "").split("\n");
      throw new InputError(`${path} isn't valid YAML (line ${error.linePos?.[0].line ?? 1}: ${message.slice(0, 100)}): correct it or take it out.`, {
        cause: error,
      });
    }
    try {
      return document.toJS({ maxAliasCount: limits.aliases });
    } catch (cause) {
      if (cause instanceof RangeError) throw tooDeep(path);
      throw new InputError(`${path} repeats itself by too many YAML aliases: write them out, or take the file out.`, { cause });
    }
  });
}

function checkDepth(value: unknown, path: string, left: number): void {
  if (value === null || typeof value !== "object") return;
  if (left <= 0) throw tooDeep(path);
  for (const item of Array.isArray(value) ? value : Object.values(value)) checkDepth(item, path, left - 1);
}

function tooDeep(path: string): InputError {
  return new InputError(`${path} nests deeper than any Kubernetes object: take it out.`);
}
