import { SelectorError } from "./selector-error.ts";
import type { SnapshotObject } from "./snapshot.ts";

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

const token = /==|!=|[=!(),<>]|[^=!(),<>\s]+/g;
const special = /^(?:==|!=|[=!(),<>])?$/;
const operators: readonly string[] = ["in", "notin", "=", "==", "!=", ">", "<"];

/** Reads `a=b, c!=d, e in (f,g), h notin (i), j, !k, l>5` by the API server's grammar, and refuses in its words. */
export function labelMatcher(selector: string): (object: SnapshotObject) => boolean {
  const requirements = parsed([...(selector.match(token) ?? []), ""]);
  return (object) => requirements.every((holds) => holds(object.metadata.labels ?? {}));
}

/** Recursive descent over the tokens, of which the last is the empty string. */
function parsed(tokens: string[]): readonly Requirement[] {
  const peek = (): string => tokens[0] ?? "";
  const next = (): string => tokens.shift() ?? "";
  const isIdentifier = (text: string): boolean => !special.test(text);

  function requirement(): Requirement {
    const first = next();
    const key = first === "!" ? next() : first;
    if (!isIdentifier(key)) throw wrong(key, ", expected: identifier");
    checkKey(key);
    if (first === "!") return (labels) => labels[key] === undefined;
    if (peek() === "" || peek() === ",") return (labels) => labels[key] !== undefined;
    const operator = next();
    if (!operators.includes(operator)) throw wrong(operator, ", expected: in, notin, =, ==, !=, gt, lt");
    if (operator === "in" || operator === "notin") return amongst(key, values(), operator === "in");
    const value = peek() === "" || peek() === "," ? "" : next();
    if (value !== "" && !isIdentifier(value)) throw wrong(value, ", expected: identifier");
    if (operator === ">" || operator === "<") return beyond(key, value, operator === ">");
    return amongst(key, [value], operator !== "!=");
  }

  function values(): readonly string[] {
    const open = next();
    if (open !== "(") throw wrong(open, " expected: '('");
    if (peek() === ")") {
      next();
      return [""];
    }
    if (!isIdentifier(peek()) && peek() !== ",") throw wrong(peek(), ", expected: ',', ')' or identifier");
    const found: string[] = [];
    for (;;) {
      found.push(isIdentifier(peek()) ? next() : "");
      const separator = next();
      if (separator === ")") return found;
      if (separator !== ",") throw wrong(separator, ", expected: ',' or ')'");
      if (!isIdentifier(peek()) && peek() !== "," && peek() !== ")") throw wrong(peek(), ", expected: ',', or identifier");
    }
  }

  const requirements: Requirement[] = [];
  while (peek() !== "") {
    if (!isIdentifier(peek()) && peek() !== "!") throw new SelectorError(`found '${peek()}', expected: !, identifier, or 'end of string'`);
    requirements.push(requirement());
    const separator = next();
    if (separator === "") break;
    if (separator !== ",") throw new SelectorError(`found '${separator}', expected: ',' or 'end of string'`);
    if (!isIdentifier(peek()) && peek() !== "!") throw new SelectorError(`found '${peek()}', expected: identifier after ','`);
  }
  return requirements;
}

function amongst(key: string, values: readonly string[], wanted: boolean): Requirement {
  for (const [index, value] of [...values].sort().entries()) checkValue(key, value, index);
  return (labels) => (labels[key] !== undefined && values.includes(labels[key])) === wanted;
}

function beyond(key: string, bound: string, greater: boolean): Requirement {
  if (!/^[+-]?\d+$/.test(bound)) throw invalid("values[0]", bound, "for 'Gt', 'Lt' operators, the value must be an integer");
  return (labels) => /^[+-]?\d+$/.test(labels[key] ?? "") && (greater ? Number(labels[key]) > Number(bound) : Number(labels[key]) < Number(bound));
}

const characters = "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

function checkKey(key: string): void {
  const name = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
  const examples = `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${name}')`;
  const [first = "", second, ...more] = key.split("/");
  if (more.length > 0) {
    const whole = `a valid label key must consist of ${characters} ${examples} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
    throw invalid("<nil>", key, whole);
  }
  if (!new RegExp(`^${name}$`).test(second ?? first)) throw invalid("<nil>", key, `name part must consist of ${characters} ${examples}`);
}

function checkValue(key: string, value: string, index: number): void {
  const pattern = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
  if (new RegExp(`^${pattern}$`).test(value)) return;
  const examples = `(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${pattern}')`;
  throw invalid(`values[${index}][${key}]`, value, `a valid label must be an empty string or consist of ${characters} ${examples}`);
}

function wrong(found: string, expected: string): SelectorError {
  return new SelectorError(`unable to parse requirement: found '${found}'${expected}`);
}

function invalid(path: string, value: string, why: string): SelectorError {
  return new SelectorError(`unable to parse requirement: ${path}: Invalid value: ${JSON.stringify(value)}: ${why}`);
}
