import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import type { CheckupView } from "../../lib/model/view.ts";
import { contextName } from "./control-plane/layout.ts";
import { until } from "./control-plane/wait.ts";

/** The built server as `npm start -- --kubeconfig` runs it, with a signed-in browser's cookie. */
export interface Dashboard {
  /** A page or an answer as text. */
  text(path: string): Promise<string>;
  checkup(): Promise<CheckupView>;
  /** From a click on "check again" to the new report. */
  checkAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it (building first what isn't built) and waits for the first whole report. */
export async function startDashboard(kubeconfig: string): Promise<Dashboard> {
  const token = randomUUID();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, ["lib/cli/start.ts", "--kubeconfig", kubeconfig, "--port", String(port)], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, CERTMEDIC_TOKEN: token, NODE_OPTIONS: "" },
  });
  const ended = once(server, "exit");
  const stop = async (): Promise<void> => {
    server.kill("SIGTERM");
    await ended;
  };
  try {
    const cookie = await until(
      "the server to answer",
      async () => (await fetch(`${origin}/?token=${token}`, { redirect: "manual" })).headers.get("set-cookie")?.split(";")[0],
      180_000,
    );
    const ask = async (path: string, method = "GET"): Promise<string> => {
      const answer = await fetch(origin + path, { method, headers: { cookie, origin } });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return answer.text();
    };
    const address = `/api/c/${contextName}/checkup`;
    const checkup = async () => JSON.parse(await ask(address)) as CheckupView;
    await until("the first report", async () => (await checkup()).report?.final, 60_000);
    return {
      text: ask,
      checkup,
      stop,
      async checkAgain() {
        const { checkedAt } = await checkup();
        await ask(address, "POST");
        while ((await checkup()).checkedAt === checkedAt) await new Promise((resolve) => setTimeout(resolve, 5));
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
