import { checks } from "../checks/index.gen.ts";
import { findPattern, readDenial, readWebhookCall } from "../kube/error-text.ts";
import { productOfWebhook } from "../kube/foreign-webhooks.ts";
import type { Check, Pattern } from "../model/check.ts";
import { defined, detailsOf } from "./details.ts";
import { type Passage, passagesIn } from "./errors-in.ts";

/** A failure mode that an error names. */
export interface Match {
  readonly check: string;
  /** What the error says about the things it is about, such as `service`, `namespace`, `image`. */
  readonly details: Readonly<Record<string, string>>;
  /** The words that name it. */
  readonly words: string;
}

/** A webhook of another product. */
export interface ForeignWebhook {
  readonly webhook: string;
  /** Whose it is, where its name or its Service tells. */
  readonly product: string | null;
}

/** One error of a text. */
export interface ExplainedError {
  /** Without what logs, tables and terminals put around it. */
  readonly text: string;
  /** How often the text repeats it. */
  readonly times: number;
  /** Best first. */
  readonly matches: readonly Match[];
  readonly notOurs: ForeignWebhook | null;
}

export interface Explanation {
  /** The failure modes that the text names, best first: the nearest to the cause, each once. */
  readonly matches: readonly Match[];
  /** The webhook that the text is about, where it is somebody else's and nothing in the text is ours. */
  readonly notOurs: string | null;
  /** What in the text reads like an error, in its order; those that name nothing, too. */
  readonly errors: readonly ExplainedError[];
}

/** Of one error. Patterns may take the square of a text's length, and the words that name a cause come early. */
const longest = 4_000;
/** Of errors that name nothing, a log may hold any number. */
const mostUnnamed = 20;
const failing =
  /\b(?:errors?|fail(?:s|ed|ure|ing)?|denied|forbidden|refus(?:ed|ing)|timed? ?out|not found|unable|cannot|can't|couldn't|could not|invalid|expired|exceeded|unavailable|conflicts?|in use|x509|panic)\b/i;

/** The failure modes that a pasted text names, and what in it names them. Pure. */
export function explain(text: string): Explanation {
  const known = new Map<string, Found>();
  const read = (error: string) => {
    const found = known.get(error) ?? explainOne(error);
    known.set(error, found);
    return found;
  };
  const inPassages = passagesIn(text).flatMap((passage) => likeliest(passage, read));
  const found = inPassages.some(({ hits }) => hits.length > 0) ? inPassages : asWhole(read(text.trim()), inPassages);
  const errors = merged(found.length > 0 ? found : inPassages);
  const ours = best(errors.flatMap((error) => error.hits));
  return {
    matches: ours.map(({ match }) => match),
    notOurs: ours.length > 0 ? null : (errors.find((error) => error.notOurs)?.notOurs?.webhook ?? null),
    errors: errors.map(({ text, times, hits, notOurs }) => ({ text, times, matches: best(hits).map(({ match }) => match), notOurs })),
  };
}

/** The errors of a text, each as a text of its own; the text itself where nothing in it reads like one. */
export function errorsOf(text: string): readonly string[] {
  const { errors } = explain(text);
  return errors.length > 0 ? errors.map((error) => error.text) : [text.trim()].filter((whole) => whole !== "");
}

interface Hit {
  readonly match: Match;
  readonly scope: Pattern["in"];
  readonly start: number;
  readonly length: number;
}

interface Found {
  readonly text: string;
  readonly times: number;
  readonly hits: readonly Hit[];
  readonly notOurs: ForeignWebhook | null;
}

function isNamed(found: Found): boolean {
  return found.hits.length > 0 || found.notOurs !== null;
}

/** A policy engine may name the pod that it refused some lines below. */
function asWhole(whole: Found, inPassages: readonly Found[]): readonly Found[] {
  if (whole.hits.length === 0 && inPassages.some(isNamed)) return inPassages;
  return [whole].filter(isNamed);
}

/** The first reading in which something is named. */
function likeliest({ readings }: Passage, read: (error: string) => Found): readonly Found[] {
  const [plain = [], ...others] = readings;
  const found = plain.map(read);
  if (found.some(isNamed)) return found;
  for (const reading of others) {
    if (reading.some((error) => error.length > longest)) continue;
    const other = reading.map(read);
    if (other.some(isNamed)) return other;
  }
  return found;
}

function explainOne(given: string): Found {
  const text = given.slice(0, longest);
  const call = readWebhookCall(text);
  const foreign = [call, readDenial(text)].find((webhook) => webhook && !webhook.ours);
  const hits = checks.flatMap((check) => hitOf(check, text) ?? []);
  if (!foreign) return { text, times: 1, hits, notOurs: null };
  // Another webhook's words are somebody else's matter, unless it refused cert-manager's own pods.
  const about = hits.filter(({ scope }) => scope === "refusal");
  if (about.length > 0) return { text, times: 1, hits: about, notOurs: null };
  return { text, times: 1, hits: [], notOurs: { webhook: foreign.hook, product: productOfWebhook({ hook: foreign.hook, service: call?.service }) } };
}

function hitOf(check: Check, text: string): Hit | null {
  const hits = (check.patterns ?? []).flatMap((pattern): readonly Hit[] => {
    const found = findPattern(text, pattern);
    if (!found) return [];
    const match: Match = { check: check.id, details: { ...defined(found.groups), ...detailsOf(text) }, words: found[0] };
    return [{ match, scope: pattern.in, start: text.indexOf(found[0]), length: found[0].length }];
  });
  return hits.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** The same errors once: logs repeat them with other times, ports and identifiers. */
function merged(found: readonly Found[]): readonly Found[] {
  const byGist = new Map<string, Found>();
  let unnamed = 0;
  for (const error of found) {
    if (!isNamed(error) && (!failing.test(error.text) || unnamed++ >= mostUnnamed)) continue;
    const gist = error.text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?|:\d{4,5}(?=->)|\b[\da-f]{8}-[\da-f-]{27}\b/g, "");
    const before = byGist.get(gist);
    byGist.set(gist, before ? { ...before, times: before.times + 1 } : error);
  }
  return [...byGist.values()];
}

const scopes: readonly Pattern["in"][] = ["webhook-call", "image-pull", "refusal", "anywhere"];

/** Each failure mode once: causes before what they cause, then what a whole message names, then what stands last, as errors wrap one another. */
function best(hits: readonly Hit[]): readonly Hit[] {
  const distinct = [...new Map(hits.toReversed().map((hit) => [hit.match.check, hit])).values()].toReversed();
  const causes = new Map(distinct.map(({ match }) => [match.check, distinct.filter((other) => leadsTo(other.match.check, match.check)).length]));
  return distinct.sort(
    (a, b) =>
      (causes.get(a.match.check) ?? 0) - (causes.get(b.match.check) ?? 0) ||
      scopes.indexOf(a.scope) - scopes.indexOf(b.scope) ||
      b.start - a.start ||
      b.length - a.length,
  );
}

/** Whether a failure of one check can explain that of another, over any number of steps. */
function leadsTo(cause: string, effect: string, seen = new Set<string>()): boolean {
  seen.add(effect);
  const direct = checks.find((check) => check.id === effect)?.causedBy ?? [];
  return direct.includes(cause) || direct.some((id) => !seen.has(id) && leadsTo(cause, id, seen));
}
