/** Every icon once per page; Icon refers to them. They are our own, drawn on a grid of 20. */
export function IconSprite() {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden="true">
      <defs>
        <symbol id="i-octagon" viewBox="0 0 20 20">
          <path d="M6.7 2h6.6L18 6.7v6.6L13.3 18H6.7L2 13.3V6.7z" />
          <path d="M10 6v5" />
          <circle cx="10" cy="14" r="1.1" fill="currentColor" stroke="none" />
        </symbol>
        <symbol id="i-triangle" viewBox="0 0 20 20">
          <path d="M10 2.8 18 17H2z" />
          <path d="M10 8v4" />
          <circle cx="10" cy="14.5" r="1" fill="currentColor" stroke="none" />
        </symbol>
        <symbol id="i-info" viewBox="0 0 20 20">
          <circle cx="10" cy="10" r="7.6" />
          <path d="M10 9.4V14" />
          <circle cx="10" cy="6.3" r="1" fill="currentColor" stroke="none" />
        </symbol>
        <symbol id="i-tick" viewBox="0 0 20 20">
          <path d="m4.5 10.5 3.6 3.6 7.4-8" />
        </symbol>
        <symbol id="i-turning" viewBox="0 0 20 20">
          <circle cx="10" cy="10" r="7.2" strokeDasharray="31 14.2" />
        </symbol>
        <symbol id="i-waiting" viewBox="0 0 20 20">
          <circle cx="10" cy="10" r="7.6" />
          <path d="M10 6v4.2l2.6 1.8" />
        </symbol>
        <symbol id="i-question" viewBox="0 0 20 20">
          <circle cx="10" cy="10" r="7.6" strokeDasharray="3 2.2" strokeLinecap="butt" />
          <path d="M7.8 8a2.2 2.2 0 1 1 3.1 2.1c-.7.3-.9.7-.9 1.4" />
          <circle cx="10" cy="13.9" r=".9" fill="currentColor" stroke="none" />
        </symbol>
        <symbol id="i-dash" viewBox="0 0 20 20">
          <path d="M5.5 10h9" />
        </symbol>
        <symbol id="i-chevron" viewBox="0 0 20 20">
          <path d="m7.5 5 5 5-5 5" />
        </symbol>
        <symbol id="i-arrow" viewBox="0 0 20 20">
          <path d="M4 10h12m-4.5-4.5L16 10l-4.5 4.5" />
        </symbol>
        <symbol id="i-outside" viewBox="0 0 20 20">
          <path d="M8 5H5v10h10v-3M11.5 4.5h4v4M15 5l-5.5 5.5" />
        </symbol>
        <symbol id="i-system" viewBox="0 0 20 20">
          <circle cx="10" cy="10" r="6.5" />
          <path d="M10 3.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" />
        </symbol>
        <symbol id="i-light" viewBox="0 0 20 20">
          <circle cx="10" cy="10" r="3.4" />
          <path d="M10 2.5v1.6m0 11.8v1.6M2.5 10h1.6m11.8 0h1.6M4.7 4.7l1.1 1.1m8.4 8.4 1.1 1.1m0-10.6-1.1 1.1m-8.4 8.4-1.1 1.1" />
        </symbol>
        <symbol id="i-dark" viewBox="0 0 20 20">
          <path d="M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z" />
        </symbol>
        <symbol id="i-keyboard" viewBox="0 0 20 20">
          <rect x="2" y="5" width="16" height="10" rx="2" />
          <path d="M5.5 8.2h.01M8.5 8.2h.01m2.99 0h.01m2.99 0h.01M7 12h6" />
        </symbol>
        <symbol id="i-close" viewBox="0 0 20 20">
          <path d="m5.5 5.5 9 9m0-9-9 9" />
        </symbol>
      </defs>
    </svg>
  );
}
