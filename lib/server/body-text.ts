import "server-only";
import { largestPaste } from "../model/paste-limits.ts";

/** The text that a request carries, or the answer that refuses a larger one than we read. */
export async function bodyText(request: Request): Promise<string | Response> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request.body ?? []) {
    bytes += part.length;
    if (bytes > largestPaste) {
      return Response.json({ message: `Up to ${largestPaste / 1_024} KiB of text are read: send the part that holds the error.` }, { status: 413 });
    }
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}
