import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { bytes, files, text } from "./modules.mjs";

const served = files().filter((path) => !path.endsWith(".d.ts"));
const scripts = served.filter((path) => path.endsWith(".js"));
const size = (paths) => paths.reduce((sum, path) => sum + gzipSync(bytes(path)).length, 0);

test("no source makes markup or code from text", () => {
  assert.ok(scripts.length > 5);
  const refused = ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "srcdoc",
    "setAttribute(\"on", "eval(", "Function(", "javascript:"];
  for (const path of served) {
    for (const word of refused) assert.ok(!text(path).includes(word), `${path} uses ${word}`);
  }
});

test("a module has at most 300 lines", () => {
  for (const path of scripts) assert.ok(text(path).split("\n").length <= 300, path);
});

test("each import leads to a file of the console", () => {
  for (const path of scripts) {
    for (const [, target] of text(path).matchAll(/from "([^"]+)"/g)) {
      assert.ok(target.startsWith("."), `${path} imports ${target}`);
      assert.ok(served.includes(posix.join(posix.dirname(path), target)), `${path} imports ${target}`);
    }
  }
});

test("the page has no script, style or address of its own", () => {
  const page = text("index.html");
  assert.ok(page.includes("<!-- {{MODULES}} -->"));
  assert.ok(!/<style|style=|<script>|https?:/.test(page));
  for (const [, path] of page.matchAll(/\/console\/assets\/\{\{HASH\}\}\/([^"]+)/g)) assert.ok(served.includes(path), path);
});

test("all files stay within their gzipped budgets", () => {
  assert.ok(size(served) <= 60 * 1024);
  const screens = scripts.filter((path) => path.startsWith("screens/"));
  assert.ok(size(served.filter((path) => !screens.includes(path))) <= 26 * 1024);
  for (const path of screens) assert.ok(size([path]) <= (path === "screens/job.js" ? 6 : 3) * 1024, path);
});
