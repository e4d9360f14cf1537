import { expect, test } from "vitest";
import { passagesIn } from "./errors-in.ts";

const likely = (text: string) => passagesIn(text).flatMap(({ readings: [first = []] }) => first);
const last = (text: string) => passagesIn(text).at(-1)?.readings.at(-1);

test("a command isn't an error, and tells which release the errors below it are about", () => {
  const error = "Error: INSTALLATION FAILED: cannot re-use a name that is still in use";
  const ours = `$ helm install cert-manager \\\n    oci://quay.io/jetstack/charts/cert-manager\n${error}`;
  expect(likely(ours)).toEqual([error]);
  expect(last(ours)).toEqual([`$ helm install cert-manager \\ oci://quay.io/jetstack/charts/cert-manager\n${error}`]);
  expect(last(`Release "cert-manager" does not exist. Installing it now.\n${error}`)).toEqual([
    `Release "cert-manager" does not exist. Installing it now.\n${error}`,
  ]);
  expect(last(`$ helm install grafana grafana/grafana\n${error}`)).toEqual([error]);
});

test("the shell's and the tools' other lines stay apart from an error", () => {
  const error = 'Error from server (InternalError): Internal error occurred: failed calling webhook "x": EOF';
  expect(likely(`user@host:~/deploy$ make issuers\n${error}\nmake: *** [Makefile:3: issuers] Error 1\n`)).toEqual([
    error,
    "make: *** [Makefile:3: issuers] Error 1",
  ]);
  expect(likely(`${error}\n  exit status 1`)).toEqual([error, "exit status 1"]);
});

test("a list of errors is one error for each, with the words before the list", () => {
  expect(likely("Error: UPGRADE FAILED: 2 errors occurred:\n\t* first: refused\n\t* second: EOF\n\n")).toEqual([
    "Error: UPGRADE FAILED: 2 errors occurred: * first: refused",
    "Error: UPGRADE FAILED: 2 errors occurred: * second: EOF",
  ]);
});

test("of a table of events the messages are kept, of either table", () => {
  const described =
    "  Type     Reason   Age                From     Message\n  ----     ------   ----               ----     -------\n  Warning  BackOff  12s (x3 over 60s)  kubelet  Back-off restarting failed container";
  expect(likely(described).at(-1)).toBe("Back-off restarting failed container");
  const listed = "cert-manager   2m37s   Warning   Failed   pod/cert-manager-1   Error: ImagePullBackOff";
  expect(likely(listed)).toEqual(["Error: ImagePullBackOff"]);
});

test("of a condition the message is kept, as describe prints it and as YAML has it", () => {
  expect(
    likely("    Last Transition Time:  2026-11-30T18:41:12Z\n    Message:               a failed:\n                           b\n    Reason:  Failed"),
  ).toEqual(["a failed: b"]);
  expect(likely("  - message: 'it''s failed'\n    reason: Failed\n    status: \"False\"")).toEqual(["it's failed"]);
});

test("of a structured log line what happened and why is kept, of others all", () => {
  expect(likely('E1130 18:41:12.418220       1 controller.go:329] "Reconciler error" err="a \\"b\\" failed" logger="x"')).toEqual([
    'Reconciler error: a "b" failed',
  ]);
  const told = '"Secret resource does not allow direct injection - refusing to inject CA" logger="x" secret="cert-manager/cert-manager-webhook-ca"';
  expect(likely(`I1201 00:43:21.440648     472 sources.go:207] ${told}`)).toEqual([told]);
});

test("what isn't JSON after all is read as text, and objects are searched for their messages", () => {
  expect(likely('{"msg": "cut off')).toEqual(['{"msg": "cut off']);
  expect(likely('{"items":[{"status":{"conditions":[{"message":"first failed"},{"message":"second failed"}]}}]}')).toEqual(["first failed", "second failed"]);
});
