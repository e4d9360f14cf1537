import Link from "next/link";
import { ErrorForm } from "@/components/pasted/error-form.tsx";
import { Explanation } from "@/components/pasted/explanation.tsx";
import { ShareLink } from "@/components/pasted/share-link.tsx";
import type { Locale } from "@/lib/i18n/locales.ts";
import { ui } from "@/lib/i18n/ui.ts";
import type { ExplainView } from "@/lib/model/view.ts";

interface Props {
  readonly text: string;
  /** Null where nothing was pasted. */
  readonly view: ExplainView | null;
  /** Where this server is, for the browser that asks. */
  readonly origin: string;
  readonly locale: Locale;
}

/** What an error means, without a cluster. The text stands in the address, so that a link to the answer can be sent; it works without a script. */
export function ExplainCatalogue({ text, view, origin, locale }: Props) {
  const { common, explain } = ui(locale);
  return (
    <search aria-label={explain.label} className="mt-3 mb-4 block">
      <ErrorForm key={text} initial={text} asked={view !== null} t={explain} />
      {view ? (
        <Explanation view={view} base={null} locale={locale} t={explain}>
          <ShareLink text={text} origin={origin} t={{ common, explain }} />
          <Link href="/checks" prefetch={false} className="text-muted hover:text-ink hover:underline">
            {explain.clear}
          </Link>
        </Explanation>
      ) : null}
    </search>
  );
}
