import { expect, test } from "vitest";
import { stringify } from "yaml";
import { checks } from "../checks/index.gen.ts";
import { allRecordedWords, normal } from "../tools/recorded-words.ts";
import { errorsOf, explain } from "./explain.ts";

const call = (reason: string, path = "mutate") =>
  `Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/${path}?timeout=30s": ${reason}`;
const theirs =
  'Internal error occurred: failed calling webhook "validate.nginx.ingress.kubernetes.io": failed to call webhook: Post "https://ingress-nginx-controller-admission.ingress-nginx.svc:443/networking/v1/ingresses?timeout=10s": dial tcp 10.96.4.4:443: connect: connection refused';

const known = new Set(checks.map((check) => check.id));
const recorded = [...allRecordedWords()].flatMap(([, { said = [] }]) => said.flatMap(({ check, text }) => (check && known.has(check) ? [text] : [])));
/** Texts that differ by addresses and times only are read alike. */
const corpus = [
  ...new Map(
    [
      ...recorded,
      call(
        "tls: failed to verify certificate: x509: certificate is valid for ip-10-0-0-10.eu-west-1.compute.internal, not cert-manager-webhook.cert-manager.svc",
      ),
      call("dial tcp 10.96.108.33:443: i/o timeout"),
      call('service "cert-manager-webhook" not found', "validate"),
      'Failed to pull image "quay.io/jetstack/cert-manager-webhook:v1.21.1": rpc error: code = Unknown desc = failed to pull and unpack image "quay.io/jetstack/cert-manager-webhook:v1.21.1": failed to resolve reference "quay.io/jetstack/cert-manager-webhook:v1.21.1": failed to do request: Head "https://quay.io/v2/jetstack/cert-manager-webhook/manifests/v1.21.1": dial tcp: lookup quay.io on 10.0.0.2:53: no such host',
      "error: the cert-manager mutation webhook did not mutate the dry-run CertificateRequest object",
    ].map((text) => [normal(text), text] as const),
  ).values(),
];
const named = (text: string) => explain(text).matches.map((match) => match.check);

const wrapAt = (width: number) => (text: string) => text.replaceAll(new RegExp(`(.{${width}})(?=.)`, "g"), "$1\n");
const wordsAt = (width: number) => (text: string) => text.replaceAll(new RegExp(`(.{1,${width}})(?: |$)`, "gm"), "$1\n");
const eachLine = (write: (line: string) => string) => (text: string) => text.split("\n").map(write).join("\n");
const oneLine = (write: (line: string) => string) => (text: string) => write(text.replaceAll(/\s+/g, " "));
const condition = (text: string, options?: object) =>
  stringify(
    { status: { conditions: [{ lastTransitionTime: "2026-11-30T18:41:12Z", message: text, reason: "Failed", status: "False", type: "Ready" }] } },
    options,
  );

/** What tools, terminals and chats make of an error. */
const ways: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "a terminal of 80 columns": wrapAt(80),
  "a terminal of 100 columns": wrapAt(100),
  "a terminal of 143 columns": wrapAt(143),
  "a terminal of 80 columns, spaces at its edge lost": (text) => wrapAt(80)(text).replaceAll(/ +$/gm, ""),
  "words wrapped at 72 columns": wordsAt(72),
  "a quoted mail": (text) => eachLine((line) => `> ${line}`)(wordsAt(72)(text)),
  "a code fence in prose": (text) => `After the upgrade we see this:\n\n\`\`\`console\n$ kubectl apply -f issuer.yaml\n${text}\n\`\`\`\n\nAny ideas?\n`,
  "a box": (text) =>
    `╷\n${wrapAt(90)(text)
      .split("\n")
      .map((line) => `│ ${line.padEnd(90)} │`)
      .join("\n")}\n│\n│   with kubernetes_manifest.issuer,\n╵`,
  "colours and CRLF": (text) => `\u001b[31m${text.replaceAll("\n", "\r\n")}\u001b[0m\r\n`,
  "HTML entities": (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
  "typographic quotes": (text) => text.replaceAll(/"([^"]*)"/g, "“$1”"),
  "kubectl logs --prefix --timestamps": eachLine((line) => `[pod/cert-manager-webhook-5b6d-xk2vp/cert-manager-webhook] 2026-11-30T18:41:12.418220112Z ${line}`),
  "a JSON log": (text) => JSON.stringify({ level: "error", ts: 1764528072.1, logger: "controller", msg: "Reconciler error", error: text }),
  "a JSON log in a log collector": (text) =>
    JSON.stringify({ log: `${JSON.stringify({ level: "error", msg: "Reconciler error", error: text })}\n`, stream: "stderr", time: "2026-11-30T18:41:12Z" }),
  "a Status": (text) => JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", message: text, code: 500 }, null, 2),
  klog: oneLine((line) => `E1130 18:41:12.418220       1 controller.go:329] "Reconciler error" err=${JSON.stringify(line)} logger="cert-manager"`),
  "an older log": oneLine(
    (line) =>
      `E1130 18:41:12.418220       1 controller.go:167] cert-manager/certificates "msg"="re-queuing item" "error"=${JSON.stringify(line)} "key"="default/a"`,
  ),
  logfmt: oneLine((line) => `time="2026-11-30T18:41:12Z" level=error msg="reconcile failed" error=${JSON.stringify(line)}`),
  "an escaped log in a JSON log": oneLine((line) => JSON.stringify({ message: `level=error error=${JSON.stringify(line)}` })),
  "a condition, folded": (text) => condition(text),
  "a condition, double-quoted": (text) => condition(text, { defaultStringType: "QUOTE_DOUBLE" }),
  "a condition, single-quoted": (text) => condition(text, { singleQuote: true }),
  "a condition, as a block": (text) => condition(text, { blockQuote: "literal", lineWidth: 0 }),
  "kubectl describe's events": oneLine(
    (line) =>
      `Events:\n  Type     Reason  Age                From     Message\n  ----     ------  ----               ----     -------\n  Normal   Pulling  70s (x3 over 2m)  kubelet  Pulling image\n  Warning  Failed  12s (x3 over 60s)  kubelet  ${line}\n  Warning  Failed  12s (x3 over 60s)  kubelet  Error: ErrImagePull`,
  ),
  "kubectl get events": oneLine(
    (line) => `LAST SEEN   TYPE      REASON   OBJECT                 MESSAGE\n2m37s       Warning   Failed   pod/cert-manager-1     ${line}`,
  ),
  "Helm's list": oneLine((line) => `Error: INSTALLATION FAILED: 1 error occurred:\n\t* ${line}\n\n`),
};

