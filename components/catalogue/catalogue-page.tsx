import Link from "next/link";
import type { ReactNode } from "react";
import { ClusterRole } from "@/components/ui/cluster-role.tsx";
import { RichText } from "@/components/ui/rich-text.tsx";
import { SeverityPill } from "@/components/ui/severity-pill.tsx";
import { SourceList } from "@/components/ui/source-list.tsx";
import type { Locale } from "@/lib/i18n/locales.ts";
import { ui } from "@/lib/i18n/ui.ts";
import type { Severity } from "@/lib/model/check.ts";
import type { CatalogueEntry, CheckLink } from "@/lib/model/view.ts";
import { CatalogueExample } from "./catalogue-example.tsx";

/** A failure mode for reading: how it shows, what it means, how it is found, and what else belongs to it. */
export function CataloguePage({ entry, locale }: { entry: CatalogueEntry; locale: Locale }) {
  const t = ui(locale);
  const { catalogue, common } = t;
  const severity = entry.severity as Severity;
  return (
    <article className="py-5">
      <nav aria-label={catalogue.title} className="mb-8 text-muted">
        <Link href="/checks" data-hotkey="Escape" prefetch={false} className="hover:text-ink hover:underline">
          {catalogue.title}
        </Link>
        <span aria-hidden="true"> / </span>
        <span aria-current="page" className="font-medium text-ink wrap-anywhere">
          {entry.id}
        </span>
      </nav>
      <header className="mb-8">
        <h1 className="mb-2 text-xl leading-tight font-semibold tracking-tight text-balance">
          <RichText text={entry.title} />
        </h1>
        <p className="max-w-[72ch] text-muted">
          <span className="mr-2 inline-block align-[-0.1em]">
            <SeverityPill tone={severity} word={common.severity[severity]} />
          </span>
          <RichText text={entry.why} />
        </p>
      </header>
      <div className="grid gap-x-7 gap-y-8 roomy:grid-cols-[minmax(0,1fr)_17.5rem]">
        <div className="grid min-w-0 content-start gap-8">
          <Section title={catalogue.symptoms}>
            {entry.patterns.length > 0 ? (
              <>
                <p className="mb-2 text-muted">{catalogue.patterns}</p>
                <ul className="grid gap-1.5">
                  {entry.patterns.map((pattern) => (
                    <li key={pattern} className="rounded-lg bg-raised px-3.5 py-2 font-mono text-sm wrap-anywhere">
                      {pattern}
                    </li>
                  ))}
                </ul>
              </>
            ) : (
              <p className="text-muted">{catalogue.noPatterns}</p>
            )}
          </Section>
          {entry.example ? <CatalogueExample example={entry.example} locale={locale} t={t} /> : null}
          {entry.rules.length > 0 ? (
            <Section title={catalogue.permissions}>
              <p className="mb-2 text-muted">{catalogue.permissionsLead}</p>
              <ClusterRole rules={entry.rules} name={`certmedic-${entry.id}`} t={t} />
            </Section>
          ) : null}
        </div>
        <aside className="grid content-start gap-5 text-sm text-muted wrap-anywhere">
          {entry.ignore ? (
            <Section title={catalogue.ignore} small>
              <RichText text={entry.ignore} />
            </Section>
          ) : null}
          <Links title={catalogue.causes} links={entry.causes} />
          <Links title={catalogue.effects} links={entry.effects} />
          <Section title={catalogue.lookedAt} small>
            {entry.needs.length + entry.uses.length === 0 ? catalogue.textOnly : null}
            <Facts lead={catalogue.needs} facts={entry.needs} />
            <Facts lead={catalogue.uses} facts={entry.uses} />
          </Section>
          {entry.sources.length > 0 ? (
            <Section title={catalogue.sources} small>
              <SourceList sources={entry.sources} />
            </Section>
          ) : null}
        </aside>
      </div>
    </article>
  );
}

function Section({ title, small, children }: { title: string; small?: boolean; children: ReactNode }) {
  return (
    <section>
      <h2 className={small ? "mb-1 font-semibold text-ink" : "mb-2 text-lg font-semibold tracking-tight"}>{title}</h2>
      {children}
    </section>
  );
}

function Links({ title, links }: { title: string; links: readonly CheckLink[] }) {
  if (links.length === 0) return null;
  return (
    <Section title={title} small>
      <ul>
        {links.map((link) => (
          <li key={link.id} className="py-1">
            <Link href={`/checks/${link.id}`} prefetch={false} className="hover:text-ink hover:underline">
              <RichText text={link.title} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Facts({ lead, facts }: { lead: string; facts: readonly string[] }) {
  if (facts.length === 0) return null;
  return (
    <>
      <p className="pt-1 text-faint">{lead}</p>
      <ul className="mb-1">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </>
  );
}
