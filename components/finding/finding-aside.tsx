import Link from "next/link";
import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { RichText } from "@/components/ui/rich-text.tsx";
import { SourceList } from "@/components/ui/source-list.tsx";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import type { CheckLink, FindingView } from "@/lib/model/view.ts";

/** What stands around a finding: its place in the chain, and why it is believed. */
export function FindingAside({ view, href, t }: { view: FindingView; href: (id: string) => string; t: ClusterTexts }) {
  const { finding } = t;
  const { check } = view;
  const link = (one: CheckLink) => (
    <Link href={href(one.id)} prefetch={false} className="hover:text-ink hover:underline">
      <RichText text={one.title} />
    </Link>
  );
  // Of a check that doesn't fail, `because` says why it stands where it stands; that is in the main column.
  const sure = check.status === "fail" ? check.because : "";
  return (
    <aside className="grid content-start gap-5 text-sm text-muted wrap-anywhere">
      <Group title={finding.causedBy} items={view.causes.map(link)} />
      <Group title={finding.causes} items={view.effects.map(link)} arrow />
      <Group title={finding.sure} items={sure ? [<RichText key="sure" text={sure} />] : []} />
      <Group
        title={finding.ruledOut}
        items={view.ruledOut.map((other) => (
          <>
            {link(other)}: <RichText text={other.because} />
          </>
        ))}
      />
      <section>
        <h2 className="mb-1 font-semibold text-ink">{finding.sources}</h2>
        <SourceList sources={view.sources}>
          <Link href={`/checks/${check.id}`} prefetch={false} className="inline-flex items-center gap-1 hover:text-ink hover:underline">
            {finding.cataloguePage}
            <Icon name="arrow" className="size-3.5" />
          </Link>
        </SourceList>
      </section>
    </aside>
  );
}

function Group({ title, items, arrow }: { title: string; items: readonly ReactNode[]; arrow?: boolean }) {
  if (items.length === 0) return null;
  return (
    <section>
      <h2 className="mb-1 font-semibold text-ink">{title}</h2>
      <ul>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list that only changes as a whole
          <li key={index} className="flex gap-2 py-1">
            {arrow ? <Icon name="arrow" className="mt-1 size-3.5 text-faint" /> : null}
            <span className="min-w-0">{item}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
