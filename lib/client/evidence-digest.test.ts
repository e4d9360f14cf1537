import { expect, it } from "vitest";
import { evidenceDigest } from "./evidence-digest.ts";

const seen = (kind: string, name: string, value: string | null) => ({ object: { kind, name }, path: "spec.a", value });

it("says once what several objects of a kind show alike", () => {
  const digest = evidenceDigest([seen("Pod", "a", "x"), seen("Pod", "b", "x"), seen("Pod", "c", null), seen("Service", "d", "x")]);
  expect(digest.map(({ evidence, others }) => [evidence.object.name, others])).toEqual([
    ["a", 1],
    ["c", 0],
    ["d", 0],
  ]);
});
