"use client";

import { type KeyboardEvent, type SubmitEvent, useRef, useState } from "react";
import { buttonLook } from "@/components/ui/button-look.ts";
import { fill } from "@/lib/i18n/fill.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { largestPaste, longestInAddress } from "@/lib/model/paste-limits.ts";

interface Props {
  readonly initial: string;
  /** Whether something is explained now, so that there is something to clear. */
  readonly asked: boolean;
  /** Explains without leaving the page, an empty text clears; without it the form opens its own address, which needs no script. */
  readonly onAsk?: (text: string) => void;
  /** The key that goes to the field, on pages where no other field has it. */
  readonly hotkey?: string;
  readonly t: Ui["explain"];
}

/** A place for the error that somebody saw. */
export function ErrorForm({ initial, asked, onAsk, hotkey, t }: Props) {
  const [refusal, setRefusal] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    const text = (field.current?.value ?? "").trim();
    const reason = refusalOf(text);
    setRefusal(reason);
    if (onAsk || reason) event.preventDefault();
    if (onAsk && !reason) onAsk(text);
  }

  function refusalOf(text: string): string {
    if (!onAsk && text.length > longestInAddress) return fill(t.tooLong, { length: text.length, limit: longestInAddress });
    const bytes = new Blob([text]).size;
    return bytes > largestPaste ? fill(t.tooLarge, { size: Math.ceil(bytes / 1_024), limit: largestPaste / 1_024 }) : "";
  }

  function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  function clear() {
    if (field.current) field.current.value = "";
    field.current?.focus();
    setRefusal("");
    onAsk?.("");
  }

  return (
    <form
      method="get"
      onSubmit={submit}
      className="flex flex-wrap items-end justify-end gap-x-2 rounded-xl border border-line bg-surface py-1 pr-1.5 pl-3.5 focus-within:border-line-strong"
    >
      <textarea
        ref={field}
        name="error"
        rows={1}
        defaultValue={initial}
        data-hotkey={hotkey}
        aria-label={t.label}
        placeholder={t.placeholder}
        title={t.hint}
        onKeyDown={submitOnEnter}
        className="field-sizing-content max-h-48 min-h-9 min-w-0 flex-1 basis-80 resize-none self-center py-2 leading-5 outline-none wrap-anywhere placeholder:text-faint"
      />
      {asked && onAsk ? (
        <button type="button" onClick={clear} className="mb-0.5 rounded-lg px-2.5 py-1.5 text-muted hover:bg-raised">
          {t.clear}
        </button>
      ) : null}
      <button type="submit" className={`mb-0.5 ${buttonLook.plain}`}>
        {t.submit}
      </button>
      {refusal ? (
        <p role="alert" className="w-full pt-1 pb-1.5 text-sm text-degraded">
          {refusal}
        </p>
      ) : null}
    </form>
  );
}
