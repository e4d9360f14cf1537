import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleCommandLine } from "./build.ts";

let folder: string;
const bundle = `dist/test-${process.pid}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "certmedic-cli-"));
  // Inside the checkout, where package.json says that these files are modules.
  await bundleCommandLine(bundle);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(bundle, { recursive: true });
});

function certmedic(...args: readonly string[]): { code: number | null; out: string; err: string } {
  const done = spawnSync(process.execPath, [join(bundle, "cli.js"), ...args], {
    encoding: "utf8",
    env: { ...process.env, KUBECONFIG: join(folder, "none"), NO_COLOR: "1" },
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

describe("exit codes (contract.md)", () => {
  test.each([
    ["healthy", 0],
    ["ca-not-injected", 3],
    ["just-installed", 5],
  ] as const)("check of the demo cluster %s ends with %i", (demo, code) => {
    expect(certmedic("check", "--demo", demo).code).toBe(code);
  });

  test.each([
    [[], /a command is missing/],
    [["diagnose"], /there is no command "diagnose"/],
    [["check", "--contxt", "x"], /Unknown option '--contxt'/],
    [["check", "-o", "yaml"], /-o takes text or json, not "yaml"/],
    [["check", "--lang", "tlh"], /--lang takes en/],
    [["check", "--wait", "soon"], /--wait takes a duration/],
    [["check", "--demo", "healthy", "--bundle", "x"], /exclude each other/],
    [["check", "--reported-error", "@/nowhere"], /can't be read/],
    [["check", "--demo", "nowhere"], /there is no demo cluster "nowhere": use healthy/],
    [["explain"], /explain takes one argument/],
  ] as const)("%j is wrong usage: 64", (args, message) => {
    const { code, out, err } = certmedic(...args);
    expect({ code, out }).toEqual({ code: 64, out: "" });
    expect(err).toMatch(message);
  });

  test("what can't be opened ends with 5 and a sentence", () => {
    const text = join(folder, "text.txt");
    writeFileSync(text, "hello");
    for (const args of [[], ["--bundle", join(folder, "nowhere")], ["--bundle", text], ["--kubeconfig", join(folder, "nowhere")]]) {
      const { code, out, err } = certmedic("check", ...args);
      expect({ args, code, out }).toEqual({ args, code: 5, out: "" });
      expect(err).toMatch(/^certmedic: [A-Z"/].{20,}\n$/);
    }
  });

  test("a kubeconfig that can't be used ends with 5 and the sentence that the page shows", () => {
    const path = join(folder, "kubeconfig");
    const entries = {
      clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:1" } }],
      contexts: [{ name: "prod", context: { cluster: "c", user: "jane" } }],
    };
    const check = (users: object[], ...args: string[]) => {
      writeFileSync(path, JSON.stringify({ apiVersion: "v1", kind: "Config", "current-context": "prod", ...entries, users }));
      return certmedic("check", "--kubeconfig", path, ...args);
    };
    const outcomes = [
      check([]),
      check([{ name: "jane", user: {} }], "--context", "prdo"),
      check([{ name: "jane", user: {} }]),
      check([{ name: "jane", user: { exec: { command: "no-such-plugin" } } }]),
    ];
    expect(outcomes.map(({ code, out }) => ({ code, out }))).toEqual(outcomes.map(() => ({ code: 5, out: "" })));
    const [user, context, server, plugin] = outcomes.map(({ err }) => err);
    expect(user).toMatch(/names the user "jane", which .* doesn't define/);
    expect(context).toMatch(/There is no context "prdo"/);
    expect(server).toMatch(/can't be reached: the connection was refused/);
    expect(plugin).toMatch(/isn't installed or not on PATH/);
  });

  test("--wait that runs out ends with 124", () => {
    expect(certmedic("check", "--demo", "ca-not-injected", "--wait", "1s").code).toBe(124);
  });
});

test("JSON goes to stdout alone, and says what the text says", () => {
  const { out, err } = certmedic("check", "--demo", "ca-not-injected", "-o", "json", "--reported-error", "x509: certificate signed by unknown authority");
  expect(err).toBe("");
  const report = JSON.parse(out) as { verdict: string; reportedErrors: { text: string }[] };
  expect(report.verdict).toBe("broken");
  expect(report.reportedErrors.map((error) => error.text)).toContain("x509: certificate signed by unknown authority");
});

test("errors that were seen, in words or in a file that holds a screenful, are accounted for or not", () => {
  const path = join(folder, "seen.txt");
  const unknownAuthority =
    'failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s": x509: certificate signed by unknown authority';
  writeFileSync(
    path,
    `$ kubectl apply -f issuer.yaml\nError from server (InternalError): ${unknownAuthority}\n\nfailed calling webhook "validate.kyverno.svc-fail": EOF\n`,
  );
  const pull = 'Failed to pull image "quay.io/jetstack/cert-manager-webhook:v9": rpc error: code = NotFound desc = x';
  const args = ["check", "--demo", "ca-not-injected", "--reported-error", `@${path}`, "--reported-error", pull];
  const report = JSON.parse(certmedic(...args, "-o", "json").out) as { reportedErrors: { text: string }[] };
  expect(report.reportedErrors.slice(-3)).toEqual([
    {
      text: `Error from server (InternalError): ${unknownAuthority}`,
      checks: ["ca-bundle-empty"],
      explained: true,
      by: "cainjector-leader-election-forbidden",
      notOurs: null,
    },
    { text: 'failed calling webhook "validate.kyverno.svc-fail": EOF', checks: [], explained: false, by: null, notOurs: "Kyverno" },
    { text: pull, checks: ["image-not-found"], explained: false, by: null, notOurs: null },
  ]);
  const { out } = certmedic(...args);
  expect(out).toMatch(/Accounted for by: .* \(cainjector-leader-election-forbidden\)/);
  expect(out).toContain("Not cert-manager's: it comes from Kyverno.");
  expect(out.replaceAll(/\s+/g, " ")).toMatch(/Not explained by what this cluster shows\. Most likely: .* \(image-not-found\)/);
});

test("text names cause, evidence and fix, without colours off a terminal", () => {
  const { out } = certmedic("check", "--demo", "ca-not-injected");
  expect(out).toMatch(/^BROKEN {2}No Certificate/);
  expect(out).toContain("leases.coordination.k8s.io");
  expect(out).toContain("--set global.leaderElection.namespace=cert-manager");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
  expect(out).not.toMatch(/\u001b/);
});

describe("explain", () => {
  test("an error text, a foreign webhook, nothing, and a check", () => {
    const ours =
      'Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/mutate?timeout=30s": dial tcp 10.96.108.33:443: i/o timeout';
    expect(JSON.parse(certmedic("explain", ours, "-o", "json").out)).toMatchObject({
      schemaVersion: 1,
      matches: [{ check: "webhook-io-timeout", details: { service: "cert-manager-webhook", namespace: "cert-manager" } }],
      notOurs: null,
    });
    const theirs = 'Internal error occurred: failed calling webhook "validate.nginx.ingress.kubernetes.io": connection refused';
    expect(JSON.parse(certmedic("explain", theirs, "-o", "json").out)).toEqual({
      schemaVersion: 1,
      matches: [],
      notOurs: "validate.nginx.ingress.kubernetes.io",
      errors: [{ text: theirs, times: 1, matches: [], notOurs: { webhook: "validate.nginx.ingress.kubernetes.io", product: "ingress-nginx" } }],
    });
    const both = certmedic("explain", `${theirs}\n${ours}`).out;
    expect(both).toMatch(/\(webhook-io-timeout\)\n.*\n {2}Named by: dial tcp 10\.96\.108\.33:443: i\/o timeout\n {2}Read from it: .*time limit 30 s/);
    expect(both).toMatch(/"validate\.nginx\.ingress\.kubernetes\.io" of ingress-nginx/);
    expect(certmedic("explain", "all is well").out).toMatch(/No known failure mode/);
    expect(certmedic("explain", "webhook-io-timeout").out).toMatch(/^.+ webhook-io-timeout, blocker/);
  });
});
