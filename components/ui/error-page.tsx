"use client";

import { useEffect } from "react";
import { errorTexts } from "@/lib/i18n/ui-errors.ts";
import { buttonLook } from "./button-look.ts";

/** What a segment shows that failed. It is only ever made in the browser, so it can ask the page for its language. */
export function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  const t = errorTexts(document.documentElement.lang);
  useEffect(() => {
    console.error(error);
  }, [error]);
  return (
    <div role="alert" className="max-w-prose py-10">
      <h1 className="text-xl font-semibold tracking-tight">{t.title}</h1>
      <p className="mt-1.5 mb-5 text-muted">{t.text}</p>
      <button type="button" className={buttonLook.primary} onClick={() => retry()}>
        {t.retry}
      </button>
    </div>
  );
}
