import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";

const seen = encodeURIComponent(
  `Error from server (InternalError): failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/mutate?timeout=30s": x509: certificate signed by unknown authority
failed calling webhook "validate.nginx.ingress.kubernetes.io": failed to call webhook: Post "https://ingress-nginx-controller-admission.ingress-nginx.svc:443/networking/v1/ingresses?timeout=10s": EOF
Error: the chart could not be found`,
);
const pages = [
  "/",
  "/c/healthy",
  "/c/just-installed",
  "/c/ca-not-injected",
  "/c/leftover-crds",
  "/c/air-gapped-images",
  "/c/webhook-unreachable",
  "/c/ca-not-injected/findings/cainjector-leader-election-forbidden",
  "/c/leftover-crds/findings/helm-ownership-other-release",
  "/c/air-gapped-images/findings/image-pull-dns",
  "/c/healthy/findings/webhook-ca-expired",
  "/c/ca-not-injected?error=x509:+certificate+signed+by+unknown+authority",
  `/c/ca-not-injected?error=${seen}`,
  "/checks",
  `/checks?error=${seen}`,
  "/checks/cainjector-leader-election-forbidden",
  "/status",
  "/c/nowhere",
];

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 390]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 } });
      for (const path of pages) {
        test(`${path.replace(/%.*/, "…")} has no accessibility violation and fits its width`, async ({ page }) => {
          await page.goto(path);
          await page.waitForLoadState("networkidle");
          await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
          const { violations } = await new AxeBuilder({ page }).analyze();
          expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.target) }))).toEqual([]);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          expect(overflow).toBeLessThanOrEqual(0);
        });
      }
    });
  }
}
