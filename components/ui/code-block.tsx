"use client";

import { useRef } from "react";
import type { Ui } from "@/lib/i18n/ui.ts";
import { CopyButton } from "./copy-button.tsx";

/** A command or a piece of YAML to copy. Long lines wrap: on a narrow screen nothing hides at the side. */
export function CodeBlock({ text, t }: { text: string; t: Ui["common"] }) {
  const source = useRef<HTMLElement>(null);
  return (
    <div className="relative flex flex-col-reverse rounded-lg bg-raised text-ink">
      <pre className="px-3.5 py-2.5 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap max-wide:pt-0 wide:pr-16">
        <code ref={source}>{text}</code>
      </pre>
      <div className="self-end p-2 wide:absolute wide:top-0 wide:right-0">
        <CopyButton text={text} source={source} t={t} />
      </div>
    </div>
  );
}
