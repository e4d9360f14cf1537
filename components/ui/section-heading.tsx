import type { ReactNode } from "react";

/** The heading above a card, with what belongs to it in small. */
export function SectionHeading({ children, note, id, level = 2 }: { children: ReactNode; note?: ReactNode; id?: string; level?: 2 | 3 }) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <div className="mb-2 flex flex-wrap items-baseline gap-x-2.5 text-sm">
      <Heading id={id} className="font-semibold">
        {children}
      </Heading>
      {note === undefined ? null : <span className="text-faint tabular-nums">{note}</span>}
    </div>
  );
}
