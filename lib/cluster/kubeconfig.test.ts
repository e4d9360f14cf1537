import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttp, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { checkup } from "../checkup.ts";
import { openLiveTarget } from "../target.ts";
import { openKubeconfig } from "./kubeconfig.ts";
import { ca, clientCertificate, clientKey, otherCa, serverCertificate, serverKey } from "./test-pki.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const servers: Server[] = [];
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "certmedic-kubeconfig-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Listens on loopback; the handler sees each request. */
async function serve(handler: RequestListener, tls = true): Promise<string> {
  const server = tls
    ? createHttps({ cert: serverCertificate, key: serverKey, ca, requestCert: true, rejectUnauthorized: false }, handler)
    : createHttp(handler);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An API server that knows its version and what a request brought along. */
async function versionServer(seen: (request: IncomingMessage) => void, tls = true): Promise<string> {
  return serve((request, response) => {
    seen(request);
    response.setHeader("content-type", "application/json").end(JSON.stringify({ gitVersion: "v1.36.3" }));
  }, tls);
}

interface Entry {
  server?: string;
  cluster?: object;
  user?: object | null;
}

function kubeconfig({ server = "https://127.0.0.1:1", cluster = {}, user = {} }: Entry, name = "config"): string {
  const path = join(folder, name);
  const content = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "prod",
    clusters: [{ name: "c", cluster: { server, "certificate-authority-data": base64(ca), ...cluster } }],
    contexts: [{ name: "prod", context: { cluster: "c", user: "jane", namespace: "team-a" } }],
    users: user === null ? [] : [{ name: "jane", user }],
  };
  writeFileSync(path, stringify(content));
  return path;
}

async function versionBy(path: string): Promise<string> {
  const target = await openLiveTarget({ path });
  try {
    return (await target.cluster.version()).gitVersion;
  } finally {
    await target.close();
  }
}

async function checkupBy(path: string): Promise<unknown> {
  const target = await openLiveTarget({ path });
  try {
    return await checkup(target.cluster, target.input);
  } finally {
    await target.close();
  }
}

describe("credentials reach the API server", () => {
  test("a token", async () => {
    let header: string | undefined;
    const server = await versionServer((request) => {
      header = request.headers.authorization;
    });
    expect(await versionBy(kubeconfig({ server, user: { token: "t0p" } }))).toBe("v1.36.3");
    expect(header).toBe("Bearer t0p");
  });

  test("a token file, relative to the kubeconfig, with its line end", async () => {
    let header: string | undefined;
    const server = await versionServer((request) => {
      header = request.headers.authorization;
    });
    writeFileSync(join(folder, "token"), "fr0m-file\n");
    await versionBy(kubeconfig({ server, user: { tokenFile: "token" } }));
    expect(header).toBe("Bearer fr0m-file");
  });

  test("a client certificate", async () => {
    let name: string | undefined;
    const server = await versionServer((request) => {
      name = String((request.socket as TLSSocket).getPeerCertificate().subject.CN);
    });
    await versionBy(kubeconfig({ server, user: { "client-certificate-data": base64(clientCertificate), "client-key-data": base64(clientKey) } }));
    expect(name).toBe("jane");
  });

  test("user and password", async () => {
    let header: string | undefined;
    const server = await versionServer((request) => {
      header = request.headers.authorization;
    });
    await versionBy(kubeconfig({ server, user: { username: "jane", password: "x" } }));
    expect(header).toBe(`Basic ${base64("jane:x")}`);
  });

  test("an exec plugin, run once for many requests at a time", async () => {
    const headers: (string | undefined)[] = [];
    const server = await versionServer((request) => headers.push(request.headers.authorization));
    const runs = join(folder, "runs");
    const credential = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: { token: "fr0m-exec" } };
    const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "sh", args: ["-c", `echo run >> ${runs}; echo '${JSON.stringify(credential)}'`] };
    const target = await openLiveTarget({ path: kubeconfig({ server, user: { exec } }) });
    await Promise.all(Array.from({ length: 10 }, () => target.cluster.version()));
    await target.close();
    expect(new Set(headers)).toEqual(new Set(["Bearer fr0m-exec"]));
    const { readFileSync } = await import("node:fs");
    expect(readFileSync(runs, "utf8")).toBe("run\n");
  });

  test("plain http and insecure-skip-tls-verify", async () => {
    const plain = await versionServer(() => {}, false);
    expect(await versionBy(kubeconfig({ server: plain }))).toBe("v1.36.3");
    const server = await versionServer(() => {});
    expect(await versionBy(kubeconfig({ server, cluster: { "certificate-authority-data": undefined, "insecure-skip-tls-verify": true } }))).toBe("v1.36.3");
  });
});

