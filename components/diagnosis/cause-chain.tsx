import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { RichText } from "@/components/ui/rich-text.tsx";
import type { Root } from "@/lib/client/checklist.ts";
import { errorGist } from "@/lib/client/error-gist.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { plural } from "@/lib/i18n/fill.ts";
import type { ReportCheck } from "@/lib/model/report.ts";

/** Consequences that have a place of their own; the rest is counted. */
const shown = 2;

const rootLooks: Readonly<Record<ReportCheck["severity"], string>> = {
  blocker: "border-blocker bg-blocker-soft",
  degraded: "border-degraded bg-degraded-soft",
  warning: "border-warning bg-warning-soft",
  info: "border-info bg-info-soft",
};

interface Cell {
  readonly key: string;
  readonly label: string;
  readonly content: ReactNode;
}

/** From the root cause over its consequences to the errors that people saw. */
export function CauseChain({ root, saw, href, t }: { root: Root; saw: readonly string[]; href: (id: string) => string; t: ClusterTexts }) {
  const { chain } = t.diagnosis;
  const steps = root.chain.slice(-shown);
  const more = root.consequences.length - steps.length;
  const cells: readonly Cell[] = [
    { key: root.check.id, label: chain.root, content: <RichText text={root.check.title} /> },
    ...steps.map((check, index) => ({
      key: check.id,
      label: chain.so,
      content: (
        <>
          <Link href={href(check.id)} prefetch={false} className="hover:underline">
            <RichText text={check.title} />
          </Link>
          {more > 0 && index === steps.length - 1 ? <span className="block text-xs text-faint">{plural(chain.more, more, t.locale)}</span> : null}
        </>
      ),
    })),
    ...saw.slice(0, 1).map((text) => ({
      key: "saw",
      label: chain.saw,
      content: (
        <span title={text} className="line-clamp-3 wrap-anywhere">
          “{errorGist(text, 90)}”
        </span>
      ),
    })),
  ];
  if (cells.length < 2) return null;
  return (
    <ol aria-label={chain.label} className="mx-4 mt-4.5 flex max-wide:flex-col wide:mx-5 wide:items-stretch">
      {cells.map((cell, index) => (
        <Fragment key={cell.key}>
          {index > 0 ? (
            <li aria-hidden="true" className="self-center px-2 py-1 text-faint max-wide:rotate-90">
              <Icon name="arrow" className="block size-3.5" />
            </li>
          ) : null}
          <li
            className={`min-w-0 flex-1 basis-0 rounded-lg border px-3 py-2 text-sm leading-snug ${index === 0 ? rootLooks[root.check.severity] : "border-line-strong bg-canvas"}`}
          >
            <span className={`mb-0.5 block text-xs ${index === 0 ? "text-muted" : "text-faint"}`}>{cell.label}</span>
            {cell.content}
          </li>
        </Fragment>
      ))}
    </ol>
  );
}
