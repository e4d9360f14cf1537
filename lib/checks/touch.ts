import type { Problem } from "../model/check.ts";
import { sameObject } from "../model/object-ref.ts";

/** Whether one problem can be the cause of the other: both are about the same object, or about the same install and component. */
export function touches(cause: Problem, effect: Problem): boolean {
  return sameObject(cause.subject, effect.subject) || (agree(cause.install, effect.install) && agree(cause.component, effect.component));
}

/** What a problem doesn't name, it is about all of. */
function agree(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}
