"use client";

import { type KeyboardEvent, type SubmitEvent, useRef, useState } from "react";
import { buttonLook } from "@/components/ui/button-look.ts";
import { longestError } from "@/lib/client/explain-query.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { Explanation } from "./explanation.tsx";

/** A place for the error that somebody saw. Its text lives in the address, so that the answer can be sent on. */
export function ExplainBox({ cluster, initial, t }: { cluster: string; initial: string; t: ClusterTexts }) {
  const [asked, setAsked] = useState(initial);
  const field = useRef<HTMLTextAreaElement>(null);

  function ask(text: string) {
    setAsked(text);
    const { pathname } = location;
    history.replaceState(null, "", text === "" ? pathname : `${pathname}?error=${encodeURIComponent(text)}`);
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    ask((field.current?.value ?? "").trim().slice(0, longestError));
  }

  function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  function clear() {
    if (field.current) field.current.value = "";
    field.current?.focus();
    ask("");
  }

  return (
    <search aria-label={t.explain.label} className="mb-8 block">
      <form
        onSubmit={submit}
        className="flex flex-wrap items-end justify-end gap-x-2 rounded-xl border border-line bg-surface py-1 pr-1.5 pl-3.5 focus-within:border-line-strong"
      >
        <textarea
          ref={field}
          name="error"
          rows={1}
          defaultValue={initial}
          data-hotkey="/"
          aria-label={t.explain.label}
          placeholder={t.explain.placeholder}
          onKeyDown={submitOnEnter}
          className="field-sizing-content max-h-48 min-h-9 min-w-0 flex-1 basis-80 resize-none self-center py-2 leading-5 outline-none placeholder:text-faint"
        />
        {asked === "" ? null : (
          <button type="button" onClick={clear} className="mb-0.5 rounded-lg px-2.5 py-1.5 text-muted hover:bg-raised">
            {t.explain.clear}
          </button>
        )}
        <button type="submit" className={`mb-0.5 ${buttonLook.plain}`}>
          {t.explain.submit}
        </button>
      </form>
      <div aria-live="polite">{asked === "" ? null : <Explanation cluster={cluster} text={asked} t={t} />}</div>
    </search>
  );
}
