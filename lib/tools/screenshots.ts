import { mkdirSync } from "node:fs";
import { chromium } from "@playwright/test";
import { chromiumArgs, ensureChromium } from "./chromium.ts";

/** Takes the README's picture from a running dashboard: `npm start -- --demo`, then `node lib/tools/screenshots.ts http://127.0.0.1:3000`. */
const server = process.argv[2] ?? "http://127.0.0.1:3000";
const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...chromiumArgs] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
await page.goto(`${server}/c/ca-not-injected`, { waitUntil: "networkidle" });
mkdirSync("public/screenshots", { recursive: true });
await page.screenshot({ path: "public/screenshots/diagnosis.png" });
await browser.close();
