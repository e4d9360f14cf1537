import { isNewEnough, tooOld } from "./node-version.mjs";

if (!isNewEnough()) {
  console.error(tooOld);
  process.exit(1);
}
