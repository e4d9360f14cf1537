import { bodyText } from "@/lib/server/body-text.ts";
import { dropReported, report } from "@/lib/server/checkups.ts";
import { found } from "@/lib/server/found.ts";
import { requestLocale } from "@/lib/server/locale.ts";

type Context = { params: Promise<{ cluster: string }> };

/** Adds the errors in a text to the diagnosis. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const text = await bodyText(request);
  if (typeof text !== "string") return text;
  return found(await report((await params).cluster, text, await requestLocale()));
}

/** Takes one of them out again. */
export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  const text = await bodyText(request);
  if (typeof text !== "string") return text;
  return found(await dropReported((await params).cluster, text, await requestLocale()));
}
