// Errors, their words, retries and time-outs.

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import {
  ConnectivityMonitor, Dossier, DossierError, presentError, RequestDeduplicator, resource, RetryBudget, RetryPolicy,
  withRetry,
} from "../dossier.js"
import { startProxy } from "./support/proxy.js"
import { data, failure, instantPause, networkFailure, plain, rejection, scriptedFetch } from "./support/scripted.js"

function world(answer, options = {}) {
  const script = scriptedFetch(answer)
  const { pause, pauses } = instantPause()
  const dossier = new Dossier({ server: "http://dossier.test", fetch: script.fetch, pause, ...options })
  return { dossier, pauses, requests: script.requests }
}
const failing = async (answer, call = dossier => dossier.send("GET", "/x")) =>
  rejection(call(world(answer, { retryPolicy: RetryPolicy.never }).dossier))

// MARK: The server's errors

test("the three forms of errors become one", async () => {
  const envelope = await failing(() => failure(403, "BIZ_2001", {
    action: "upgrade", details: { current_credits: 0, required: 1, job_id: "j" }, retry_after: 7,
  }, { "X-Request-ID": "header-id" }))
  assert.deepEqual(
    [envelope.code, envelope.status, envelope.message, envelope.userMessage, envelope.action, envelope.retryAfter,
      envelope.requestId, envelope.jobId, envelope.details.required],
    ["BIZ_2001", 403, "m", "u", "upgrade", 7, "header-id", "j", 1])
  const field = await failing(() => failure(422, "VAL_3003", { details: { field: "cards[3].schedule.due" } }))
  assert.deepEqual(field.fields, [{ path: ["cards", "3", "schedule", "due"], message: "m" }])
  const sentence = { error: "Bad", details: "'limit' is wrong.", code: "VAL_3001" }
  const news = await failing(() => plain(sentence, { status: 400 }))
  assert.deepEqual([news.code, news.message, news.fields], ["VAL_3001", "Bad 'limit' is wrong.", []])
  const analyze = await failing(() => plain({
    error: "Wrong", message: "Two fields are wrong.", code: "VAL_3001", trace_id: "t", current_credits: 0,
    details: [{ path: ["known_concepts", 1], message: "is empty" }],
  }, { status: 400 }))
  assert.deepEqual([analyze.message, analyze.jobId, analyze.fields, analyze.details.current_credits],
    ["Two fields are wrong.", "t", [{ path: ["known_concepts", "1"], message: "is empty" }], 0])
  const forecast = await failing(() => plain({ error: "too many", code: "VAL_3006", retry_after: 3 }, { status: 429 }))
  assert.deepEqual([forecast.message, forecast.retryAfter, forecast.category], ["too many", 3, "rateLimit"])
  assert.deepEqual([(await failing(() => plain("<html>", { status: 503 }))).code], ["SYS_5002"])
})

test("every code of the network is told apart, and an answer without the version is nobody's", async () => {
  const codes = {
    ECONNREFUSED: "CLIENT_CANNOT_CONNECT", ENOTFOUND: "CLIENT_CANNOT_CONNECT",
    CERT_HAS_EXPIRED: "CLIENT_CANNOT_CONNECT",
    ENETUNREACH: "CLIENT_OFFLINE", EAI_AGAIN: "CLIENT_OFFLINE", ECONNRESET: "CLIENT_CONNECTION_LOST",
    UND_ERR_SOCKET: "CLIENT_CONNECTION_LOST",
  }
  for (const [cause, code] of Object.entries(codes)) {
    const error = await failing(() => { throw networkFailure(cause) })
    assert.deepEqual([error.code, error.category, error.isRetryable, error.status], [code, "network", true, undefined])
    assert.ok(error.requestId)
  }
  for (const status of [200, 401, 404, 503]) {
    const error = await failing(() => new Response("portal", { status }))
    assert.deepEqual([error.code, error.isRetryable], ["CLIENT_FOREIGN_ANSWER", true])
  }
  const unreadable = await failing(() => plain("{ broken"))
  assert.deepEqual([unreadable.code, unreadable.isRetryable], ["CLIENT_UNREADABLE_ANSWER", false])
})

