import type { Socket } from "node:net";

/** Carries bytes both ways between two connections until either ends; one that breaks takes the other with it. */
export function relay(caller: Socket, target: Socket): void {
  for (const end of [caller, target]) end.on("error", () => end.destroy());
  caller.on("close", () => target.destroy());
  target.on("close", () => caller.destroy());
  caller.pipe(target).pipe(caller);
}
