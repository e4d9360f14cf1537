import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { openSnapshot } from "./open.ts";
import { applyOverlay, type Overlay } from "./overlay.ts";
import type { Snapshot } from "./snapshot.ts";

/** A cluster that comes with the product, to look around in. */
export interface DemoCluster {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly snapshot: Snapshot;
}

/** The demo clusters by name, in the order in which they are shown. */
export const demoNames = ["healthy", "just-installed", "ca-not-injected", "leftover-crds", "air-gapped-images", "webhook-unreachable"] as const;

/** A demo cluster's file: what it is, and how it differs from the snapshot in the folder `from`. */
interface DemoFile extends Overlay {
  readonly title: string;
  readonly description: string;
  readonly from: string;
}

/** All demo clusters; `root` is the product's own folder. */
export async function demoClusters(root: string): Promise<DemoCluster[]> {
  const bases = new Map<string, Promise<Snapshot>>();
  return Promise.all(demoNames.map((name) => load(root, name, bases)));
}

/** One demo cluster. */
export function loadDemo(root: string, name: string): Promise<DemoCluster> {
  return load(root, name, new Map());
}

async function load(root: string, name: string, bases: Map<string, Promise<Snapshot>>): Promise<DemoCluster> {
  if (!demoNames.some((known) => known === name)) throw new Error(`There is no demo cluster ${name}; there are ${demoNames.join(", ")}.`);
  const folder = join(root, "lib", "snapshot", "demo");
  const { title, description, from, ...overlay } = parse(await readFile(join(folder, `${name}.yaml`), "utf8"), { maxAliasCount: 1000 }) as DemoFile;
  const base = bases.get(from) ?? openSnapshot(join(folder, from));
  bases.set(from, base);
  return { name, title, description, snapshot: applyOverlay(await base, overlay, name) };
}
