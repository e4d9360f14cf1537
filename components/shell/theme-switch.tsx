"use client";

import { useState } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";

const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Chooses the colours. The server reads the cookie, so a reload doesn't flash. */
export function ThemeSwitch({ initial, t }: { initial: Theme; t: Pick<Ui["shell"], "theme" | "themes"> }) {
  const [theme, setTheme] = useState(initial);

  function choose(next: Theme) {
    setTheme(next);
    document.documentElement.dataset.theme = next;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS, which a forwarded port may lack
    document.cookie = `theme=${next}; path=/; max-age=31536000; samesite=strict`;
  }

  return (
    <fieldset className="flex rounded-lg border border-line p-px">
      <legend className="sr-only">{t.theme}</legend>
      {themes.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === theme}
          aria-label={t.themes[one]}
          title={t.themes[one]}
          onClick={() => choose(one)}
          className="rounded-md p-1 text-faint hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink"
        >
          <Icon name={one} className="size-4" />
        </button>
      ))}
    </fieldset>
  );
}
