import { spawn } from "node:child_process";
import { join } from "node:path";
import { type Binaries, programPath } from "./binaries.ts";
import type { ControlPlane } from "./control-plane/control-plane.ts";

/** The release that the test bed installs unless told otherwise: cert-manager's module in testbed/go.mod. */
export const chartVersion = "v1.21.1";

/** How a command ended and what it said. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment in which printed commands work as they are: kubectl and helm of the test bed on PATH, its cluster as the current context. */
export function toolEnvironment(binaries: Binaries, plane: Pick<ControlPlane, "kubeconfig" | "folder">, helm: 3 | 4 = 4): Record<string, string> {
  return {
    PATH: `${join(import.meta.dirname, "bin")}:${process.env.PATH}`,
    HOME: plane.folder,
    KUBECONFIG: plane.kubeconfig,
    KUBECACHEDIR: join(plane.folder, "kube-cache"),
    TESTBED_BINARIES: binaries.folder,
    TESTBED_KUBECTL: programPath(binaries.folder, "kubectl"),
    TESTBED_CHART: binaries.chart,
    TESTBED_VERSION: chartVersion,
    TESTBED_FOLDER: plane.folder,
    TESTBED_HELM: String(helm),
  };
}

/** Runs a shell command as a person would paste it. Never rejects: how it ended is the answer. */
export function runShell(command: string, env: Record<string, string>, input = ""): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", command], { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", (error) => resolve({ code: 127, stdout, stderr: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, stdout, stderr }));
    child.stdin.on("error", () => {}).end(input);
  });
}
