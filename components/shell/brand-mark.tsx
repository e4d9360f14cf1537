/** The product's sign. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 20 20" className="size-5 flex-none" aria-hidden="true">
      <rect x="1.5" y="1.5" width="17" height="17" rx="5" fill="currentColor" />
      <path d="M10 5.5v9M5.5 10h9" className="stroke-canvas" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  );
}
