import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** What the test control plane is made of: a folder with every program, and cert-manager's chart as its module has it. */
export interface Binaries {
  readonly folder: string;
  readonly chart: string;
}

/** The test bed can't be had on this machine; the message says what is missing. */
export class MissingPrerequisite extends Error {}

export const kubernetesVersion = "v1.36.3";
const testbed = join(import.meta.dirname, "testbed");
const [, minor] = kubernetesVersion.split(".");
const version = "k8s.io/component-base/version";
/** Helm refuses a chart where the API server names no version. */
const ldflags = `-s -w -X ${version}.gitVersion=${kubernetesVersion} -X ${version}.gitMajor=1 -X ${version}.gitMinor=${minor}`;

/** Each program of others and its package; cert-manager's components are built from `testbed/cmd`. */
const packages: Readonly<Record<string, string>> = {
  etcd: "go.etcd.io/etcd/server/v3",
  "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
  "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
  "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
  kubectl: "k8s.io/kubernetes/cmd/kubectl",
  kwok: "sigs.k8s.io/kwok/cmd/kwok",
  helm3: "helm.sh/helm/v3/cmd/helm",
  helm4: "helm.sh/helm/v4/cmd/helm",
};
/** Those that `KUBEBUILDER_ASSETS` brings, as envtest does it. */
const fromAssets = ["etcd", "kube-apiserver", "kubectl"];

/**
 * Builds what isn't there yet and says so, a line a program. The folder is named after the modules and the compiler, so a
 * change of either builds anew and a second checkout builds nothing. Rejects with MissingPrerequisite where Go is missing or a build fails.
 */
export async function ensureBinaries(say: (line: string) => void): Promise<Binaries> {
  const go = spawnSync("go", ["version"], { cwd: testbed, encoding: "utf8" });
  if (go.status !== 0)
    throw new MissingPrerequisite("The test control plane is built with Go, which isn't on PATH: install Go 1.26 or newer (https://go.dev/dl).");
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "certmedic-testbed");
  const folder = join(cache, keyOf(go.stdout));
  mkdirSync(folder, { recursive: true });
  utimesSync(folder, new Date(), new Date());
  forgetOld(cache);

  const missing = Object.keys(packages).filter((name) => !existsSync(programPath(folder, name)));
  for (const [index, name] of missing.entries()) {
    const started = Date.now();
    say(`building ${name} (${index + 1} of ${missing.length})${index === 0 ? "; the first time this takes about ten minutes" : ""}`);
    const temporary = join(folder, `.${name}.${process.pid}`);
    await goBuild(temporary, packages[name] as string);
    renameSync(temporary, programPath(folder, name));
    say(`built ${name} in ${Math.round((Date.now() - started) / 1000)} s`);
  }
  say("building cert-manager's components");
  await goBuild(`${folder}/`, "./cmd/...");
  const module = spawnSync("go", ["list", "-m", "-f", "{{.Dir}}", "github.com/cert-manager/cert-manager"], { cwd: testbed, encoding: "utf8" });
  if (module.status !== 0) throw new MissingPrerequisite(`cert-manager's module can't be found: ${module.stderr.trim()}`);
  return { folder, chart: join(module.stdout.trim(), "deploy", "charts", "cert-manager") };
}

/** Where a program is: among the caller's own binaries (`KUBEBUILDER_ASSETS`) or in the folder of built ones. */
export function programPath(folder: string, name: string): string {
  const assets = process.env.KUBEBUILDER_ASSETS;
  const given = assets && fromAssets.includes(name) ? join(assets, name) : undefined;
  return given && existsSync(given) ? given : join(folder, name);
}

function goBuild(output: string, of: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const build = spawn("go", ["build", "-trimpath", "-ldflags", ldflags, "-o", output, of], {
      cwd: testbed,
      env: { ...process.env, CGO_ENABLED: "0" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    build.stderr.on("data", (chunk: Buffer) => {
      errors = (errors + chunk).slice(-4_000);
    });
    build.on("error", reject);
    build.on("close", (code) => (code === 0 ? resolve() : reject(new MissingPrerequisite(`go build ${of} failed:\n${errors}`))));
  });
}

function keyOf(goVersion: string): string {
  const hash = createHash("sha256").update(goVersion).update(ldflags);
  for (const name of ["go.mod", "go.sum"]) hash.update(readFileSync(join(testbed, name)));
  return hash.digest("hex").slice(0, 16);
}

/** Each set of programs takes half a gigabyte: those that nobody used for two weeks go. */
function forgetOld(cache: string): void {
  const old = Date.now() - 14 * 24 * 3_600_000;
  for (const name of readdirSync(cache)) {
    if (statSync(join(cache, name)).mtimeMs < old) rmSync(join(cache, name), { recursive: true, force: true });
  }
}
