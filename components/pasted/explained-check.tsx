import Link from "next/link";
import type { ReactNode } from "react";
import { RichText } from "@/components/ui/rich-text.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { toneColour } from "@/components/ui/tone-colour.ts";
import type { Tone } from "@/lib/client/tone.ts";
import { fill, plural } from "@/lib/i18n/fill.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ExplainedCheck as Explained } from "@/lib/model/view.ts";
import { SeenError } from "./seen-error.tsx";

/** Errors that stand in full; those like them are counted. */
const shown = 2;

interface Props {
  readonly check: Explained;
  /** Where the pages of a cluster are; without one the catalogue's are linked. */
  readonly base: string | null;
  readonly locale: string;
  readonly t: Ui["explain"];
}

/** A failure mode that a pasted text names: what it is, how it is here, by which words it was recognised and what they tell. */
export function ExplainedCheck({ check, base, locale, t }: Props) {
  const { tone, word } = stateOf(check, t);
  // What no look at a cluster can show has no finding.
  const href = base !== null && check.here?.status ? `${base}/findings/${check.id}` : `/checks/${check.id}`;
  const more = check.saw.length - shown;
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 border-t border-line px-4 py-3.5 first:border-t-0">
      <StatusIcon tone={tone} className="mt-px size-5" />
      <div>
        <p>
          <Link data-row="" href={href} prefetch={false} className="font-medium hover:underline">
            <RichText text={check.title} />
          </Link>{" "}
          {word ? <span className={`text-xs ${toneColour[tone]}`}>{word}</span> : null}
        </p>
        <p className="max-w-[72ch] text-sm text-muted">
          <RichText text={check.why} />
        </p>
        <ul aria-label={t.seen} className="mt-2.5 grid gap-2">
          {check.saw.slice(0, shown).map((error) => (
            <li key={error.text} className="border-l-2 border-line-strong pl-3">
              <SeenError text={error.text} words={error.words} />
              {error.times > 1 ? <Note>{plural(t.times, error.times, locale)}</Note> : null}
            </li>
          ))}
          {more > 0 ? (
            <li className="pl-3.5">
              <Note>{plural(t.more, more, locale)}</Note>
            </li>
          ) : null}
        </ul>
        {check.details.length > 0 ? (
          <dl aria-label={t.read} className="mt-2.5 flex flex-wrap gap-x-4 gap-y-0.5 text-xs">
            {check.details.map(({ label, value }) => (
              <div key={label} className="flex min-w-0 gap-1.5">
                <dt className="flex-none text-faint">{label}</dt>
                <dd className="min-w-0 font-mono wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
        ) : null}
      </div>
    </li>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="text-xs text-faint">{children}</p>;
}

/** How a failure mode is in the cluster that it is explained beside. */
function stateOf({ id, severity, here }: Explained, t: Ui["explain"]): { readonly tone: Tone; readonly word: string } {
  if (!here) return { tone: severity, word: "" };
  const { status, root } = here;
  if (status === "fail" || status === "settling") {
    return { tone: status === "fail" ? severity : "settling", word: root && root.id !== id ? fill(t.becauseOf, { root: root.title }) : t.failsHere };
  }
  if (root) return { tone: severity, word: fill(t.followsFrom, { root: root.title }) };
  if (status === "unknown" || status === "pending") return { tone: "unknown", word: t.unseenHere };
  return { tone: "not-applicable", word: status === null ? "" : t.passesHere };
}
