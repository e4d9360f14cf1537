import type { ReactNode } from "react";
import { RichText } from "@/components/ui/rich-text.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { fill, plural } from "@/lib/i18n/fill.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ExplainView } from "@/lib/model/view.ts";
import { ExplainedCheck } from "./explained-check.tsx";
import { SeenError } from "./seen-error.tsx";

interface Props {
  readonly view: ExplainView;
  /** Where the pages of a cluster are; null without a cluster. */
  readonly base: string | null;
  readonly locale: string;
  readonly t: Ui["explain"];
  /** What can be done with it. */
  readonly children?: ReactNode;
}

/** What a pasted text means: the failure modes that it names, best first, errors of other products, and the rest. */
export function Explanation({ view, base, locale, t, children }: Props) {
  const { matches, others, unknown } = view;
  const nothing = matches.length === 0 && others.length === 0;
  return (
    <div className="mt-2 overflow-hidden rounded-xl border border-line bg-surface">
      {nothing ? (
        <p className="flex gap-3 px-4 py-3.5 text-muted">
          <StatusIcon tone="unknown" className="mt-px size-5" />
          {base === null ? t.nothing : `${t.nothing} ${t.nothingHere}`}
        </p>
      ) : null}
      {matches.length > 0 ? (
        <ul aria-label={t.result}>
          {matches.map((check) => (
            <ExplainedCheck key={check.id} check={check} base={base} locale={locale} t={t} />
          ))}
        </ul>
      ) : null}
      {others.length > 0 ? (
        <ul aria-label={t.others} className={matches.length > 0 ? "border-t border-line" : ""}>
          {others.map((error) => (
            <li key={error.text} className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 border-t border-line px-4 py-3.5 first:border-t-0">
              <StatusIcon tone="not-applicable" word={t.others} className="mt-px size-5" />
              <div>
                <p className="mb-2.5">
                  <RichText
                    text={
                      error.product
                        ? fill(t.otherProduct, { product: error.product, webhook: error.webhook })
                        : fill(t.otherWebhook, { webhook: error.webhook })
                    }
                  />
                </p>
                <div className="border-l-2 border-line-strong pl-3">
                  <SeenError text={error.text} />
                </div>
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      {unknown.length > 0 && !nothing ? (
        <details className="group border-t border-line">
          <summary className="flex items-center gap-3 px-4 py-2.5 text-sm text-muted -outline-offset-2 hover:bg-raised/60">
            <StatusIcon tone="unknown" className="size-5" />
            <span className="flex-1">{plural(t.unknown, unknown.length, locale)}</span>
            <span className="text-xs text-faint group-open:hidden">{t.show}</span>
            <span className="hidden text-xs text-faint group-open:inline">{t.hide}</span>
          </summary>
          <ul className="grid gap-2 px-4 pt-1 pb-3.5 pl-12">
            {unknown.map((text) => (
              <li key={text} className="border-l-2 border-line-strong pl-3">
                <SeenError text={text} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {children ? <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-sunken px-4 py-2.5 text-sm">{children}</div> : null}
    </div>
  );
}
