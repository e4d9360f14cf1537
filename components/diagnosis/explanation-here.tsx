import { useQuery } from "@tanstack/react-query";
import { Explanation } from "@/components/pasted/explanation.tsx";
import { ShareLink } from "@/components/pasted/share-link.tsx";
import { RichText } from "@/components/ui/rich-text.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { explainQuery } from "@/lib/client/explain-query.ts";
import { RequestError } from "@/lib/client/request-json.ts";
import { useReportedErrors } from "@/lib/client/use-reported-errors.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import type { ExplainView } from "@/lib/model/view.ts";

interface Props {
  readonly cluster: string;
  readonly text: string;
  /** The errors that are part of the diagnosis. */
  readonly reported: readonly string[];
  readonly t: ClusterTexts;
}

/** What a pasted error means beside a cluster, and making it part of its diagnosis. */
export function ExplanationHere({ cluster, text, reported, t }: Props) {
  const { data, error } = useQuery(explainQuery(cluster, text));
  const { explain } = t;
  if (error) {
    return (
      <p className="mt-2 px-3.5 text-degraded">
        {explain.failed} {error instanceof RequestError ? <RichText text={error.message} /> : null}
      </p>
    );
  }
  if (!data) {
    return (
      <div className="mt-2 px-3.5">
        <span className="sr-only">{explain.asking}</span>
        <Skeleton className="h-5 w-2/3" />
      </div>
    );
  }
  return (
    <Explanation view={data} base={`/c/${cluster}`} locale={t.locale} t={explain}>
      <AddToDiagnosis cluster={cluster} text={text} view={data} reported={reported} t={explain} />
      <ShareLink text={text} origin={location.origin} t={t} />
    </Explanation>
  );
}

function AddToDiagnosis({ cluster, text, view, reported, t }: Omit<Props, "t"> & { view: ExplainView; t: ClusterTexts["explain"] }) {
  const { step, refusal, add } = useReportedErrors(cluster);
  const read = [...[...view.matches.flatMap((match) => match.saw), ...view.others].map((error) => error.text), ...view.unknown];
  // A text in which nothing reads like an error is added as it is.
  const errors = read.length > 0 ? read : [text.trim()];
  if (errors.every((error) => reported.includes(error))) return <p className="text-muted">{t.added}</p>;
  const busy = step === "asking" || step === "started";
  return (
    <>
      <button
        type="button"
        aria-disabled={busy}
        onClick={() => busy || add(text)}
        className="flex-none rounded-md border border-line-strong bg-surface px-2.5 py-1 font-medium hover:bg-raised aria-disabled:text-faint"
      >
        {busy ? t.adding : t.add}
      </button>
      {refusal ? (
        <p role="alert" className="text-degraded">
          <RichText text={refusal} />
        </p>
      ) : null}
    </>
  );
}
