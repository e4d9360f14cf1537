/** A key, as a hint beside what it does; hidden on narrow screens, which have no keyboard. */
export function Kbd({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="ml-0.5 hidden rounded-sm border border-line-strong px-1 font-mono text-2xs leading-4 text-faint wide:inline-block">
      {children}
    </span>
  );
}
