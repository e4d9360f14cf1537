import { ClusterError, InputError } from "../cluster/errors.ts";
import type { ClusterReader } from "../cluster/reader.ts";
import type { Fact, FactKey, Facts, Rule } from "../model/facts.ts";
import { type Gatherer, type GatherInput, NotAsked } from "./gatherer.ts";
import { gatherers } from "./index.gen.ts";

type AnyFact = Fact<unknown>;

/**
 * Reads everything a checkup needs, each fact as soon as the facts before it are in. `onFact` sees the state after
 * each one. Rejects only where nothing at all can be read: with the InputError or ClusterError that says why.
 */
export async function gather(cluster: ClusterReader, input: GatherInput, onFact?: (facts: Facts) => void): Promise<Facts> {
  const facts = Object.fromEntries(gatherers.map((gatherer) => [gatherer.fact, { state: "pending" }])) as Record<FactKey, AnyFact>;
  const running = new Map<FactKey, Promise<AnyFact>>();
  let fatal: Error | undefined;

  const learn = (key: FactKey): Promise<AnyFact> => {
    let promise = running.get(key);
    if (!promise) {
      const gatherer = gatherers.find((one) => one.fact === key) as Gatherer;
      promise = learnOne(gatherer).then((fact) => {
        facts[key] = fact;
        onFact?.({ ...facts } as Facts);
        return fact;
      });
      running.set(key, promise);
    }
    return promise;
  };

  async function learnOne(gatherer: Gatherer): Promise<AnyFact> {
    const before = [...gatherer.needs, ...gatherer.uses];
    const settled = await Promise.all(before.map(learn));
    const given: Record<string, unknown> = {};
    for (const [index, key] of before.entries()) {
      const fact = settled[index] as AnyFact;
      if (!gatherer.needs.includes(key)) given[key] = fact;
      else if (fact.state === "known") given[key] = fact.value;
      else return fact;
    }
    for (const key of gatherer.later ?? []) given[key] = () => learn(key);
    try {
      const value = await gatherer.gather(cluster, given as never, input);
      return value instanceof NotAsked ? { state: "not-asked", because: value.because } : { state: "known", value };
    } catch (error) {
      if (error instanceof InputError || (error instanceof ClusterError && isSilence(error))) fatal ??= error;
      return missing(error, gatherer.rules);
    }
  }

  await Promise.all(gatherers.map((gatherer) => learn(gatherer.fact)));
  const anything = gatherers.some((gatherer) => gatherer.fact !== "reportedErrors" && facts[gatherer.fact].state === "known");
  if (!anything && fatal) throw whole(fatal);
  return facts as Facts;
}

/** Failures that say nothing about cert-manager: where there is nothing else, there is no report to make. */
function isSilence(error: ClusterError): boolean {
  return error.reason !== "forbidden" && error.reason !== "not-collected";
}

/** One request's failure as the whole checkup's. */
function whole(failure: Error): Error {
  if (!(failure instanceof ClusterError) || failure.reason === "unreachable" || failure.reason === "unauthorized") return failure;
  return new ClusterError(
    failure.reason,
    `Nothing could be read from the API server (${failure.message}). Check network, VPN and the state of the control plane.`,
    {
      cause: failure,
    },
  );
}

/** What couldn't be read, and which rule would have allowed it. */
function missing(error: unknown, rules: readonly Rule[]): AnyFact {
  if (error instanceof ClusterError) {
    const rule = error.rule ?? rules.find((one) => one.resources.some((resource) => error.message.includes(resource.split("/")[0] ?? resource)));
    return { state: "missing", reason: error.reason, detail: error.message, ...(error.reason === "forbidden" && rule ? { rule } : {}) };
  }
  // An answer of another shape than the API's makes the code that reads it fail: not seen is not absent.
  const detail = error instanceof Error ? error.message : String(error);
  return { state: "missing", reason: "bad-answer", detail: `the API server's answer has an unexpected shape (${detail})` };
}
