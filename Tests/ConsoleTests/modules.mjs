// Reads the files of the console for its tests.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../Console/", import.meta.url));

/** The paths of all files below `Console`. */
export function files(folder = "") {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(`${folder}${entry.name}/`) : [folder + entry.name]);
}

export function bytes(path) {
  return readFileSync(root + path);
}

export function text(path) {
  return readFileSync(root + path, "utf8");
}

/** Imports a module that imports nothing itself; Node takes it for a module without a manifest beside it. */
export async function load(path) {
  return import(`data:text/javascript;base64,${bytes(path).toString("base64")}`);
}