test("the context brings its name and namespace, for commands and the API probe", async () => {
  const opened = await openKubeconfig({ path: kubeconfig({}) });
  expect(opened).toMatchObject({ context: "prod", namespace: "team-a" });
});

describe("what can't be used is a sentence that says what to do", () => {
  test("no such file", async () => {
    await expect(openKubeconfig({ path: join(folder, "nowhere") })).rejects.toThrow(
      /The kubeconfig .*nowhere doesn't exist\. Pass another with --kubeconfig FILE\./,
    );
  });

  test("broken YAML names the line", async () => {
    const path = join(folder, "broken");
    writeFileSync(path, "apiVersion: v1\nclusters: [\nusers: x: y\n");
    await expect(openKubeconfig({ path })).rejects.toThrow(/isn't valid YAML, line [23]:/);
  });

  test("some other file", async () => {
    const path = join(folder, "other");
    writeFileSync(path, "just text\n");
    await expect(openKubeconfig({ path })).rejects.toThrow(/isn't a kubeconfig/);
  });

  test("no current-context", async () => {
    const path = join(folder, "no-current");
    writeFileSync(path, stringify({ apiVersion: "v1", clusters: [], contexts: [{ name: "a", context: { cluster: "c", user: "u" } }], users: [] }));
    await expect(openKubeconfig({ path })).rejects.toThrow(/has no current-context\. Choose one with --context: "a"/);
  });

  test("unknown context names the known ones", async () => {
    await expect(openKubeconfig({ path: kubeconfig({}), context: "prdo" })).rejects.toThrow(/There is no context "prdo" in .* It has "prod"\./);
  });

  test("missing user entry", async () => {
    await expect(openKubeconfig({ path: kubeconfig({ user: null }) })).rejects.toThrow(/names the user "jane", which .* doesn't define/);
  });

  test("unreachable server", async () => {
    await expect(checkupBy(kubeconfig({}))).rejects.toThrow(/The API server at https:\/\/127\.0\.0\.1:1 can't be reached: the connection was refused/);
  });

  test("wrong CA", async () => {
    const server = await versionServer(() => {});
    await expect(checkupBy(kubeconfig({ server, cluster: { "certificate-authority-data": base64(otherCa) } }))).rejects.toThrow(
      /its certificate isn't signed by the CA in the kubeconfig/,
    );
  });

  test("certificate for another name", async () => {
    const server = await versionServer(() => {});
    await expect(checkupBy(kubeconfig({ server, cluster: { "tls-server-name": "elsewhere.example" } }))).rejects.toThrow(/its certificate is for another name/);
  });

  test("a server that speaks no TLS", async () => {
    const server = (await versionServer(() => {}, false)).replace("http:", "https:");
    await expect(checkupBy(kubeconfig({ server }))).rejects.toThrow(/it doesn't speak TLS there/);
  });

  test("expired token", async () => {
    const server = await serve((_request, response) => {
      response.statusCode = 401;
      response.end(JSON.stringify({ kind: "Status", status: "Failure", reason: "Unauthorized", code: 401 }));
    });
    await expect(checkupBy(kubeconfig({ server, user: { token: "old" } }))).rejects.toThrow(
      /doesn't accept the credentials: the token or client certificate may have expired/,
    );
  });

  test("exec plugin that isn't installed, fails, or prints nonsense", async () => {
    const exec = (command: string, ...args: string[]) => ({ exec: { apiVersion: "client.authentication.k8s.io/v1", command, args } });
    await expect(checkupBy(kubeconfig({ user: exec("no-such-plugin") }))).rejects.toThrow(/plugin "no-such-plugin" .* isn't installed or not on PATH/);
    await expect(checkupBy(kubeconfig({ user: exec("sh", "-c", "echo 'session expired, run: login' >&2; exit 1") }))).rejects.toThrow(
      /plugin "sh" .*: session expired, run: login\. Run it by hand, or log in again\./,
    );
    await expect(checkupBy(kubeconfig({ user: exec("echo", "hello") }))).rejects.toThrow(/plugin "echo" .* failed/);
  });

  test("credential files that are gone", async () => {
    const server = await versionServer(() => {});
    await expect(checkupBy(kubeconfig({ server, user: { tokenFile: "gone" } }))).rejects.toThrow(/credentials of the kubeconfig user "jane" can't be read/);
    await expect(checkupBy(kubeconfig({ server, user: { "client-certificate": "gone.crt" } }))).rejects.toThrow(
      /credentials of the kubeconfig user "jane" can't be read/,
    );
  });
});
