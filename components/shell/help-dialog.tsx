"use client";

import { useRef } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";

/** The list of keys, behind a button that `?` presses too. */
export function HelpDialog({ t }: { t: Ui["keys"] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button
        type="button"
        data-hotkey="?"
        aria-label={t.open}
        title={`${t.open} (?)`}
        onClick={() => dialog.current?.showModal()}
        className="rounded-md p-1 text-faint hover:bg-raised hover:text-ink"
      >
        <Icon name="keyboard" className="size-5" />
      </button>
      <dialog
        ref={dialog}
        aria-labelledby="keys-title"
        className="m-auto w-88 max-w-[calc(100vw-2rem)] rounded-xl border border-line-strong bg-surface p-5 text-ink shadow-lg backdrop:bg-canvas/70"
      >
        <div className="mb-3 flex items-center justify-between">
          <h2 id="keys-title" className="text-lg font-semibold tracking-tight">
            {t.title}
          </h2>
          <form method="dialog">
            <button type="submit" aria-label={t.close} className="rounded-md p-1 text-faint hover:bg-raised hover:text-ink">
              <Icon name="close" className="size-4" />
            </button>
          </form>
        </div>
        <dl className="grid gap-2">
          {t.list.map(([key, does]) => (
            <div key={key} className="flex items-baseline justify-between gap-4">
              <dt className="order-2">
                <kbd className="rounded-sm border border-line-strong px-1.5 py-px font-mono text-xs text-muted">{key}</kbd>
              </dt>
              <dd className="text-muted">{does}</dd>
            </div>
          ))}
        </dl>
      </dialog>
    </>
  );
}
