import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RichText } from "@/components/ui/rich-text.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { explainQuery } from "@/lib/client/explain-query.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { fill } from "@/lib/i18n/fill.ts";

/** What a pasted error means. */
export function Explanation({ cluster, text, t }: { cluster: string; text: string; t: ClusterTexts }) {
  const { data, error } = useQuery(explainQuery(cluster, text));
  const { explain } = t;
  if (error) return <p className="mt-2 px-3.5 text-degraded">{explain.failed}</p>;
  if (!data) {
    return (
      <div className="mt-2 px-3.5">
        <span className="sr-only">{explain.asking}</span>
        <Skeleton className="h-5 w-2/3" />
      </div>
    );
  }
  if (data.notOurs)
    return (
      <p className="mt-2 px-3.5 text-muted">
        <RichText text={fill(explain.notOurs, { name: data.notOurs })} />
      </p>
    );
  if (data.matches.length === 0) return <p className="mt-2 px-3.5 text-muted">{explain.nothing}</p>;
  return (
    <ul aria-label={explain.result} className="mt-2 overflow-hidden rounded-xl border border-line bg-surface">
      {data.matches.map((match) => (
        <li key={match.id} className="flex gap-3 border-t border-line px-4 py-3 first:border-t-0">
          <StatusIcon tone={match.failsHere ? "blocker" : "not-applicable"} className="mt-px size-5" />
          <div className="min-w-0">
            <p>
              <Link data-row="" href={`/c/${cluster}/findings/${match.id}`} prefetch={false} className="font-medium hover:underline">
                <RichText text={match.title} />
              </Link>{" "}
              <span className={`text-xs ${match.failsHere ? "text-blocker" : "text-faint"}`}>{match.failsHere ? explain.failsHere : explain.passesHere}</span>
            </p>
            <p className="max-w-[72ch] text-sm text-muted">
              <RichText text={match.why} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
