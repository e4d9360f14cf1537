import { expect, type Page, test } from "@playwright/test";
import { checks } from "../lib/checks/index.gen.ts";

/** Opens a page and waits until it answers keys and clicks: a key that is pressed earlier is lost. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState("networkidle");
}

test("the start page lists the demo clusters with their verdicts, each a link", async ({ page }) => {
  await page.goto("/");
  const list = page.getByRole("main");
  await expect(list.getByRole("link")).toHaveCount(6);
  for (const word of ["Healthy", "Settling", "Broken"]) await expect(list.getByText(word, { exact: true }).first()).toBeVisible({ timeout: 15_000 });
  await list.getByRole("link", { name: /autopilot/i }).click();
  await expect(page).toHaveURL(/\/c\/ca-not-injected$/);
  await expect(page.getByText(/^No Certificate or Issuer can be created or changed/).first()).toBeVisible();
});

test("from the verdict to the fix: one cause, its chain, its evidence, commands for this cluster", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "/c/ca-not-injected");
  const main = page.getByRole("main");
  await expect(main.getByText("root cause", { exact: true }).first()).toBeVisible();
  await expect(main.getByText(/leases\.coordination\.k8s\.io/).first()).toBeVisible();
  await main
    .getByRole("link", { name: /^Fix it/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/findings\/cainjector-leader-election-forbidden/);
  const command = page.getByText("--set global.leaderElection.namespace=cert-manager").first();
  await expect(command).toBeVisible();
  await page.getByRole("button", { name: /^Copy/ }).first().click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain("helm upgrade cert-manager oci://quay.io/jetstack/charts/cert-manager");
  await expect(page.getByText("Changes the cluster:").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "What it causes" })).toBeVisible();
  await page.getByRole("link", { name: "Webhook without a CA bundle" }).first().click();
  await expect(page).toHaveURL(/\/findings\/ca-bundle-empty/);
  await expect(page.getByText(/caBundle/).first()).toBeVisible();
});

test("check again looks anew and says so, by button and by key", async ({ page }) => {
  await open(page, "/c/healthy");
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(request.url());
  });
  await page.getByRole("button", { name: /^Check again/ }).click();
  await expect.poll(() => posts.length).toBe(1);
  await expect(page.getByRole("button", { name: /^Check again/ })).toBeEnabled();
  await page.keyboard.press("r");
  await expect.poll(() => posts.length).toBe(2);
  await expect(page.getByText(/^cert-manager is healthy/).first()).toBeVisible();
});

test("while the API check waits for a time-out the rest is there, and the verdict follows", async ({ page, request, baseURL }) => {
  await page.goto("/c/webhook-unreachable");
  await expect(page.getByText(/never arrive at cert-manager's webhook/).first()).toBeVisible({ timeout: 15_000 });
  const again = await request.post("/api/c/webhook-unreachable/checkup", { headers: { origin: baseURL ?? "" } });
  // What was seen before stays until the new look is whole.
  expect(await again.json()).toMatchObject({ running: true, report: { verdict: "broken", final: true } });
});

test("without the session of the printed address, checking again says what to do", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] }, baseURL });
  const page = await context.newPage();
  await open(page, "/c/healthy");
  await page.getByRole("button", { name: /^Check again/ }).click();
  await expect(page.getByText(/Open the address that/)).toBeVisible();
  await context.close();
});

const unknownAuthority =
  'failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/mutate?timeout=30s": x509: certificate signed by unknown authority';
const ofIngress =
  'failed calling webhook "validate.nginx.ingress.kubernetes.io": failed to call webhook: Post "https://ingress-nginx-controller-admission.ingress-nginx.svc:443/networking/v1/ingresses?timeout=10s": EOF';

test("a pasted screenful is explained error by error, and stays in the address", async ({ page }) => {
  await open(page, "/c/ca-not-injected");
  const box = page.getByRole("textbox");
  await box.fill(`$ kubectl apply -f issuer.yaml\nError from server (InternalError): ${unknownAuthority}\nError from server (InternalError): ${ofIngress}\n`);
  await page.getByRole("button", { name: "Explain" }).click();
  const result = page.getByRole("list", { name: "What this error means" });
  await expect(result).toBeVisible();
  await expect(result.getByText(/^failing here, root cause: cainjector not allowed/)).toBeVisible();
  await expect(result.locator("mark")).toHaveText("x509: certificate signed by unknown authority");
  await expect(result.getByText("/mutate", { exact: false })).toBeVisible();
  await expect(page.getByRole("list", { name: "Not cert-manager's" }).getByText(/^This one comes from ingress-nginx/)).toBeVisible();
  await expect(page).toHaveURL(/error=/);
  await page.reload();
  await expect(result.getByText(/^failing here, root cause/)).toBeVisible();
  await box.fill(ofIngress);
  await page.getByRole("button", { name: "Explain" }).click();
  await expect(page.getByText(/^This one comes from ingress-nginx/)).toBeVisible();
  await expect(result).toBeHidden();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page).toHaveURL(/ca-not-injected$/);
});

test("a text that no address holds is sent whole, and one that is too large is refused in words", async ({ page }) => {
  await open(page, "/c/ca-not-injected");
  const box = page.getByRole("textbox");
  const noise = "I1201 00:43:21.440648       1 sources.go:207] nothing to see\n";
  await box.fill(`${noise.repeat(200)}E1201 00:43:22.440648       1 controller.go:155] ${unknownAuthority}`);
  await page.getByRole("button", { name: "Explain" }).click();
  await expect(page.getByRole("list", { name: "What this error means" })).toBeVisible();
  await expect(page).toHaveURL(/ca-not-injected$/);
  await expect(page.getByText("A text of this length fits into no link.")).toBeVisible();
  await box.fill(noise.repeat(1_200));
  await page.getByRole("button", { name: "Explain" }).click();
  await expect(page.getByText(/up to 64 KiB are read/)).toBeVisible();
});

test("a pasted error is added to the diagnosis, which says what accounts for it, and is taken out again", async ({ page }) => {
  await open(page, "/c/healthy");
  await page.getByRole("textbox").fill(ofIngress);
  await page.getByRole("button", { name: "Explain" }).click();
  await page.getByRole("button", { name: "Add to the diagnosis" }).click();
  await expect(page.getByRole("heading", { name: "Errors that were seen" })).toBeVisible();
  await expect(page.getByText("Not cert-manager's: it comes from ingress-nginx")).toBeVisible();
  await expect(page.getByText("Part of this diagnosis")).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: /^Remove this error/ }).click();
  await expect(page.getByText("Not cert-manager's: it comes from ingress-nginx")).toBeHidden();
});

test("the catalogue explains an error without a cluster, without a script, and by a link", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: { cookies: [], origins: [] }, baseURL });
  const page = await context.newPage();
  await page.goto("/checks");
  await page.getByRole("textbox", { name: "An error that was seen" }).fill(unknownAuthority);
  await page.getByRole("button", { name: "Explain" }).click();
  await expect(page).toHaveURL(/\/checks\?error=/);
  const result = page.getByRole("list", { name: "What this error means" });
  await expect(result.getByRole("link", { name: "Webhook without a CA bundle" })).toHaveAttribute("href", "/checks/ca-bundle-empty");
  await expect(page.getByRole("link", { name: /\/checks\?error=failed%20calling/ })).toBeVisible();
  await context.close();
});

test("a young install is calm: what still has to happen, and nothing failing", async ({ page }) => {
  await page.goto("/c/just-installed");
  await expect(page.getByText(/^cert-manager is starting/).first()).toBeVisible();
  await expect(page.getByText("The CA bundle is injected")).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Failing/ })).toHaveCount(0);
});

test("keys move through the checklist, open a row, show help and go back", async ({ page }) => {
  await open(page, "/c/ca-not-injected");
  await expect(page.getByRole("heading", { name: /^Failing/ })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/findings\/ca-bundle-empty/);
  await expect(page.getByRole("heading", { name: "Guided fix" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/c\/ca-not-injected$/);
  await expect(page.getByRole("textbox")).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("textbox")).toBeFocused();
});

test("an unknown cluster, finding or check is a page that says so", async ({ page }) => {
  for (const path of ["/c/nowhere", "/c/healthy/findings/nothing", "/checks/nothing", "/nothing"]) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
  }
});

test("the status page shows one word per cluster and nothing to act on", async ({ page }) => {
  await page.goto("/status");
  const main = page.getByRole("main");
  await expect(main.getByText("Broken", { exact: true }).first()).toBeVisible({ timeout: 15_000 });
  await expect(main.getByText("cainjector not allowed to take its lease")).toBeVisible();
  expect(await main.textContent()).not.toMatch(/kubectl|helm |cert-manager-webhook|kube-system/);
  expect(Object.keys((await (await page.request.get("/api/status")).json()) as object)).toEqual(["clusters"]);
});

test("the catalogue has a page for every check, filtered by what is typed", async ({ page, request }) => {
  await open(page, "/checks");
  const links = page.getByRole("main").getByRole("link");
  const paths = await links.evaluateAll((found) => found.map((link) => link.getAttribute("href") ?? "").filter((href) => href.startsWith("/checks/")));
  expect(new Set(paths).size).toBe(checks.length);
  for (const path of paths) expect((await request.get(path)).status(), path).toBe(200);
  await page.keyboard.press("/");
  await page.keyboard.type("lease");
  await expect(page).toHaveURL(/q=lease/);
  await expect(page.getByRole("link", { name: /cainjector not allowed to take its lease/ })).toBeVisible();
  await expect(page.getByRole("link", { name: /Webhook without endpoints/ })).toBeHidden();
});

test("the theme is switched, and kept", async ({ page }) => {
  await open(page, "/c/healthy");
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page
    .getByRole("radio", { name: "Dark" })
    .or(page.getByRole("button", { name: "Dark" }))
    .first()
    .click();
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await page.reload();
  expect(await background()).toBe(dark);
});
