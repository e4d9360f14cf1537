/** A place where text will stand. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden="true" className={`animate-breathe rounded-md bg-raised ${className}`} />;
}
