"use client";

import { type RefObject, useState } from "react";
import type { Ui } from "@/lib/i18n/ui.ts";

type Outcome = "copied" | "refused";

/** Copies a text and says so, also to screen readers. Where the clipboard is refused it selects what is on the page instead. */
export function CopyButton({ text, source, t }: { text: string; source: RefObject<HTMLElement | null>; t: Ui["common"] }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      if (source.current) getSelection()?.selectAllChildren(source.current);
      setOutcome("refused");
    }
    setTimeout(() => setOutcome(null), 4_000);
  }

  const said = outcome === null ? "" : outcome === "copied" ? t.copied : t.copyRefused;
  return (
    <span className="inline-flex items-center">
      <button
        type="button"
        onClick={copy}
        className="rounded-md border border-line-strong bg-surface px-2 py-0.5 font-sans text-xs font-medium hover:bg-raised"
      >
        {said || t.copy}
      </button>
      <span role="status" className="sr-only">
        {said}
      </span>
    </span>
  );
}
