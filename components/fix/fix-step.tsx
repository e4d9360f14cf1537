import type { ReactNode } from "react";
import { RichText } from "@/components/ui/rich-text.tsx";

/** One step; without a number it is another way than the steps before it. */
export function FixStep({ number, title, children }: { number: number | null; title: string; children: ReactNode }) {
  return (
    <li className="relative border-t border-line py-4.5 pr-4 pl-13 first:border-t-0 wide:pr-5 wide:pl-14">
      <span
        aria-hidden="true"
        className="absolute top-4 left-4 grid size-6 place-items-center rounded-full border border-line-strong text-xs font-semibold tabular-nums"
      >
        {number ?? "•"}
      </span>
      <h3 className="mb-2 font-semibold">
        <RichText text={title} />
      </h3>
      {children}
    </li>
  );
}
