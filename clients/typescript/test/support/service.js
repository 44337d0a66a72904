// A broker with a worker and the simulator, as processes of their own.

import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createHmac } from "node:crypto"

const repository = fileURLToPath(new URL("../../../..", import.meta.url))
const binary = process.env.BROKER_BINARY ?? join(repository, ".build/release/dossier")
export const jwtSecret = "a secret of at least thirty-two characters"
export const supabaseSecret = "another secret of at least thirty-two characters"

/**
 * Starts a service; `stop()` ends it.
 * @returns {Promise<{ url: string, simulator: string, environment: object, stop: () => Promise<void> }>}
 */
export async function startService(settings = {}) {
  if (!existsSync(binary)) throw new Error(`${binary} is missing: build it, or name it in BROKER_BINARY`)
  const folder = mkdtempSync(join(tmpdir(), "dossier-typescript-"))
  const simulator = await start(["simulate", "--listen", "127.0.0.1:0"], {}, /export YOUTUBE_BASE_URL/)
  const exports = [...simulator.output().matchAll(/^export ([A-Z_]+)='(.*)'$/gm)]
  const environment = Object.fromEntries(exports.map(match => [match[1], match[2]]))
  const broker = await start(
    ["serve", "--listen", "127.0.0.1:0", "--database", `sqlite:${join(folder, "dossier.db")}`, "--workers", "1"],
    { ...environment, FMP_API_KEY: "simulated", DOSSIER_RATE_LIMIT: "0", DOSSIER_STARTING_CREDITS: "100", ...settings },
    /worker started/).catch(async error => {
    await simulator.stop()
    throw error
  })
  return {
    url: address(broker.output()), simulator: address(simulator.output()), environment,
    async stop() {
      await broker.stop()
      await simulator.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const listening = /(?:listens on |"listening","url":")(http:\/\/127\.0\.0\.1:\d+)/
const address = output => listening.exec(output)[1]

// Starts a process and waits until its output matches.
function start(parameters, environment, ready) {
  const child = spawn(binary, parameters, {
    cwd: repository, env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"],
  })
  const ended = new Promise(resolve => child.once("exit", resolve))
  let output = ""
  return new Promise((resolve, reject) => {
    const read = chunk => {
      output += chunk
      if (ready.test(output) && listening.test(output)) {
        resolve({
          output: () => output,
          async stop() {
            child.kill("SIGTERM")
            await ended
          },
        })
      }
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.once("error", reject)
    ended.then(code => reject(new Error(`dossier ${parameters[0]} ended with ${code}: ${output.slice(-2000)}`)))
    process.once("exit", () => child.kill("SIGKILL"))
  })
}

/** A JSON Web Token with HS256. */
export function signed(claims, secret) {
  const part = value => Buffer.from(JSON.stringify(value)).toString("base64url")
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`
}

/** The claims of a token. */
export const claimsOf = token => JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString())
