import { checkAgain, checkupView } from "@/lib/server/checkups.ts";
import { found } from "@/lib/server/found.ts";
import { requestLocale } from "@/lib/server/locale.ts";

type Context = { params: Promise<{ cluster: string }> };

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return found(await checkupView((await params).cluster, await requestLocale()));
}

export async function POST(_request: Request, { params }: Context): Promise<Response> {
  return found(await checkAgain((await params).cluster, await requestLocale()));
}
