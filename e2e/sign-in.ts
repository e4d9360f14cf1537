import { mkdirSync } from "node:fs";
import { type FullConfig, request } from "@playwright/test";

/** Opens the printed address once, as a person does, and keeps the session for all tests. */
export default async function signIn(config: FullConfig): Promise<void> {
  const { baseURL } = config.projects[0]?.use ?? {};
  const context = await request.newContext({ baseURL });
  await context.get(`/?token=${process.env.CERTMEDIC_TOKEN}`);
  mkdirSync("test-results", { recursive: true });
  await context.storageState({ path: "test-results/session.json" });
  await context.dispose();
}
