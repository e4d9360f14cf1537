import { randomBytes } from "node:crypto";
import { readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { describe, expect, test } from "vitest";
import { InputError } from "../cluster/errors.ts";
import { defaultLimits } from "./bundle-limits.ts";
import { openSnapshot } from "./open.ts";
import { archiveOf, entriesOf, folderOf, freshPath, refusalOf, written } from "./test-bundle.ts";

const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n";

describe("paths", () => {
  test.each(["../evil.yaml", "a/../../evil.yaml", "/etc/evil.yaml", "C:\\evil.yaml", "..\\evil.yaml"])(
    "%s is refused, and nothing is written",
    async (name) => {
      const archive = await archiveOf(entriesOf({ "a.yaml": pod, [name]: pod }));
      const error = await refusalOf(archive);
      expect(error).toBeInstanceOf(InputError);
      expect(error.message).toContain("holds a path that leads out of it");
      expect(await readdir(dirname(archive))).toEqual(["snap.tar.gz"]);
      expect(await readdir(dirname(dirname(archive)))).not.toContain("evil.yaml");
    },
  );

  test("links in an archive are passed over", async () => {
    const links = (["symlink", "link"] as const).map((type) => ({ header: { name: `${type}.yaml`, size: 0, type, linkname: "/etc/passwd" } }));
    const { objects } = await openSnapshot(await archiveOf([...links, ...entriesOf({ "a.yaml": pod })]));
    expect(objects).toHaveLength(1);
  });

  test("links in a folder are passed over", async () => {
    const secret = await written(freshPath("secret.yaml"), pod.replace("name: a", "name: secret"));
    const folder = await folderOf({ "a.yaml": pod });
    await symlink(secret, join(folder, "b.yaml"));
    await symlink(dirname(secret), join(folder, "c"));
    expect((await openSnapshot(folder)).objects.map((object) => object.metadata.name)).toEqual(["a"]);
  });
});

describe("limits", () => {
  test("are these", () => {
    expect(defaultLimits).toEqual({
      totalBytes: 512 * 2 ** 20,
      entries: 100_000,
      fileBytes: 64 * 2 ** 20,
      yamlBytes: 64 * 2 ** 20,
      aliases: 100,
      depth: 100,
    });
  });

  const files = { "a.yaml": pod, "b.yaml": `# ${randomBytes(2000).toString("hex")}\n`, "c.bin": "x".repeat(2000) };
  test.each([
    ["totalBytes", 3000, /larger than 3000 bytes when unpacked/],
    ["entries", 2, /holds more than 2 files/],
    ["fileBytes", 1000, /b\.yaml in .* is larger than 1000 bytes/],
    ["yamlBytes", 1000, /b\.yaml and the YAML before it are too large/],
  ] as const)("%s", async (key, value, message) => {
    const limits = { ...defaultLimits, [key]: value };
    for (const path of [await archiveOf(entriesOf(files)), await folderOf(files)]) {
      const error = await refusalOf(path, limits);
      expect(error).toBeInstanceOf(InputError);
      expect(error.message).toMatch(message);
    }
  });

  test("a small archive that unpacks to a huge one is left early", async () => {
    const bomb = await archiveOf([{ header: { name: "a.txt", size: 80 * 2 ** 20, type: "file" }, body: Buffer.alloc(80 * 2 ** 20) }]);
    expect((await readFile(bomb)).length).toBeLessThan(200_000);
    const error = await refusalOf(bomb);
    expect(error.message).toMatch(/a\.txt in .* is larger than 64 MB/);
    const small = await refusalOf(bomb, { ...defaultLimits, fileBytes: 2 ** 30, totalBytes: 2 ** 20 });
    expect(small.message).toMatch(/larger than 1 MB when unpacked/);
  });

  test("a truncated archive", async () => {
    const tar = await packTar(entriesOf({ "a.yaml": pod, "b.yaml": randomBytes(20_000).toString("hex") }));
    for (const [name, bytes] of [
      ["a.tar", tar.subarray(0, 10_000)],
      ["a.tgz", gzipSync(tar).subarray(0, 10_000)],
    ] as const) {
      const error = await refusalOf(await written(freshPath(name), bytes));
      expect(error.message).toMatch(/is damaged or isn't a tar archive/);
    }
  });
});

describe("YAML and JSON", () => {
  const laughs = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [at, letter] of [..."bcdefghi"].entries()) laughs.push(`${letter}: &${letter} [${Array(9).fill(`*${"abcdefgh"[at]}`).join(", ")}]`);

  test.each([
    ["aliases.yaml", laughs.join("\n"), /^aliases\.yaml repeats itself by too many YAML aliases/],
    ["self.yaml", "a: &a\n  b: *a\n", /^self\.yaml (nests deeper|repeats itself)/],
    ["deep.json", `${'{"a":'.repeat(200)}1${"}".repeat(200)}`, /^deep\.json nests deeper than any Kubernetes object/],
    ["deep.yaml", `a: ${"[".repeat(200)}${"]".repeat(200)}\n`, /^deep\.yaml nests deeper/],
    ["deeper.yaml", `a: ${"[".repeat(100_000)}`, /^deeper\.yaml nests deeper/],
    ["deeper.json", "[".repeat(1_000_000) + "]".repeat(1_000_000), /^deeper\.json nests deeper/],
    ["indented.yaml", Array.from({ length: 3000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"), /^indented\.yaml nests deeper/],
  ])("%s", async (name, text, message) => {
    const error = await refusalOf(await folderOf({ "a.yaml": pod, [name]: text }));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(message);
  });

  test("a few aliases are ordinary", async () => {
    const { objects } = await openSnapshot(
      await folderOf({ "a.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: &l {x: y}, annotations: *l}\n" }),
    );
    expect(objects[0]?.metadata.annotations).toEqual({ x: "y" });
  });

  test("many keys take no quadratic time, tags and versions make nothing but plain values", async () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join("\n");
    const tagged = `%YAML 1.1\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: b, creationTimestamp: 2026-01-01T00:00:00Z}\nx: !!binary aGk=\n`;
    const { objects } = await openSnapshot(await folderOf({ "many.yaml": keys, "b.yaml": tagged }));
    expect(objects).toEqual([{ apiVersion: "v1", kind: "Pod", metadata: { name: "b", creationTimestamp: "2026-01-01T00:00:00Z" }, x: "aGk=" }]);
  });

  test("objects that aren't any are passed over", async () => {
    const odd = [null, 1, "x", [], { kind: "Pod" }, { apiVersion: "v1", kind: "Pod" }, { apiVersion: "v1", kind: "Pod", metadata: { name: 7 } }];
    const text = JSON.stringify([...odd, { apiVersion: "v1", kind: "Pod", metadata: { name: "ok", labels: "none", annotations: [] } }]);
    expect((await openSnapshot(await folderOf({ "a.json": text }))).objects.map((object) => object.metadata.name)).toEqual(["ok"]);
  });
});
