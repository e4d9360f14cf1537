import { defineGatherer } from "./gatherer.ts";

export default defineGatherer({
  fact: "reportedErrors",
  rules: [],
  needs: [],
  uses: [],
  async gather(_cluster, _facts, input) {
    return [...new Set(input.reportedErrors)];
  },
});
