"use client";

import { ageText, clockText, timeText } from "@/lib/client/age-text.ts";
import { useNow } from "@/lib/client/use-now.ts";
import { fill } from "@/lib/i18n/fill.ts";

/**
 * How long ago something was, counting on, in a text with a place for it (`{age}`). Until the page is alive the time
 * itself stands there: the server doesn't know when its answer is read.
 */
export function Age({ at, text, locale }: { at: string; text: string; locale: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={timeText(at, locale)} className="tabular-nums" suppressHydrationWarning>
      {fill(text, { age: now === null ? clockText(at, locale) : ageText(at, now, locale) })}
    </time>
  );
}
