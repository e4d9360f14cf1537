import { bodyText } from "@/lib/server/body-text.ts";
import { explainView } from "@/lib/server/explain.ts";
import { found } from "@/lib/server/found.ts";
import { requestLocale } from "@/lib/server/locale.ts";

type Context = { params: Promise<{ cluster: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  const text = new URL(request.url).searchParams.get("text") ?? "";
  return found(await explainView((await params).cluster, text, await requestLocale()));
}

/** For texts that are too long for an address. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const text = await bodyText(request);
  if (typeof text !== "string") return text;
  return found(await explainView((await params).cluster, text, await requestLocale()));
}
