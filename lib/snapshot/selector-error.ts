/** A selector that an API server would refuse with 400, in its words. */
export class SelectorError extends Error {
  override readonly name = "SelectorError";
}
