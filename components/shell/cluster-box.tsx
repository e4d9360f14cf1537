import Link from "next/link";
import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { plural } from "@/lib/i18n/fill.ts";
import type { Locale } from "@/lib/i18n/locales.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ClusterView } from "@/lib/model/view.ts";

interface Props {
  readonly cluster: ClusterView | null;
  readonly clusters: readonly ClusterView[];
  /** What is said of the cluster, in small. */
  readonly note: ReactNode;
  readonly locale: Locale;
  readonly t: Ui["shell"];
}

const box = "flex items-center justify-between gap-2 rounded-lg border border-line bg-surface px-2.5 py-2";

/** Which cluster this page is about, and the way to the others. */
export function ClusterBox({ cluster, clusters, note, locale, t }: Props) {
  const name = (
    <span className="min-w-0">
      <span className="line-clamp-2">{cluster?.title ?? plural(t.clusterCount, clusters.length, locale)}</span>
      {cluster ? <small className="block text-xs text-faint">{note}</small> : null}
    </span>
  );
  if (clusters.length < 2) return cluster ? <div className={box}>{name}</div> : null;
  return (
    <details data-menu="" className="group relative">
      <summary className={`${box} hover:bg-raised`}>
        {name}
        <Icon name="chevron" className="size-3.5 rotate-90 text-faint group-open:-rotate-90" />
        <span className="sr-only">{t.switchCluster}</span>
      </summary>
      <ul className="absolute inset-x-0 z-20 mt-1 max-h-96 overflow-y-auto rounded-lg border border-line-strong bg-surface p-1 shadow-lg">
        {clusters.map((one) => (
          <li key={one.name}>
            <Link
              href={`/c/${one.name}`}
              prefetch={false}
              aria-current={one.name === cluster?.name ? "true" : undefined}
              className="block rounded-md px-2 py-1.5 hover:bg-raised aria-current:font-medium"
            >
              {one.title}
            </Link>
          </li>
        ))}
        <li className="mt-1 border-t border-line pt-1">
          <Link href="/" prefetch={false} className="block rounded-md px-2 py-1.5 text-muted hover:bg-raised">
            {t.allClusters}
          </Link>
        </li>
      </ul>
    </details>
  );
}
