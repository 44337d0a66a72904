// One tap is one key, one job and one credit, whatever happens on the way.

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, beforeEach, test } from "node:test"
import { fileURLToPath } from "node:url"
import {
  developmentAuthentication, Dossier, DossierError, listing, memoryStorage, resource, RetryBudget, RetryPolicy,
  submission,
} from "../dossier.js"
import { refusal, startProxy } from "./support/proxy.js"
import { collected, instantPause, rejection } from "./support/scripted.js"
import { startService } from "./support/service.js"

let service
let proxy
let account
let count = 0

before(async () => {
  service = await startService()
  proxy = await startProxy(service.url)
})
after(async () => {
  await proxy?.stop()
  await service?.stop()
})
beforeEach(() => {
  proxy.requests.length = 0
  proxy.rule = () => undefined
  account = `user-${++count}`
})

const client = (options = {}) => new Dossier({
  server: proxy.url, authentication: developmentAuthentication(account), pause: instantPause().pause,
  retryPolicy: RetryPolicy.aggressive, retryBudget: RetryBudget.unlimited, ...options,
})
const tap = options => submission.research({ ticker: "AAPL", persona: "graham" }, options)
const isSubmit = request => request.method === "POST" && request.path === "/api/v1/jobs"

// What the server has: jobs, and credits that are used or held.
async function cost() {
  const direct = client({ server: service.url })
  const jobs = await collected(direct.items(listing.jobs()))
  const { used, held } = (await direct.read(resource.credits())).value
  return { jobs: jobs.length, credits: used + held }
}

const once = { jobs: 1, credits: 1 }

for (const action of [
  "dropBefore", "dropAfter", "reset", "truncate", "duplicate", "portal", "garbage",
  { status: 502, headers: { "X-API-Version": "" }, body: "<html>Bad gateway</html>" },
  refusal(503, "SYS_5002"), refusal(429, "VAL_3006", {}, { "Retry-After": "1" }),
]) {
  const name = typeof action === "string" ? action : `a ${action.status}`
  test(`a tap through ${name} is one job and one credit`, async () => {
    let hits = 0
    proxy.rule = request => isSubmit(request) && ++hits <= 2 ? action : undefined
    const dossier = client()
    const events = await collected(dossier.jobs.run(tap()))
    assert.equal(events[0].type, "accepted")
    assert.equal(events.at(-1).type, "completed")
    assert.equal(events.at(-1).output.report.company.ticker, "AAPL")
    assert.equal(events.filter(event => event.type === "accepted").length, 1)
    assert.ok(hits >= 2 || action === "duplicate")
    const sent = proxy.requests.filter(isSubmit)
    assert.equal(new Set(sent.map(request => request.headers["idempotency-key"])).size, 1)
    assert.equal(new Set(sent.map(request => String(request.body))).size, 1)
    assert.equal(new Set(sent.map(request => request.headers["x-request-id"])).size, sent.length)
    assert.deepEqual(await cost(), once)
    assert.deepEqual(await dossier.submissions.unfinished(), [])
  })
}

test("every other answer of the network is lost, and the result still arrives", async () => {
  let turn = 0
  const actions = ["dropAfter", undefined, "truncate", undefined, "portal", undefined, "reset", undefined]
  proxy.rule = () => actions[turn++ % actions.length]
  const events = await collected(client().jobs.run(tap()))
  assert.equal(events.at(-1).type, "completed")
  const revisions = events.map(event => event.job.revision)
  assert.deepEqual(revisions, [...new Set(revisions)].sort((one, other) => one - other))
  proxy.rule = () => undefined
  assert.deepEqual(await cost(), once)
})

