import { styleText } from "node:util";
import type { Style } from "../report/text.ts";

const formats = { bad: "red", poor: "yellow", good: "green", calm: "blue", dim: "dim", strong: "bold" } as const;

/** Colours on a terminal that wants them (NO_COLOR, FORCE_COLOR), plain text elsewhere. */
export function terminalStyle(stream: NodeJS.WriteStream): Style {
  return (look, text) => styleText(formats[look], text, { stream });
}