test("what may pass is retryable, and never an error that names a job", () => {
  for (const status of [408, 429, 500, 502, 503, 504]) assert.ok(new DossierError("X", { status }).isRetryable, status)
  for (const status of [400, 401, 403, 404, 409, 422]) assert.ok(!new DossierError("X", { status }).isRetryable, status)
  assert.ok(!new DossierError("SYS_5001", { status: 500, jobId: "j" }).isRetryable)
  assert.ok(!new DossierError("SYS_5003", { status: 504 }).isRetryable)
  assert.ok(!DossierError.isRetryable(new Error("other")))
})

// MARK: Words

test("the words for people follow the table", () => {
  const words = (code, more) => {
    const { title, systemImage, action } = presentError(new DossierError(code, more))
    return [title, systemImage, action]
  }
  const person = "person.crop.circle.badge.exclamationmark"
  const table = [
    ["CLIENT_CONNECTION_LOST", {}, "Network Error", "wifi.slash", "retry"],
    ["CLIENT_TIMED_OUT", {}, "Network Error", "wifi.exclamationmark", "retry"],
    ["CLIENT_OFFLINE", {}, "Network Error", "wifi.slash", "wait"],
    ["VAL_3006", { status: 429 }, "Rate Limit Exceeded", "hourglass", "wait"],
    ["BIZ_2007", { status: 429 }, "Rate Limit Exceeded", "hourglass", "wait"],
    ["SYS_5001", { status: 500 }, "Service Unavailable", "exclamationmark.icloud", "retry"],
    ["AUTH_1001", { status: 401 }, "Authentication Error", person, "reauthenticate"],
    ["CLIENT_SIGNED_OUT", {}, "Authentication Error", person, "reauthenticate"],
    ["BIZ_2001", { status: 403 }, "Not Enough Credits", "creditcard", "upgrade"],
    ["BIZ_2002", { status: 403 }, "Daily Limit Reached", "hourglass", "wait"],
    ["BIZ_2005", { status: 404 }, "Not Found", "questionmark.circle", "go_back"],
    ["BIZ_2004", { status: 404 }, "Invalid Symbol", "magnifyingglass", "go_back"],
    ["VAL_3001", { status: 422 }, "Please Check Your Input", "pencil.circle", undefined],
    ["VAL_3002", { status: 422 }, "Invalid Symbol", "magnifyingglass", undefined],
    ["BIZ_2003", { jobId: "j" }, "Not Completed", "exclamationmark.triangle", "retry"],
    ["CLIENT_JOB_CANCELLED", { jobId: "j" }, "Cancelled", "xmark.circle", "retry"],
    ["CLIENT_UNREADABLE_ANSWER", {}, "Update Needed", "arrow.down.circle", undefined],
    ["CLIENT_STORAGE_FAILED", {}, "Storage Error", "externaldrive.badge.exclamationmark", "retry"],
    ["CLIENT_NOT_CACHED", {}, "Not Available Offline", "wifi.slash", "wait"],
    ["BIZ_2006", { status: 409 }, "Something Went Wrong", "exclamationmark.triangle", "retry"],
    ["BIZ_2006", { status: 409, jobId: "j" }, "Not Completed", "exclamationmark.triangle", "retry"],
    ["NEW_1", { status: 404 }, "Not Found", "questionmark.circle", "go_back"],
    ["NEW_1", { status: 503 }, "Service Unavailable", "exclamationmark.icloud", "retry"],
  ]
  for (const [code, more, ...expected] of table) assert.deepEqual(words(code, more), expected, code)
  assert.equal(presentError(new Error("x")).title, "Something Went Wrong")
  assert.equal(presentError(new DOMException("", "AbortError")), undefined)
})

