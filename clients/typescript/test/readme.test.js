// The quick start of the README works as it is printed.

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { startService } from "./support/service.js"

const folder = fileURLToPath(new URL("..", import.meta.url))

test("the quick start prints a report and a stock", async () => {
  const [code] = /(?<=```js\n)[^]*?(?=```)/.exec(readFileSync(join(folder, "README.md"), "utf8"))
  const copy = mkdtempSync(join(tmpdir(), "dossier-readme-"))
  const service = await startService()
  try {
    for (const name of ["dossier.js", "node.js", "package.json", "source"]) {
      cpSync(join(folder, name), join(copy, name), { recursive: true })
    }
    writeFileSync(join(copy, "start.js"), code)
    const env = { ...process.env, DOSSIER_URL: service.url }
    const child = spawn(process.execPath, ["start.js"], { cwd: copy, env })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", chunk => (output += chunk))
    const status = await new Promise(resolve => child.once("close", resolve))
    assert.equal(status, 0, output)
    assert.match(output, /^0 % .*\n[^]*simulated[^]*\nApple Inc\. fresh network\n$/)
  } finally {
    await service.stop()
    rmSync(copy, { recursive: true })
  }
})
