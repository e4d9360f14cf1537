import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, readFileSync } from "node:fs";

/** A program that runs until it is told to end; its output goes to a file, stamped like a container's (CRI) where asked. */
export class Process {
  readonly name: string;
  readonly ended: Promise<number>;
  private readonly child: ChildProcess;
  private readonly logFile: string;
  /** Whether it was told to end. */
  stopping = false;

  constructor(
    name: string,
    command: string,
    args: readonly string[],
    options: { logFile: string; env?: Record<string, string>; stamped?: boolean; onExit?: () => void },
  ) {
    this.name = name;
    this.logFile = options.logFile;
    const log = createWriteStream(options.logFile, { flags: "a" });
    this.child = spawn(command, args, { env: { ...process.env, ...options.env }, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of ["stdout", "stderr"] as const) {
      let rest = "";
      this.child[stream]?.setEncoding("utf8").on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) log.write(options.stamped ? `${new Date().toISOString()} ${line}\n` : `${line}\n`);
      });
    }
    this.ended = new Promise((resolve) => {
      this.child.on("error", (error) => {
        log.end(`${error.message}\n`);
        resolve(127);
      });
      this.child.on("close", (code, signal) => {
        log.end();
        resolve(code ?? (signal ? 137 : 1));
        if (!this.stopping) options.onExit?.();
      });
    });
  }

  /** Its number in the namespace of whoever started it. */
  get id(): number | undefined {
    return this.child.pid;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends it, by force after `patienceMs`. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM", patienceMs = 5_000): Promise<void> {
    this.stopping = true;
    if (!this.running) return;
    this.child.kill(signal);
    const force = setTimeout(() => this.child.kill("SIGKILL"), patienceMs);
    await this.ended;
    clearTimeout(force);
  }

  /** Ends it as the kernel does, which counts as an end by itself. */
  kill(): void {
    this.child.kill("SIGKILL");
  }

  /** The end of what it wrote, for messages. */
  tail(lines = 15): string {
    return readFileSync(this.logFile, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
  }
}
