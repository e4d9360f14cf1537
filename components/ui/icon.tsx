export type IconName =
  | "octagon"
  | "triangle"
  | "info"
  | "tick"
  | "turning"
  | "waiting"
  | "question"
  | "dash"
  | "chevron"
  | "arrow"
  | "outside"
  | "system"
  | "light"
  | "dark"
  | "keyboard"
  | "close";

/** One of our icons, in the colour of its text. It says nothing by itself: a word stands beside it. */
export function Icon({ name, className = "size-5" }: { name: IconName; className?: string }) {
  return (
    <svg
      className={`flex-none ${className}`}
      aria-hidden="true"
      focusable="false"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <use href={`#i-${name}`} />
    </svg>
  );
}
