"use client";

import { catchError, type ErrorInfo } from "next/error";
import { buttonLook } from "./button-look.ts";

/** Keeps a part that fails from taking the page with it. */
export const PanelBoundary = catchError(function FailedPanel({ text, retry }: { text: string; retry: string }, info: ErrorInfo) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-surface px-5 py-4 text-muted">
      {text}
      <button type="button" className={buttonLook.plain} onClick={() => info.retry()}>
        {retry}
      </button>
    </div>
  );
});
