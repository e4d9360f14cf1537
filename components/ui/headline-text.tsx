import type { Tone } from "@/lib/client/tone.ts";
import { RichText } from "./rich-text.tsx";
import { toneColour } from "./tone-colour.ts";

/** A verdict as a sentence: the part between asterisks has the colour of its state. */
export function HeadlineText({ text, tone }: { text: string; tone: Tone }) {
  const [before = "", marked = "", ...after] = text.split("*");
  return (
    <>
      <RichText text={before} />
      {marked ? (
        <em className={`not-italic ${toneColour[tone]}`}>
          <RichText text={marked} />
        </em>
      ) : null}
      <RichText text={after.join("*")} />
    </>
  );
}
