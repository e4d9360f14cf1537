import { request as http } from "node:http";
import { expect, test } from "@playwright/test";

const demos = ["healthy", "just-installed", "ca-not-injected", "leftover-crds", "air-gapped-images", "webhook-unreachable"];
const pages = ["/", "/status", "/checks", "/checks/ca-bundle-empty", ...demos.map((name) => `/c/${name}`), "/c/ca-not-injected/findings/ca-bundle-empty"];

/** A request as another program could make it, with any Host header. */
function ask(baseURL: string | undefined, path: string, headers: Record<string, string>, method = "GET"): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = http(new URL(path, baseURL), { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on("error", reject).end();
  });
}

test("a page of the internet that rebinds its name to loopback is refused (DNS rebinding)", async ({ baseURL }) => {
  for (const path of ["/", "/status", "/api/status", "/api/c/healthy/checkup"]) {
    expect(await ask(baseURL, path, { host: "evil.example" }), path).toBe(403);
    expect(await ask(baseURL, path, { host: "127.0.0.1.evil.example:3000" }), path).toBe(403);
  }
});

test("an unsafe request needs a session and our own origin (CSRF)", async ({ baseURL, request }) => {
  const path = "/api/c/healthy/checkup";
  const { host } = new URL(baseURL ?? "");
  expect(await ask(baseURL, path, { host }, "POST")).toBe(403);
  expect(await ask(baseURL, path, { host, origin: "http://evil.example" }, "POST")).toBe(403);
  expect(await ask(baseURL, path, { host, origin: `http://${host}` }, "POST")).toBe(401);
  expect(await ask(baseURL, path, { host, origin: `http://${host}`, cookie: "certmedic-session=guessed" }, "POST")).toBe(401);
  expect((await request.post(path, { headers: { origin: `http://${host}` } })).status()).toBe(200);
  expect((await request.post(path, { headers: { origin: "http://evil.example" } })).status()).toBe(403);
});

test("the session cookie is kept from scripts and from other sites, and the token works once", async ({ context, request }) => {
  const cookie = (await context.cookies()).find((one) => one.name === "certmedic-session");
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  const again = await request.get(`/?token=${process.env.CERTMEDIC_TOKEN}`, { maxRedirects: 0 });
  expect(again.status()).toBe(303);
  expect(again.headers()["set-cookie"]).toBeUndefined();
  expect(again.headers().location).toBe("/");
});

test("every page has a policy without inline code, fits it, and loads nothing from elsewhere", async ({ page, baseURL }) => {
  test.setTimeout(90_000);
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) violations.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${baseURL}/`) && !request.url().startsWith("data:")) violations.push(request.url());
  });
  for (const path of pages) {
    const answer = await page.goto(path);
    const policy = answer?.headers()["content-security-policy"] ?? "";
    expect(policy, path).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic';/);
    expect(policy, path).not.toContain("unsafe-");
    expect(answer?.headers()["x-content-type-options"], path).toBe("nosniff");
    await page.waitForLoadState("networkidle");
  }
  expect(violations).toEqual([]);
});

test("no answer holds a key, a token or a Secret's data", async ({ request }) => {
  const apis = [
    "/api/status",
    ...demos.flatMap((name) => [`/api/c/${name}/checkup`, `/api/c/${name}/findings/ca-secret-missing`, `/api/c/${name}/findings/ca-bundle-mismatch`]),
  ];
  for (const path of [...pages, ...apis]) {
    const text = await (await request.get(path)).text();
    expect(text, path).not.toMatch(/PRIVATE KEY|tls\.key"?\s*:|\.dockerconfigjson"?\s*:|certmedic-session|"release"\s*:\s*"H4s/);
  }
});