test("the server's words come first, and no code or status is in a message", () => {
  const members = { status: 403, userMessage: "Buy more.", action: "wait", requestId: "r-1" }
  const shown = presentError(new DossierError("BIZ_2001", members))
  assert.deepEqual([shown.message, shown.action, shown.supportCode], ["Buy more.", "wait", "BIZ_2001 · r-1"])
  assert.match(presentError(new DossierError("VAL_3006", { retryAfter: 42 })).message, /in 42 seconds/)
  for (const code of ["CLIENT_OFFLINE", "SYS_5001", "AUTH_1002", "CLIENT_UNREADABLE_ANSWER", "CLIENT_STORAGE_FAILED"]) {
    const { message } = presentError(new DossierError(code, { status: 500, message: `${code} 500 DossierError` }))
    assert.doesNotMatch(message, /[A-Z]+_|\d{3}|Dossier/)
  }
})

// MARK: Retries

test("the policies have the printed numbers", () => {
  const delays = policy => [1, 2, 3, 4, 5, 6].map(attempt => policy.delay(attempt))
  assert.deepEqual(delays(RetryPolicy.default), [0, 1000, 2000, undefined, undefined, undefined])
  assert.deepEqual(delays(RetryPolicy.conservative), [0, 2000, undefined, undefined, undefined, undefined])
  const aggressive = delays(RetryPolicy.aggressive).map(delay => delay && Math.round(delay))
  assert.deepEqual(aggressive, [0, 500, 900, 1620, 2916, undefined])
  const patient = new RetryPolicy({ ...RetryPolicy.default, maximumAttempts: 9 })
  assert.equal(patient.delay(8), 10_000)
  assert.equal(RetryPolicy.never.delay(2), undefined)
})

test("pauses lose at most their random half and are never shorter than the server asks for", async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const w = world(() => failure(503, "SYS_5002"))
    await rejection(w.dossier.send("GET", "/x"))
    assert.equal(w.requests.length, 3)
    assert.ok(w.pauses[0] >= 500 && w.pauses[0] <= 1000 && w.pauses[1] >= 1000 && w.pauses[1] <= 2000)
  }
  const w = world((_, count) => count < 3 ? failure(429, "VAL_3006", {}, { "Retry-After": "20" }) : data("done"))
  assert.equal(await w.dossier.send("POST", "/x"), "done")
  assert.deepEqual(w.pauses, [20_000, 20_000])
  const ids = w.requests.map(request => request.headers["X-Request-ID"])
  assert.equal(new Set(ids).size, 3)
})

test("a pause that does not fit into the deadline is not begun", async () => {
  const w = world(() => failure(429, "VAL_3006", {}, { "Retry-After": "61" }))
  assert.equal((await rejection(w.dossier.send("GET", "/x"))).retryAfter, 61)
  assert.deepEqual([w.requests.length, w.pauses], [1, []])
})

test("a POST without a key is repeated only when the server cannot have taken it", async () => {
  const attempts = async (answer, options) => {
    const w = world(answer)
    await rejection(w.dossier.send("POST", "/x", options))
    return w.requests.length
  }
  assert.equal(await attempts(() => failure(503, "SYS_5002")), 1)
  assert.equal(await attempts(() => { throw networkFailure("ECONNRESET") }), 1)
  assert.equal(await attempts(() => { throw networkFailure("ECONNREFUSED") }), 3)
  assert.equal(await attempts(() => failure(503, "SYS_5002"), { idempotencyKey: "key" }), 3)
  const named = () => failure(503, "EXT_4001", { details: { job_id: "j" } })
  assert.equal(await attempts(named, { idempotencyKey: "key" }), 1)
})

test("the budget of retries is shared and comes back evenly", async () => {
  let now = 0
  const retryBudget = new RetryBudget({ now: () => now })
  const w = world(() => failure(503, "SYS_5002"), { retryBudget, retryPolicy: RetryPolicy.aggressive })
  for (let call = 0; call < 10; call += 1) await rejection(w.dossier.send("GET", "/x"))
  assert.equal(w.requests.length, 10 + 30)
  now += 4000
  await rejection(w.dossier.send("GET", "/x"))
  assert.equal(w.requests.length, 40 + 1 + 2)
  assert.ok(RetryBudget.unlimited.take())
})

