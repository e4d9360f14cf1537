import { type PlainLine, plainLines } from "./plain-text.ts";
import { messageOf, unescaped, unquoted, unwrapEvent, unwrapJson, unwrapLog } from "./unwrap.ts";

/**
 * Lines of a pasted text that belong together, in the ways in which they can be read, likeliest first. Each way is a list of errors: where a
 * line goes on in the next one can't always be seen.
 */
export interface Passage {
  readonly readings: readonly (readonly string[])[];
}

/** Commands that were pasted with what they printed. */
const command =
  /^(?:(?:\S+@\S+[:~ ]?\S*|~?[\w./-]*)?[ ]?[$%❯➜#][ ]+\S|(?:sudo )?(?:helm|kubectl|oc|cmctl|k|flux|argocd|terraform|make) +(?:[a-z-]+|-\w)\b(?!:))/;
/** Helm's first words about a release, which errors below don't repeat. */
const release = /^Release "[^"]+"/;
/** Lines that begin anew, whatever stood before. */
const start =
  /^(?:Error from server\b|Error: |error: |\{"|(?:time|level|ts)=|(?:Normal|Warning)(?: {2}|\t)|Warning: |- lastTransitionTime|FATA|panic: |make(?:\[\d\])?: |exit status )/;
/** Fields of YAML, JSON and `kubectl describe`. */
const field =
  /^(?:- )?(?:"[\w-]+"(?=:\s*(?:["{[\d]|true|false|null))|last(?:Transition|Update|Probe|Heartbeat)Time|Last (?:Transition|Update) Time|reason|status|type|observed ?Generation|phase|state|waiting|terminated|started(?:At)?|finished(?:At)?|exit ?code|containerID|image(?:ID)?|name|namespace|kind|apiVersion|metadata|conditions|events|code|details|lastState|ready|restartCount):(?:\s|$)/i;
/** Lines that go on with what stood before. */
const continued = /^(?:\(|- \.|&& |, |ensure CRDs are installed first)/;
/** Lines that can't be the end. */
const unfinished = /(?:[:,;([{\\]|&&)\s*$/;
/** Text isn't broken later than this. */
const widestText = 130;
/** Terminals of these widths break lines even where only one line shows it. */
const usualWidths: readonly number[] = [80, 100, 120, 132, 160];
/** Two calls, pulls or conversions in one line, as aggregated errors have them. */
const call =
  /(?:Error from server \(\w+\): )?(?:error when \w+ "[^"]*": )?(?:Internal error occurred: )?(?:failed calling (?:admission )?webhook "|conversion webhook for [^ ]+, Kind=)|Failed to pull image "/g;

/** The passages of a pasted text: one line, a screenful of a terminal, a log, events, a condition. Pure, and knows no failure mode. */
export function passagesIn(text: string): readonly Passage[] {
  const lines = plainLines(text);
  const width = terminalWidth(lines);
  let context = "";
  return sections(lines, width).flatMap((section) => {
    const first = section[0]?.text ?? "";
    if (command.test(first) || release.test(first)) {
      context = section.map((line) => line.text).join(" ");
      // One line may hold both.
      return / (?:Error: |error: |Error from server)/.test(context) ? [{ readings: [[context]] }] : [];
    }
    // Fields beside the message repeat its outcome in a word.
    if (field.test(first) && messageOf(first) === null) return [];
    return [{ readings: readingsOf(section, width, context) }];
  });
}

function terminalWidth(lines: readonly PlainLine[]): number {
  const width = Math.max(...lines.map((line) => line.width));
  // Where a break fell on a space, copying often loses that.
  const full = lines.filter((line) => width - line.width <= 1).length;
  return (full > 1 && width >= 40) || usualWidths.includes(width) ? width : Number.POSITIVE_INFINITY;
}

/** Runs of lines between those that certainly begin anew. */
function sections(lines: readonly PlainLine[], width: number): readonly (readonly PlainLine[])[] {
  const found: PlainLine[][] = [];
  let open: PlainLine[] | null = null;
  for (const line of lines) {
    if (line.text === "") {
      open = null;
      continue;
    }
    const isCommand = command.test(line.text) || release.test(line.text);
    const before = open?.at(-1);
    const anew = line.stamped || start.test(line.text) || field.test(line.text) || messageOf(line.text) !== null || isCommand;
    if (!open || anew || (before && (afterCommand(before) || (before.width !== width && afterValue(open, line))))) {
      open = [line];
      found.push(open);
    } else open.push(line);
  }
  return found;
}

/** The value of a field ends where a line isn't indented further than the field. */
function afterValue([first]: readonly PlainLine[], line: PlainLine): boolean {
  return first !== undefined && messageOf(first.text) !== null && line.indent <= first.indent;
}

/** A command ends with its line, unless a backslash says otherwise. */
function afterCommand(line: PlainLine): boolean {
  return (command.test(line.text) || release.test(line.text)) && !line.text.endsWith("\\");
}

function readingsOf(section: readonly PlainLine[], width: number, context: string): readonly (readonly string[])[] {
  const likely = records(section, width);
  const whole = section.map((line) => line.text);
  const others = section.length > 1 ? [[whole.join("")], [whole.join(" ")]] : [];
  const ways = isWordWrapped(section, width) ? [[whole.join(" ")], likely, ...others] : [likely, ...others];
  const readings = [...ways.map((one) => one.flatMap(errorsOf)), [whole.join("\n")]];
  const named = /cert-?manager|jetstack/i.test(context) ? likely.flatMap(errorsOf).map((error) => `${context}\n${error}`) : [];
  return named.length > 0 ? [...readings, named] : readings;
}

/** Whether each line ends where the next word would not have fitted any more, as in mails and chats, and not just where a terminal ends. */
function isWordWrapped(section: readonly PlainLine[], terminal: number): boolean {
  const width = Math.max(...section.map((line) => line.text.length));
  const fits = (line: PlainLine, next: PlainLine) => line.text.length + 1 + (next.text.split(" ")[0]?.length ?? 0) <= width;
  // Where the value of a field goes on, `records` knows.
  if (messageOf(section[0]?.text ?? "") !== null) return false;
  if (width > widestText || !section.slice(0, -1).some((line) => terminal - line.width > 1)) return false;
  return !section.slice(1).some((next, index) => fits(section[index] ?? next, next));
}

/** The lines of a section, those joined that are one. */
function records(section: readonly PlainLine[], width: number): readonly string[] {
  const [first, ...rest] = section;
  if (!first) return [];
  const value = messageOf(first.text);
  const found = [value === null ? first.text : value.replace(/^[|>][+-]?$/, "")];
  let before = first;
  for (const line of rest) {
    const end = found.length - 1;
    const soFar = found[end] ?? "";
    if (/^\* /.test(line.text)) found[end] = `${soFar}\n${line.text}`;
    else if (before.width === width && line.indent === 0) found[end] = soFar + line.text;
    else if (width - before.width <= 1) found[end] = `${soFar} ${line.text}`;
    // So do double-quoted texts of YAML mark a break, and a space that it took.
    else if (value !== null && soFar.endsWith("\\")) found[end] = soFar.slice(0, -1) + line.text.replace(/^\\ /, " ");
    else if (value !== null || continued.test(line.text) || unfinished.test(before.text) || oddQuotes(soFar)) found[end] = `${soFar} ${line.text}`;
    else found.push(line.text);
    before = line;
  }
  return value === null ? found : found.map(unquoted);
}

function oddQuotes(text: string): boolean {
  return (unescaped(text).match(/"/g)?.length ?? 0) % 2 === 1;
}

/** The errors of one record, without what a log or a table puts around them. */
function errorsOf(given: string): readonly string[] {
  const record = unquoted(given);
  const inJson = unwrapJson(record);
  // What a log collector stores is a line of another log.
  if (inJson) return inJson.flatMap(passagesIn).flatMap(({ readings: [first = []] }) => first);
  return split(unwrapEvent(record) ?? unwrapLog(record) ?? unescaped(record));
}

/** Lists of errors, each with the words before the list; and calls that follow one another. */
function split(error: string): readonly string[] {
  const [head = "", ...items] = error.split(/\n\s*\* |\n\s*\*(?=\S)/);
  const one = items.length === 0 ? [error] : items.map((item) => `${head} * ${item}`);
  return one
    .flatMap((text) => {
      const later = [...text.matchAll(call)].slice(1).map((found) => found.index);
      return [0, ...later].map((from, index) => text.slice(from, later[index]));
    })
    .map(tidied)
    .filter((text) => text !== "");
}

/** On one line, without the quotes, commas and brackets that were around it. */
function tidied(error: string): string {
  const line = error.replaceAll(/\s+/g, " ").trim();
  const bare = line.replace(/^`(.*)`$/, "$1").replace(/(?:,|;| &&)$/, "");
  return bare.endsWith("]") && !bare.includes("[") ? bare.slice(0, -1) : bare;
}
