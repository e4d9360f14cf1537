import { RichText } from "@/components/ui/rich-text.tsx";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { fill, plural } from "@/lib/i18n/fill.ts";
import type { InstallSummary } from "@/lib/model/report.ts";

/** What is installed, where, and how it came there. */
export function InstallLine({ installs, t }: { installs: readonly InstallSummary[]; t: ClusterTexts }) {
  const [first, ...others] = installs;
  if (!first) return null;
  const text = fill(t.bar.installed[first.method], { product: productText(first, t), namespace: first.namespace });
  return (
    <span>
      <RichText text={others.length > 0 ? `${text}, ${plural(t.bar.moreInstalls, others.length, t.locale)}` : text} />
    </span>
  );
}

/** "cert-manager 1.21.1", or without a version where nothing tells it. */
export function productText(install: InstallSummary, t: ClusterTexts): string {
  return fill(t.common.productVersion, { version: install.version.replace(/^v/, "") }).trim();
}
