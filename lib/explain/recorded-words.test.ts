import { describe, expect, test } from "vitest";
import { fixtureCases } from "../checks/fixture.ts";
import { checks } from "../checks/index.gen.ts";
import { demoNames, loadDemo } from "../snapshot/demo-clusters.ts";
import { allRecordedWords, normal } from "../tools/recorded-words.ts";
import { explain } from "./explain.ts";

/** What a real control plane, kubectl and Helm said in the scenarios of e2e/cluster, without starting one. */
const recordings = [...allRecordedWords()];
const known = new Set(checks.map((check) => check.id));
const probes = recordings.flatMap(([, { probe }]) => (probe === undefined ? [] : [normal(probe)]));

describe.each(recordings.filter(([, { said }]) => said))("%s", (_, { said = [] }) => {
  test("what the tools said is explained", () => {
    for (const { check, text } of said) {
      if (check === null) expect(explain(text).notOurs, text).not.toBeNull();
      else if (known.has(check)) expect(explain(text).matches[0]?.check, text).toBe(check);
    }
  });
});

const withProbe = recordings.flatMap(([name, { root, probe }]) => (root && known.has(root) && probe ? [[name, probe] as const] : []));

test.each(withProbe)("%s: a fixture or a demo cluster has the API server's words", (_, probe) => {
  const words = checks.flatMap((check) => fixtureCases("lib/checks", check.id)).map((one) => one.answers?.probe?.valid);
  const messages = words.flatMap((answer) => (answer && !("accepted" in answer) ? [normal(answer.message)] : []));
  expect([...messages, ...demoProbes]).toContain(normal(probe));
});

const demoProbes = (
  await Promise.all(
    demoNames.map(async (name) => {
      const valid = (await loadDemo(process.cwd(), name)).snapshot.answers.probe?.valid;
      return valid && !("accepted" in valid) ? [normal(valid.message)] : [];
    }),
  )
).flat();

test("the demo clusters show what a real API server says", () => {
  for (const message of demoProbes) expect(probes, "recorded in no scenario").toContain(message);
});
