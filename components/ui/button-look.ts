const base =
  "inline-flex items-center justify-center gap-1.5 rounded-lg border px-3 py-1.5 font-medium whitespace-nowrap transition-colors aria-disabled:cursor-default aria-disabled:text-faint";

/** The look of a button, for buttons and for links that act as the next step. */
export const buttonLook = {
  primary: `${base} border-ink bg-ink text-canvas hover:border-muted hover:bg-muted`,
  plain: `${base} border-line-strong bg-surface hover:bg-raised`,
} as const;
