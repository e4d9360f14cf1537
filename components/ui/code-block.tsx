"use client";

import { useRef } from "react";
import type { Ui } from "@/lib/i18n/ui.ts";
import { CopyButton } from "./copy-button.tsx";

/** A command or a piece of YAML to copy. Long lines wrap: on a narrow screen nothing hides at the side. */
export function CodeBlock({ text, t }: { text: string; t: Ui["common"] }) {
  const source = useRef<HTMLElement>(null);
  return (
    <div className="relative rounded-lg bg-raised">
      <pre className="py-2.5 pr-20 pl-3.5 font-mono text-sm leading-relaxed wrap-anywhere whitespace-pre-wrap">
        <code ref={source}>{text}</code>
      </pre>
      <div className="absolute top-2 right-2">
        <CopyButton text={text} source={source} t={t} />
      </div>
    </div>
  );
}
