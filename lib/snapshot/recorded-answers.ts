import { InputError } from "../cluster/errors.ts";
import type { Answers } from "./snapshot.ts";

/** Reads the contents of `answers.yaml`; a mistake in it is an InputError that names the field. */
export function recordedAnswers(value: unknown, path: string): Answers {
  if (value === null || value === undefined) return {};
  const answers = objectOr(value, path, "the file");
  const known = ["probe", "access", "refused", "counts"];
  for (const key of Object.keys(answers)) if (!known.includes(key)) throw wrong(path, key, `is unknown; known are ${known.join(", ")}`);
  if (answers.probe !== undefined) {
    const probe = objectOr(answers.probe, path, "probe");
    checkAnswer(probe.valid, path, "probe.valid");
    if (probe.invalid !== undefined) checkAnswer(probe.invalid, path, "probe.invalid");
  }
  checkList(answers.access, path, "access", (item, field) => {
    if (typeof item.allowed !== "boolean") throw wrong(path, `${field}.allowed`, "must be true or false");
  });
  checkList(answers.refused, path, "refused", (item, field) => checkCode(item.code, path, `${field}.code`));
  if (answers.counts !== undefined) {
    for (const [crd, count] of Object.entries(objectOr(answers.counts, path, "counts"))) {
      if (!Number.isSafeInteger(count) || (count as number) < 0) throw wrong(path, `counts["${crd}"]`, "must be a number of objects");
    }
  }
  return answers as Answers;
}

function checkAnswer(value: unknown, path: string, field: string): void {
  const answer = objectOr(value, path, field);
  if (answer.delayMs !== undefined && typeof answer.delayMs !== "number") throw wrong(path, `${field}.delayMs`, "must be a number");
  if (answer.accepted === true) return;
  if (answer.accepted !== undefined) throw wrong(path, `${field}.accepted`, "must be true, or absent beside code and message");
  checkCode(answer.code, path, `${field}.code`);
  if (typeof answer.message !== "string") throw wrong(path, `${field}.message`, "must be a text");
}

function checkCode(code: unknown, path: string, field: string): void {
  if (!Number.isInteger(code) || (code as number) < 400 || (code as number) > 599) throw wrong(path, field, "must be an HTTP status from 400 to 599");
}

function checkList(value: unknown, path: string, field: string, check: (item: Record<string, unknown>, field: string) => void): void {
  if (value === undefined) return;
  if (!Array.isArray(value)) throw wrong(path, field, "must be a list");
  for (const [index, item] of value.entries()) check(objectOr(item, path, `${field}[${index}]`), `${field}[${index}]`);
}

function objectOr(value: unknown, path: string, field: string): Record<string, unknown> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw wrong(path, field, "must be a mapping");
  return value as Record<string, unknown>;
}

function wrong(path: string, field: string, what: string): InputError {
  return new InputError(`${path} can't be used: ${field} ${what}.`);
}