test("a report of a connection ends a pause that the server has not asked for", async () => {
  const connectivity = new ConnectivityMonitor()
  const pause = (_, signal) => new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason))
    setImmediate(() => connectivity.report("connected"))
  })
  const answers = [() => { throw networkFailure("ECONNREFUSED") }, () => data("done")]
  const w = world((_, count) => answers[count - 1](), { connectivity, pause })
  const seen = []
  connectivity.onChange(status => seen.push(status))
  assert.equal(await w.dossier.send("GET", "/x"), "done")
  assert.deepEqual(seen, ["disconnected", "connected"])
})

test("withRetry repeats, keeps to retryAfter, and ends with the last error or the signal's reason", async () => {
  const { pause, pauses } = instantPause()
  let count = 0
  const flaky = async () => {
    if (++count < 3) throw new DossierError("VAL_3006", { status: 429, retryAfter: 9 })
    return "done"
  }
  assert.equal(await withRetry(flaky, { pause }), "done")
  assert.deepEqual(pauses, [9000, 9000])
  const other = new Error("other")
  assert.equal(await rejection(withRetry(async () => { throw other }, { pause })), other)
  const controller = new AbortController()
  const reason = new Error("enough")
  const pending = rejection(withRetry(async () => { throw networkFailure("X") }, {
    isRetryable: () => true, signal: controller.signal,
  }))
  setImmediate(() => controller.abort(reason))
  assert.equal(await pending, reason)
})

test("one operation serves all who ask at the same time, and ends with its last waiter", async () => {
  const flights = new RequestDeduplicator()
  let runs = 0
  let aborted = 0
  const operation = signal => new Promise((resolve, reject) => {
    runs += 1
    signal.addEventListener("abort", () => {
      aborted += 1
      reject(signal.reason)
    })
    flights.finish = resolve
  })
  const first = new AbortController()
  const one = rejection(flights.value("a", operation, { signal: first.signal }))
  const two = flights.value("a", operation)
  first.abort("gone")
  assert.equal(await one, "gone")
  assert.deepEqual([runs, aborted, flights.inFlightCount], [1, 0, 1])
  flights.finish("value")
  assert.equal(await two, "value")
  assert.equal(flights.inFlightCount, 0)
  const last = new AbortController()
  const alone = rejection(flights.value("a", operation, { signal: last.signal }))
  last.abort("gone")
  await alone
  assert.deepEqual([runs, aborted, flights.inFlightCount], [2, 1, 0])
  const cancelled = rejection(flights.value("b", operation))
  flights.cancel("b")
  assert.equal((await cancelled).name, "AbortError")
  assert.equal(await rejection(flights.value("c", async () => { throw "fails" })), "fails")
  assert.equal(await flights.value("c", async () => "begins anew"), "begins anew")
})

// MARK: Time-outs, over real connections

let proxy
before(async () => {
  proxy = await startProxy("http://127.0.0.1:1")
})
after(() => proxy?.stop())

test("silence, a drip without an end, and garbage all end with an error of the network", async () => {
  const expected = {
    silence: "CLIENT_TIMED_OUT", drip: "CLIENT_TIMED_OUT", garbage: "CLIENT_CONNECTION_LOST",
    dropBefore: "CLIENT_CONNECTION_LOST", portal: "CLIENT_FOREIGN_ANSWER",
  }
  for (const [action, code] of Object.entries(expected)) {
    proxy.rule = () => action
    // Silence ends by the time without a byte, a drip by the deadline of the call.
    const limits = { silence: { requestTimeout: 300 }, drip: { deadline: 300 } }[action]
    const dossier = new Dossier({ server: proxy.url, retryPolicy: RetryPolicy.never, ...limits })
    assert.equal((await rejection(dossier.read(resource.of("/x")))).code, code, action)
  }
  const closed = await startProxy("http://127.0.0.1:1")
  await closed.stop()
  const nobody = new Dossier({ server: closed.url, retryPolicy: RetryPolicy.never })
  assert.equal((await rejection(nobody.read(resource.of("/x")))).code, "CLIENT_CANNOT_CONNECT")
})
