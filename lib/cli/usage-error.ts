/** A command line that can't be meant. `message` says what is wrong with it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
