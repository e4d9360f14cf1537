import Link from "next/link";
import { buttonLook } from "@/components/ui/button-look.ts";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import type { Report } from "@/lib/model/report.ts";

/** The check whose fix is the install command. */
const check = "not-installed";

/** A cluster without cert-manager, which is no failure. */
export function NotInstalled({ report, href, t }: { report: Report; href: (id: string) => string; t: ClusterTexts }) {
  const { notInstalled } = t.empty;
  return (
    <EmptyState tone="not-applicable" title={notInstalled.title}>
      <p>{notInstalled.text}</p>
      {report.checks.some((one) => one.id === check) ? (
        <p>
          <Link href={href(check)} prefetch={false} className={buttonLook.primary}>
            {notInstalled.action}
          </Link>
        </p>
      ) : null}
    </EmptyState>
  );
}
