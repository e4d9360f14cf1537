import { findingView } from "@/lib/server/checkups.ts";
import { found } from "@/lib/server/found.ts";
import { requestLocale } from "@/lib/server/locale.ts";

export async function GET(_request: Request, { params }: { params: Promise<{ cluster: string; id: string }> }): Promise<Response> {
  const { cluster, id } = await params;
  return found(await findingView(cluster, id, await requestLocale()));
}
