"use client";

import { buttonLook } from "@/components/ui/button-look.ts";
import { Kbd } from "@/components/ui/kbd.tsx";
import { RichText } from "@/components/ui/rich-text.tsx";
import { useCheckAgain } from "@/lib/client/use-check-again.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

/** Starts a checkup anew; says why where the server refuses. */
export function CheckAgainButton({ cluster, running, t }: { cluster: string; running: boolean; t: Ui["bar"] }) {
  const again = useCheckAgain(cluster);
  const busy = running || again.step === "asking";
  return (
    <>
      {again.refusal ? (
        <p role="alert" className="order-last w-full text-right text-sm text-degraded">
          <RichText text={again.refusal} />
        </p>
      ) : null}
      {/* Not disabled while it works: the focus would be lost. */}
      <button type="button" data-hotkey="r" aria-disabled={busy} aria-keyshortcuts="r" onClick={() => busy || again.start()} className={buttonLook.plain}>
        {t.checkAgain}
        <Kbd>r</Kbd>
      </button>
    </>
  );
}
