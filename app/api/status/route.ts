import { statusView } from "@/lib/server/checkups.ts";
import { found } from "@/lib/server/found.ts";
import { requestLocale } from "@/lib/server/locale.ts";

export async function GET(): Promise<Response> {
  return found(await statusView(await requestLocale()));
}
