import "./globals.css";
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { Keys } from "@/components/shell/keys.tsx";
import { requestTheme } from "@/components/shell/request-theme.ts";
import { IconSprite } from "@/components/ui/icon-sprite.tsx";
import { requestLocale } from "@/lib/server/locale.ts";

export const metadata: Metadata = {
  title: { default: "Certmedic", template: "%s · Certmedic" },
  icons: "/icon.svg",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { width: "device-width", initialScale: 1, colorScheme: "light dark" };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, theme] = await Promise.all([requestLocale(), requestTheme()]);
  return (
    <html lang={locale} data-theme={theme}>
      <body>
        <IconSprite />
        {children}
        <Keys />
      </body>
    </html>
  );
}
