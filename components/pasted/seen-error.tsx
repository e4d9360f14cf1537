/** How much of an error stands before the words that matter. */
const before = 140;

/** An error as it was printed, with the words marked that name a failure mode. */
export function SeenError({ text, words = "" }: { text: string; words?: string }) {
  const at = words === "" ? -1 : text.indexOf(words);
  const from = Math.max(0, at - before);
  const start = from > 0 ? text.indexOf(" ", from) + 1 : 0;
  return (
    <p className="line-clamp-6 font-mono text-xs leading-relaxed text-muted wrap-anywhere">
      {start > 0 ? <span title={text}>… </span> : null}
      {at < 0 ? (
        text
      ) : (
        <>
          {text.slice(start, at)}
          <mark className="rounded-sm bg-raised font-semibold text-ink">{words}</mark>
          {text.slice(at + words.length)}
        </>
      )}
    </p>
  );
}
