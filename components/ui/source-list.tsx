import type { ReactNode } from "react";

/** Where knowledge comes from: addresses as links, the rest as it is, `children` last. */
export function SourceList({ sources, children }: { sources: readonly string[]; children?: ReactNode }) {
  // "catalogue 1.7 …" is a note for those who maintain the checks.
  const shown = sources.filter((source) => !source.startsWith("catalogue "));
  return (
    <ul>
      {shown.map((source) => (
        <li key={source} className="py-1 wrap-anywhere">
          {/^https?:\/\//.test(source) ? (
            <a href={source} target="_blank" rel="noreferrer" className="hover:text-ink hover:underline">
              {shortAddress(source)}
            </a>
          ) : (
            source
          )}
        </li>
      ))}
      {children ? <li className="py-1">{children}</li> : null}
    </ul>
  );
}

/** `cert-manager #5061` for an issue, which people know by its number; any other address without what goes without saying. */
function shortAddress(address: string): string {
  const issue = address.match(/^https:\/\/github\.com\/[^/]+\/([^/]+)\/(?:issues|pull|discussions)\/(\d+)/);
  return issue ? `${issue[1]} #${issue[2]}` : address.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "");
}
