import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";

/** What a scenario of e2e/cluster made the API server, kubectl and Helm say. */
export interface Words {
  /** The check that is the root cause; absent where nothing is broken. */
  readonly root?: string;
  /** What the API server answered to the valid dry-run create; absent where it let it in. */
  readonly probe?: string;
  /** What tools printed, and the check that explains it; null where it is about somebody else's webhook. */
  readonly said?: readonly { readonly check: string | null; readonly text: string }[];
}

/** Recordings stand beside `explain`, whose unit tests read them without a control plane. */
const folder = join(import.meta.dirname, "../explain/recorded");

/** Every recording, by scenario. */
export function allRecordedWords(): ReadonlyMap<string, Words> {
  const names = readdirSync(folder).map((name) => name.replace(/\.yaml$/, ""));
  return new Map(names.sort().map((name) => [name, recordedWords(name) as Words]));
}

/** What was recorded of a scenario; undefined where nothing was yet. */
export function recordedWords(scenario: string): Words | undefined {
  const path = fileOf(scenario);
  return existsSync(path) ? (parse(readFileSync(path, "utf8")) as Words) : undefined;
}

export function recordWords(scenario: string, words: Words): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(scenario), stringify(words, { lineWidth: 0 }));
}

/** The words without what differs from run to run: addresses, generated names, times, temporary paths. */
export function normalWords(words: Words): Words {
  return {
    ...(words.root === undefined ? {} : { root: words.root }),
    ...(words.probe === undefined ? {} : { probe: normal(words.probe) }),
    ...(words.said === undefined ? {} : { said: words.said.map(({ check, text }) => ({ check, text: normal(text) })) }),
  };
}

/** One text without what differs from run to run. */
export function normal(text: string): string {
  return (
    text
      .replace(/\/tmp\/[^\s"':]+/g, "PATH")
      .replace(/\b\d+\.\d+\.\d+\.\d+:\d{5}\b/g, "CALLER")
      .replace(/\b10\.96\.\d+\.\d+\b/g, "SERVICE-IP")
      .replace(/\b10\.244\.\d+\.\d+\b/g, "POD-IP")
      .replace(/\bip-\d+-\d+-\d+-\d+\.[a-z0-9-]+\.compute\.internal\b/g, "NODE")
      // A release name that Helm made.
      .replace(/\bcert-manager-\d{10}-webhook(?:\.[a-z-]+)?\b/g, (name) => (name.includes(".") ? "cert-manager-webhook.cert-manager" : "cert-manager-webhook"))
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME")
      .replace(/\b[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+/g, "STAMP")
      .replace(/\b\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d/g, "STAMP")
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "UID")
      .replace(/-([a-z0-9]{8,10})-[a-z0-9]{5}\b/g, "-$1-POD")
  );
}

function fileOf(scenario: string): string {
  return join(folder, `${scenario}.yaml`);
}
