"use client";

import { useRef } from "react";
import { CopyButton } from "@/components/ui/copy-button.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { longestInAddress } from "@/lib/model/paste-limits.ts";

/** The catalogue's address of an explanation, to send to somebody else: it needs no cluster. */
export function ShareLink({ text, origin, t }: { text: string; origin: string; t: { readonly common: Ui["common"]; readonly explain: Ui["explain"] } }) {
  const source = useRef<HTMLAnchorElement>(null);
  if (text.length > longestInAddress) return <p className="text-faint">{t.explain.noLink}</p>;
  const path = `/checks?error=${encodeURIComponent(text)}`;
  return (
    <span className="flex min-w-0 flex-1 basis-60 items-center gap-2.5">
      <span className="flex-none text-muted">{t.explain.link}</span>
      <a ref={source} href={path} className="min-w-0 truncate font-mono text-xs text-faint hover:text-ink hover:underline">
        {origin + path}
      </a>
      <CopyButton text={origin + path} source={source} t={t.common} />
    </span>
  );
}
