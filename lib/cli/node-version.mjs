// The only code that must run on any Node.js: what comes after needs one that reads TypeScript and has undici 8's zstd.

/** Whether this Node.js can run the product. */
export function isNewEnough() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

export const tooOld = `Certmedic needs Node.js 22.19 or newer; this is ${process.versions.node}. Install a newer one, or run \`npm ci\` on Linux x64, which brings it.`;
