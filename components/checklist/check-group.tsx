import type { ReactNode } from "react";
import { SectionHeading } from "@/components/ui/section-heading.tsx";

/** Checks with the same outcome. */
export function CheckGroup({ title, count, children, below }: { title: string; count: number; children: ReactNode; below?: ReactNode }) {
  if (count === 0) return null;
  return (
    <section className="mb-6">
      <SectionHeading note={count}>{title}</SectionHeading>
      <ul className="overflow-hidden rounded-xl border border-line bg-surface">{children}</ul>
      {below}
    </section>
  );
}
