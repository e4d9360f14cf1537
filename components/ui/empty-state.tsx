import type { ReactNode } from "react";
import type { Tone } from "@/lib/client/tone.ts";
import { StatusIcon } from "./status-icon.tsx";

/** What stands where there is nothing to show: why, and what to do about it. */
export function EmptyState({ tone, title, children }: { tone: Tone; title: string; children: ReactNode }) {
  return (
    <section className="rounded-xl border border-line bg-surface p-5 wide:p-6">
      <div className="flex gap-3">
        <StatusIcon tone={tone} className="mt-px size-5" />
        <div className="min-w-0 flex-1">
          <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
          <div className="mt-1 grid gap-4 text-muted">{children}</div>
        </div>
      </div>
    </section>
  );
}
