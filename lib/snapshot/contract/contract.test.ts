import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadDemo } from "../demo-clusters.ts";
import { serve } from "../test-cluster.ts";
import { apart } from "./apart.ts";
import { contract } from "./contract.ts";
import { type Answered, type Exchange, expected, seen } from "./exchange.ts";
import { forbidden, forbiddenAnswers, unauthorized, unauthorizedAnswers } from "./forbidden.ts";
import { contractObjects } from "./objects.ts";

const { snapshot: healthy } = await loadDemo(join(import.meta.dirname, "..", "..", ".."), "healthy");
const snapshot = { ...healthy, objects: [...healthy.objects, ...contractObjects] };
const webhookPod = healthy.objects.find(({ kind, metadata }) => kind === "Pod" && metadata.name.startsWith("cert-manager-webhook"))?.metadata.name ?? "";

async function ask(url: string, { method, path, accept = "application/json", contentType = "application/json", body }: Exchange): Promise<Answered> {
  const response = await fetch(url + path, {
    method,
    headers: { accept, ...(body !== undefined && { "content-type": contentType }) },
    body: typeof body === "object" ? JSON.stringify(body) : (body ?? null),
  });
  return { status: response.status, contentType: response.headers.get("content-type") ?? "", text: await response.text() };
}

const titleOf = ({ method, path, accept, body }: Exchange): string =>
  [method, decodeURIComponent(path), accept, body && JSON.stringify(body).slice(0, 60)].filter(Boolean).join(" ");

const { url } = serve(snapshot);
describe.each(Object.entries(contract(webhookPod)))("%s", (_, exchanges) => {
  let before: Answered;
  test.each(exchanges.map((exchange) => [titleOf(exchange), exchange] as const))("%s", async (__, exchange) => {
    const token = exchange.nextPage ? `&continue=${JSON.parse(before.text).metadata.continue}` : "";
    before = await ask(url, { ...exchange, path: exchange.path + token });
    expect(seen(exchange, before)).toEqual(expected(exchange));
  });
});

const { url: withoutRights } = serve({ ...snapshot, answers: forbiddenAnswers });
test.each(forbidden("snapshot").map((exchange) => [titleOf(exchange), exchange] as const))("forbidden: %s", async (_, exchange) => {
  expect(seen(exchange, await ask(withoutRights, exchange))).toEqual(expected(exchange));
});

test("unauthorized", async () => {
  const { url: closed } = serve({ ...snapshot, answers: unauthorizedAnswers });
  expect(seen(unauthorized, await ask(closed, unauthorized))).toEqual(expected(unauthorized));
});

test.each(apart.map(([why, exchange]) => [why, titleOf(exchange), exchange] as const))("apart, since %s: %s", async (_, __, exchange) => {
  expect(seen(exchange, await ask(url, exchange))).toEqual(expected(exchange));
});
