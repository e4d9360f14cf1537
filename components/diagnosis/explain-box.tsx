"use client";

import { useState } from "react";
import { ErrorForm } from "@/components/pasted/error-form.tsx";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { longestInAddress } from "@/lib/model/paste-limits.ts";
import { ExplanationHere } from "./explanation-here.tsx";

/** A place for the error that somebody saw. Its text lives in the address, as far as it fits, so that the answer can be sent on. */
export function ExplainBox({ cluster, initial, reported, t }: { cluster: string; initial: string; reported: readonly string[]; t: ClusterTexts }) {
  const [asked, setAsked] = useState(initial);

  function ask(text: string) {
    setAsked(text);
    const { pathname } = location;
    const fits = text !== "" && text.length <= longestInAddress;
    history.replaceState(null, "", fits ? `${pathname}?error=${encodeURIComponent(text)}` : pathname);
  }

  return (
    <search aria-label={t.explain.label} className="mb-8 block">
      <ErrorForm initial={initial} asked={asked !== ""} onAsk={ask} hotkey="/" t={t.explain} />
      <div aria-live="polite">{asked === "" ? null : <ExplanationHere cluster={cluster} text={asked} reported={reported} t={t} />}</div>
    </search>
  );
}