test.each(Object.entries(ways))("%s", (_, way) => {
  for (const text of corpus) expect(named(way(text)), way(text)).toEqual(named(text));
});

test("what was read is read alike again", () => {
  for (const text of corpus) for (const error of errorsOf(text)) expect(errorsOf(error)).toEqual([error]);
});

test("several errors in one text are told apart, and repeated ones are counted", () => {
  const log = [
    `E1130 18:41:12.418220       1 controller.go:329] "Reconciler error" err=${JSON.stringify(call("dial tcp 10.96.108.33:443: i/o timeout"))}`,
    `E1130 18:41:13.000001       1 controller.go:329] "Reconciler error" err=${JSON.stringify(theirs)}`,
    'I1130 18:41:14.100000       1 leaderelection.go:257] "Attempting to acquire leader lease..." lock="kube-system/cert-manager-controller"',
    `E1130 18:42:12.418220       1 controller.go:329] "Reconciler error" err=${JSON.stringify(call("dial tcp 10.96.108.33:443: i/o timeout"))}`,
  ].join("\n");
  const { matches, notOurs, errors } = explain(log);
  expect(matches.map((match) => match.check)).toEqual(["webhook-io-timeout"]);
  expect(notOurs).toBeNull();
  expect(errors).toMatchObject([
    { text: `Reconciler error: ${call("dial tcp 10.96.108.33:443: i/o timeout")}`, times: 2, notOurs: null },
    { times: 1, matches: [], notOurs: { webhook: "validate.nginx.ingress.kubernetes.io", product: "ingress-nginx" } },
  ]);
});

test("the cause comes before what it causes, however they are pasted", () => {
  const pull = 'Warning  Failed  12s  kubelet  Failed to pull image "quay.io/jetstack/cert-manager-webhook:v9": rpc error: code = NotFound desc = not found';
  const refused = `Error from server (InternalError): ${call("dial tcp 10.96.108.33:443: connect: connection refused")}`;
  for (const text of [`${pull}\n${refused}`, `${refused}\n${pull}`]) expect(named(text)[0]).toBe("image-not-found");
});

test("calls that an aggregated error lists are told apart", () => {
  const all = `[${call('service "cert-manager-webhook" not found')}, ${call("x509: certificate signed by unknown authority")}]`;
  expect(explain(all).errors.map((error) => error.matches[0]?.check)).toEqual(["webhook-service-missing", "ca-bundle-empty"]);
});

test("a text in which nothing reads like an error is kept as it is", () => {
  expect(errorsOf("  all is well \n")).toEqual(["all is well"]);
  expect(errorsOf(" \n")).toEqual([]);
});

test("64 KiB of anything are read at once", () => {
  const started = performance.now();
  const line = `time="2026-11-30T18:41:12Z" level=error msg="x" error=${JSON.stringify(call("EOF"))}\n`;
  const pastes = [
    line.repeat(300),
    "a".repeat(65_536),
    '"'.repeat(65_536),
    `${"\\".repeat(40_000)}"`,
    "roles.rbac.authorization.k8s.io is forbidden ".repeat(1_400),
    " \n".repeat(32_000),
    "{".repeat(65_536),
    "- ".repeat(32_000),
  ];
  for (const paste of pastes) explain(paste);
  expect(performance.now() - started).toBeLessThan(8_000);
});
