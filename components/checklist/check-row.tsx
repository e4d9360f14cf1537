import Link from "next/link";
import { RichText } from "@/components/ui/rich-text.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { toneColour } from "@/components/ui/tone-colour.ts";
import { toneOf } from "@/lib/client/tone.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ReportCheck } from "@/lib/model/report.ts";

interface Props {
  readonly check: ReportCheck;
  readonly href: string;
  /** A second line. */
  readonly note?: string;
  /** Stands under the check that explains it. */
  readonly indented?: boolean;
  readonly t: Ui["common"];
}

/** One check in a list, which opens its page. */
export function CheckRow({ check, href, note, indented, t }: Props) {
  const tone = toneOf(check);
  const word = check.status === "fail" ? t.severity[check.severity] : t.status[check.status];
  return (
    <li className="border-t border-line first:border-t-0">
      <Link
        data-row=""
        href={href}
        prefetch={false}
        className={`grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-center gap-x-3 py-2.5 pr-4 -outline-offset-2 hover:bg-raised/60 ${indented ? "pl-9 wide:pl-12" : "pl-4"}`}
      >
        <StatusIcon tone={tone} className="size-5" />
        <span className="min-w-0">
          <span className="block font-medium wrap-anywhere">
            <RichText text={check.title} />
          </span>
          {note ? (
            <span className="block truncate text-sm text-muted">
              <RichText text={note} />
            </span>
          ) : null}
        </span>
        <span className="text-right text-xs">
          <span className={toneColour[tone]}>{word}</span>
          <span className="hidden text-faint wide:inline"> · {t.area[check.area]}</span>
        </span>
      </Link>
    </li>
  );
}