for (const step of [
  "after the tap is stored", "while the request is sent", "after the server has answered",
  "before the id of the job is stored", "after the id of the job is stored", "at accepted", "while the result is read",
  "at completed", "before the tap is forgotten",
]) {
  test(`an app that is killed ${step} has one job and one credit after its relaunch`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "dossier-kill-"))
    try {
      const environment = { SERVER: service.url, ACCOUNT: account, FOLDER: folder, KEY: `key-${account}` }
      const first = await run({ ...environment, KILL_AT: step })
      assert.equal(first.signal, "SIGKILL", first.output)
      const second = await run(environment)
      assert.equal(second.code, 0, second.output)
      assert.match(second.output, /^accepted\n(progress\n)*completed\nforgotten 0\n$/)
      assert.deepEqual(await cost(), once)
      for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

function run(environment) {
  const script = fileURLToPath(new URL("support/tapper.js", import.meta.url))
  const child = spawn(process.execPath, [script], { env: { ...process.env, ...environment } })
  let output = ""
  child.stdout.on("data", chunk => (output += chunk))
  child.stderr.on("data", chunk => (output += chunk))
  return new Promise(resolve => child.once("close", (code, signal) => resolve({ code, signal, output })))
}

test("nothing is sent when the submission cannot be stored", async () => {
  const storage = { ...memoryStorage(), set: async () => { throw new Error("the disk is full") } }
  const error = await rejection(client({ storage }).jobs.output(tap()))
  assert.equal(error.code, "CLIENT_STORAGE_FAILED")
  assert.deepEqual(proxy.requests, [])
})

test("the stored bytes are sent, also by an app that would encode the input otherwise", async () => {
  const storage = memoryStorage()
  proxy.rule = () => "dropAfter"
  await rejection(client({ storage, retryPolicy: RetryPolicy.never }).jobs.output(tap({ idempotencyKey: "one" })))
  proxy.rule = () => undefined
  const otherwise = submission.research({ persona: "graham", ticker: "AAPL" }, { idempotencyKey: "one" })
  await client({ storage }).jobs.output(otherwise)
  const bodies = proxy.requests.filter(isSubmit).map(request => String(request.body))
  assert.equal(bodies.length, 2)
  assert.equal(bodies[0], bodies[1])
  assert.deepEqual(await cost(), once)
})

test("a submission that was never acknowledged is not sent after 24 hours", async () => {
  const storage = memoryStorage()
  const now = Date.now()
  proxy.rule = () => "dropBefore"
  await rejection(client({ storage, retryPolicy: RetryPolicy.never }).jobs.output(tap()))
  proxy.rule = () => undefined
  proxy.requests.length = 0
  const later = client({ storage, now: () => now + 24 * 3_600_000 + 60_000 })
  const [saved] = await later.submissions.unfinished()
  assert.equal((await rejection(later.jobs.output(submission.resume(saved)))).code, "CLIENT_SUBMISSION_EXPIRED")
  assert.deepEqual(proxy.requests, [])
  assert.deepEqual(await later.submissions.unfinished(), [])
})

test("a submission with a known job is resumed at any age", async () => {
  const storage = memoryStorage()
  const job = await client({ storage }).jobs.submit(tap())
  const later = client({ storage, now: () => Date.now() + 30 * 24 * 3_600_000 })
  const [saved] = await later.submissions.unfinished()
  assert.equal(saved.jobId, job.id)
  const events = await collected(later.jobs.run(submission.resume(saved)))
  assert.equal(events[0].type, "accepted")
  assert.equal(events.at(-1).type, "completed")
  assert.deepEqual(await cost(), once)
})

test("a result that was shown and not acknowledged is shown again, at no cost", async () => {
  const storage = memoryStorage()
  for await (const event of client({ storage }).jobs.run(tap())) if (event.type === "completed") break
  const relaunched = client({ storage })
  const [saved] = await relaunched.submissions.unfinished()
  const events = await collected(relaunched.jobs.run(submission.resume(saved)))
  assert.deepEqual(events.map(event => event.type), ["accepted", "completed"])
  assert.deepEqual(await relaunched.submissions.unfinished(), [])
  assert.deepEqual(await cost(), once)
})

test("two users of one storage see and send only their own submissions", async () => {
  const storage = memoryStorage()
  const mine = client({ storage })
  await mine.jobs.submit(tap())
  const other = client({ storage, authentication: developmentAuthentication(`${account}-other`) })
  assert.deepEqual(await other.submissions.unfinished(), [])
  const [saved] = await mine.submissions.unfinished()
  assert.equal(saved.account, account)
  assert.equal((await rejection(other.jobs.output(submission.resume(saved)))).code, "AUTH_1003")
  await other.forgetLocalData()
  assert.equal((await mine.submissions.unfinished()).length, 1)
  await mine.submissions.discard(saved.id)
  assert.deepEqual(await mine.submissions.unfinished(), [])
})

test("a final refusal is thrown once and forgotten", async () => {
  const dossier = client()
  const refused = await rejection(dossier.jobs.output(submission.research({ ticker: "AAPL", persona: "nobody" })))
  assert.equal(refused.code, "VAL_3003")
  assert.deepEqual(refused.fields[0].path, ["input", "persona"])
  const failed = await rejection(dossier.jobs.output(submission.research({ ticker: "ZZZZZ", persona: "graham" })))
  assert.ok(failed instanceof DossierError)
  assert.equal(failed.code, "BIZ_2004")
  assert.equal(failed.isRetryable, false)
  assert.deepEqual(await dossier.submissions.unfinished(), [])
})

test("aborting rejects at once with the signal's reason and leaves the job running", async () => {
  proxy.rule = request => request.path.includes("events") ? "silence" : undefined
  const dossier = client()
  const controller = new AbortController()
  const reason = new Error("enough")
  let isSettled = false
  let wasSettledAtOnce
  const events = []
  const error = await rejection((async () => {
    for await (const event of dossier.jobs.run(tap(), { signal: controller.signal })) {
      events.push(event.type)
      setImmediate(() => {
        controller.abort(reason)
        setImmediate(() => (wasSettledAtOnce = isSettled))
      })
    }
  })().finally(() => (isSettled = true)))
  assert.equal(error, reason)
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  assert.equal(wasSettledAtOnce, true)
  assert.deepEqual(events, ["accepted"])
  proxy.rule = () => undefined
  const [saved] = await dossier.submissions.unfinished()
  const output = await dossier.jobs.output(submission.resume(saved))
  assert.equal(output.report.company.ticker, "AAPL")
  assert.deepEqual(await cost(), once)
})

test("a call with an aborted signal sends and stores nothing", async () => {
  const dossier = client()
  const reason = new Error("before")
  const signal = AbortSignal.abort(reason)
  const calls = [
    dossier.jobs.output(tap(), { signal }), dossier.jobs.submit(tap(), { signal }), dossier.jobs.job("x", { signal }),
    dossier.read(resource.credits(), { signal }), dossier.ask("?", { signal }),
    collected(dossier.items(listing.jobs(), { signal })), collected(dossier.jobs.updates("x", { signal })),
  ]
  for (const call of calls) assert.equal(await rejection(call), reason)
  assert.deepEqual(proxy.requests, [])
  assert.deepEqual(await dossier.submissions.unfinished(), [])
})

test("cancelJob asks the server to cancel the job without making the caller wait", async () => {
  let cancelled
  const asked = new Promise(resolve => (cancelled = resolve))
  proxy.rule = request => {
    if (request.path.endsWith("/cancel")) cancelled(request)
    return request.path.includes("events") ? "silence" : undefined
  }
  const controller = new AbortController()
  const dossier = client()
  const late = submission.research({ ticker: "AAPL", persona: "graham" }, { notBefore: Date.now() + 3_600_000 })
  const options = { signal: controller.signal, onCancellation: "cancelJob" }
  let id
  await rejection((async () => {
    for await (const event of dossier.jobs.run(late, options)) {
      id = event.job.id
      controller.abort()
    }
  })())
  await asked
  proxy.rule = () => undefined
  const [last] = (await collected(dossier.jobs.updates(id))).slice(-1)
  assert.equal(last.status, "cancelled")
  assert.deepEqual(await cost(), { jobs: 1, credits: 0 })
  const [saved] = await dossier.submissions.unfinished()
  assert.equal((await rejection(dossier.jobs.output(submission.resume(saved)))).code, "CLIENT_JOB_CANCELLED")
  assert.deepEqual(await dossier.submissions.unfinished(), [])
})

test("a retry whose answer is lost is not sent twice", async () => {
  const dossier = client()
  const late = submission.research({ ticker: "AAPL", persona: "graham" }, { notBefore: Date.now() + 3_600_000 })
  const job = await dossier.jobs.submit(late)
  assert.equal((await dossier.jobs.cancel(job.id)).status, "cancelled")
  const isRetry = request => request.path.endsWith("/retry")
  proxy.rule = request => isRetry(request) ? "dropAfter" : undefined
  const again = await dossier.jobs.retry(job.id)
  assert.notEqual(again.status, "cancelled")
  assert.equal(proxy.requests.filter(isRetry).length, 1)
})
