/** A text of a report or a dictionary, in which `code` stands in backticks. Never HTML: its parts may come from a cluster. */
export function RichText({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
      <code key={index} className="font-mono wrap-anywhere">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
