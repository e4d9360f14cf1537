import type { ReactNode } from "react";

/** A surface that holds one thing. */
export function Card({ children, className = "", label }: { children: ReactNode; className?: string; label?: string }) {
  const classes = `rounded-xl border border-line bg-surface ${className}`;
  return label ? (
    <section aria-label={label} className={classes}>
      {children}
    </section>
  ) : (
    <div className={classes}>{children}</div>
  );
}
