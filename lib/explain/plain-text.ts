/** One line of a pasted text, without what terminals, log viewers and chats put around it. */
export interface PlainLine {
  readonly text: string;
  /** How wide the line is where it was copied: lines that a terminal broke are all as wide as the terminal. */
  readonly width: number;
  readonly indent: number;
  /** Whether a time or the name of a pod stood before it: then it continues no other line. */
  readonly stamped: boolean;
}

const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: "<", gt: ">", nbsp: " ", amp: "&" };

/** A text without colours, control characters, HTML entities and typographic quotes. */
function plainCharacters(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/g, "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' colours, links and titles begin with one
      .replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b./g, "")
      // What is left of a colour where its first character was lost.
      .replaceAll(/\[(?:\d{1,3}(?:;\d{1,3})*)?m(?![\w.])/g, "")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200d\u2060\ufeff]/g, "")
      .replaceAll("&amp;", "&")
      .replaceAll(/&(?:(quot|apos|lt|gt|nbsp)|#(\d{1,6})|#x([\da-f]{1,5}));/gi, (whole, name?: string, decimal?: string, hex?: string) => {
        if (name) return entities[name.toLowerCase()] ?? whole;
        return String.fromCodePoint(Math.min(decimal ? Number(decimal) : Number.parseInt(hex ?? "0", 16), 0x10ffff));
      })
      .replaceAll(/[\u201c-\u201f\u00ab\u00bb\u2033]/g, '"')
      .replaceAll(/[\u2018-\u201b\u2032]/g, "'")
      .replaceAll(/[\u00a0\u2007\u202f]/g, " ")
  );
}

const border = /^[ \t]*[│┃║|](?: |$)/;
const rightBorder = /[ \t]*[│┃║|][ \t]*$/;
/** Frames, rules, code fences and brackets: nothing stands in them. */
const frame = /^(?:[[\]{},\s]+|[─━═╭╮╰╯╷╵┌┐└┘├┤┬┴┼│┃║=+*_|\s-]+|\s*(?:```|~~~)[\w-]*\s*)$/;
const quoted = /^(?:[ \t]*>[ \t]?)+/;
/** Of `kubectl logs --prefix`, of compose-like log viewers, of CI. */
const source = /^(?:\[pod\/[^\]]+\] ?|[\w./-]{1,80} +\| |##\[\w+\]|::\w+(?: [^:]*)?::|\+ )/;
const time = /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[ ]?[+-]\d\d:?\d\d|[ ]UTC)?\]?[ \t]+/;
/** Of klog, wherever a log viewer's own columns end. */
const klogHeader = /^.{0,200}?\b[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ [\w./-]+:\d+\] ?/;

/** The lines of a pasted text. A line in which nothing stands is an empty text. */
export function plainLines(text: string): readonly PlainLine[] {
  return plainCharacters(text).split("\n").map(plainLine);
}

function plainLine(raw: string): PlainLine {
  if (frame.test(raw)) return { text: "", width: 0, indent: 0, stamped: false };
  let text = raw.replace(quoted, "");
  let width = raw.length;
  if (border.test(text)) {
    text = text.replace(border, "").replace(rightBorder, "");
    width = text.length;
  }
  const before = text;
  text = text.replace(time, "").replace(source, "").replace(time, "").replace(klogHeader, "");
  // A `>` is also what a folded YAML text begins with, and `+` what a shell prints before each command.
  const stamped = text !== before && !before.startsWith("+ ");
  const indent = text.length - text.trimStart().length;
  return { text: text.trimStart(), width, indent, stamped };
}
