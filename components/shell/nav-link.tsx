import Link from "next/link";
import type { ReactNode } from "react";

/** A page in the sidebar. */
export function NavLink({ href, current, children }: { href: string; current: boolean; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={current ? "page" : undefined}
      className="flex items-center justify-between gap-1.5 rounded-md px-2.5 py-1.5 whitespace-nowrap text-muted hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:font-medium aria-[current=page]:text-ink"
    >
      {children}
    </Link>
  );
}
