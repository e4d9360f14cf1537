import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import type { Locale } from "@/lib/i18n/locales.ts";
import { ui } from "@/lib/i18n/ui.ts";
import type { ClusterView } from "@/lib/model/view.ts";
import { Brand } from "./brand.tsx";
import { ClusterBox } from "./cluster-box.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { NavLink } from "./nav-link.tsx";
import { type Theme, ThemeSwitch } from "./theme-switch.tsx";

interface Props {
  readonly current: "diagnosis" | "clusters" | "catalogue" | null;
  /** The cluster that the page is about. */
  readonly cluster: ClusterView | null;
  readonly clusters: readonly ClusterView[];
  readonly note?: ReactNode;
  readonly count?: ReactNode;
  readonly theme: Theme;
  readonly locale: Locale;
  readonly children: ReactNode;
}

/** The frame of every page but the status page: where one is, and where one can go. */
export function Shell({ current, cluster, clusters, note, count, theme, locale, children }: Props) {
  const { shell, common, keys } = ui(locale);
  // With a single cluster there is no doubt which diagnosis is meant.
  const home = cluster ?? (clusters.length === 1 ? clusters[0] : undefined);
  return (
    <div className="grid min-h-dvh grid-cols-[minmax(0,1fr)] wide:grid-cols-[13.75rem_minmax(0,1fr)]">
      <a href="#content" className="sr-only z-30 rounded-md bg-ink px-3 py-2 text-canvas focus:not-sr-only focus:absolute focus:top-2 focus:left-2">
        {shell.skip}
      </a>
      <header className="flex flex-col gap-3.5 border-line px-2.5 py-3.5 max-wide:border-b wide:sticky wide:top-0 wide:h-dvh wide:border-r">
        <div className="flex items-center justify-between gap-2">
          <Brand name={common.product} />
          <div className="flex items-center gap-1 wide:hidden">
            <ThemeSwitch initial={theme} t={shell} />
          </div>
        </div>
        <ClusterBox cluster={cluster} clusters={clusters} note={note} locale={locale} t={shell} />
        <nav aria-label={shell.navigation} className="flex gap-px max-wide:-mx-1 max-wide:overflow-x-auto max-wide:px-1 wide:flex-col">
          {home ? (
            <NavLink href={`/c/${home.name}`} current={current === "diagnosis"}>
              {shell.diagnosis}
              {count}
            </NavLink>
          ) : (
            <NavLink href="/" current={current === "clusters"}>
              {shell.clusters}
            </NavLink>
          )}
          <div aria-hidden="true" className="mx-1 my-2 hidden border-t border-line wide:block" />
          <NavLink href="/checks" current={current === "catalogue"}>
            {shell.catalogue}
          </NavLink>
          <a
            href="/status"
            target="_blank"
            rel="noopener"
            className="flex items-center gap-1.5 rounded-md px-2.5 py-1.5 whitespace-nowrap text-muted hover:bg-raised hover:text-ink"
          >
            {shell.statusPage}
            <Icon name="outside" className="size-3.5" />
            <span className="sr-only">({shell.newTab})</span>
          </a>
        </nav>
        <div className="mt-auto hidden items-center justify-between px-1 wide:flex">
          <ThemeSwitch initial={theme} t={shell} />
          <HelpDialog t={keys} />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="w-full max-w-[66rem] min-w-0 px-4 pb-20 outline-none wide:px-8">
        {children}
      </main>
    </div>
  );
}
