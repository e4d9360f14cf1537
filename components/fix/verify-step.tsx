"use client";

import { buttonLook } from "@/components/ui/button-look.ts";
import { RichText } from "@/components/ui/rich-text.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { useCheckAgain } from "@/lib/client/use-check-again.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";

/** Looks again and says whether the fix worked. */
export function VerifyStep({ cluster, running, failing, t }: { cluster: string; running: boolean; failing: boolean; t: ClusterTexts }) {
  const again = useCheckAgain(cluster);
  const { verify } = t.finding;
  const busy = running || again.step === "asking";
  const outcome = again.step === "started" && !busy ? (failing ? verify.fail : verify.pass) : null;
  return (
    <>
      <p className="-mt-1.5 mb-3 text-muted">{verify.text}</p>
      <div className="flex flex-wrap items-center gap-3">
        <button type="button" aria-disabled={busy} onClick={() => busy || again.start()} className={buttonLook.plain}>
          {verify.action}
        </button>
        <div role="status" className="flex items-center gap-2 text-sm">
          {busy ? (
            <>
              <StatusIcon tone="settling" className="size-4.5" />
              <span className="text-info">{verify.running}</span>
            </>
          ) : null}
          {outcome ? (
            <>
              <StatusIcon tone={failing ? "blocker" : "passed"} className="size-4.5" />
              {outcome}
            </>
          ) : null}
          {again.refusal ? (
            <span className="text-degraded">
              <RichText text={again.refusal} />
            </span>
          ) : null}
        </div>
      </div>
    </>
  );
}
