import { explainView } from "@/lib/server/explain.ts";
import { found } from "@/lib/server/found.ts";
import { requestLocale } from "@/lib/server/locale.ts";

export async function GET(request: Request, { params }: { params: Promise<{ cluster: string }> }): Promise<Response> {
  const text = new URL(request.url).searchParams.get("text") ?? "";
  return found(await explainView((await params).cluster, text, await requestLocale()));
}
