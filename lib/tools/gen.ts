import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { registryOfChecks, registryOfGatherers } from "./registries.ts";

/**
 * Writes every generated file; with --check changes nothing and fails naming those that are out of date. The
 * registries come first, since the others are made by running what they list.
 */
const checkOnly = process.argv.includes("--check");
const stale: string[] = [];

function put(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  if (checkOnly) stale.push(path);
  else {
    writeFileSync(path, text);
    console.error(`wrote ${path}`);
  }
}

put("lib/checks/index.gen.ts", registryOfChecks(readdirSync("lib/checks")));
put("lib/gather/index.gen.ts", registryOfGatherers(readdirSync("lib/gather")));
if (stale.length === 0) {
  const { rulesByFact } = await import("./gather-rules.ts");
  put("lib/gather/rules.gen.json", rulesByFact());
  const [{ englishCatalogue }, { roleYaml }, { examplesOfChecks }] = await Promise.all([
    import("./english-catalogue.ts"),
    import("./role-yaml.ts"),
    import("./check-examples.ts"),
  ]);
  put("lib/i18n/checks.en.gen.json", englishCatalogue());
  put("deploy/role.gen.yaml", roleYaml());
  put("lib/checks/examples.gen.json", await examplesOfChecks());
}
if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(", ")}. Run: npm run gen`);
  process.exitCode = 1;
}
