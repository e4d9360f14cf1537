import { existsSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import type { CheckStatus } from "../model/report.ts";
import type { Overlay } from "../snapshot/overlay.ts";

/** One case of a check's fixture: a cluster, as its difference to a demo cluster, and what the check must say of it. */
export interface FixtureCase extends Overlay {
  /** What state this is. */
  readonly case: string;
  /** The demo cluster that it starts from; `healthy` without. */
  readonly from?: string;
  readonly expect: {
    readonly status: CheckStatus;
    /** `<key> <Kind/namespace/name>` of each problem, worst first. */
    readonly problems?: readonly string[];
    /** The check that explains this one here; absent where this one is a root cause or doesn't fail. */
    readonly root?: string;
    /** The severity of the worst problem, where a check has more than one. */
    readonly severity?: string;
  };
}

/** The cases in `<id>.fixture.yaml`; none for a failure mode that no state of a cluster shows. */
export function fixtureCases(folder: string, id: string): readonly FixtureCase[] {
  if (!existsSync(`${folder}/${id}.fixture.yaml`)) return [];
  return parse(readFileSync(`${folder}/${id}.fixture.yaml`, "utf8")) as FixtureCase[];
}
