import { ClusterError } from "../cluster/errors.ts";
import { defineGatherer } from "./gatherer.ts";

export default defineGatherer({
  fact: "version",
  rules: [],
  needs: [],
  uses: [],
  async gather(cluster) {
    const version = await cluster.version();
    if (typeof version.gitVersion !== "string") throw new ClusterError("bad-answer", "get the version: the answer has no gitVersion");
    return { gitVersion: version.gitVersion };
  },
});
