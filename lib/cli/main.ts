import { ClusterError, InputError } from "../cluster/errors.ts";
import { checkCommand } from "./check.ts";
import { exitCodes } from "./exit-codes.ts";
import { explainCommand } from "./explain.ts";
import { usage } from "./usage.ts";
import { UsageError } from "./usage-error.ts";

const [command, ...args] = process.argv.slice(2);

try {
  process.exitCode = await run(command, args);
} catch (error) {
  // Only what we know to word ends in a sentence; a bug keeps its stack.
  if (error instanceof UsageError) {
    console.error(`certmedic: ${error.message}\nSee: certmedic --help`);
    process.exitCode = exitCodes.usage;
  } else if (error instanceof InputError || error instanceof ClusterError) {
    console.error(`certmedic: ${error.message}`);
    process.exitCode = exitCodes.unreadable;
  } else {
    throw error;
  }
}

async function run(name: string | undefined, rest: readonly string[]): Promise<number> {
  switch (name) {
    case "check":
      return checkCommand(rest);
    case "explain":
      return explainCommand(rest);
    case "help":
    case "--help":
    case "-h":
      console.log(usage);
      return exitCodes.healthy;
    case undefined:
      throw new UsageError("a command is missing: check or explain");
    default:
      throw new UsageError(`there is no command "${name}": use check or explain`);
  }
}
