// Following jobs: the parser of events, the three ways, and what each follower sees.

import assert from "node:assert/strict"
import http from "node:http"
import { test } from "node:test"
import { Dossier, resource } from "../dossier.js"
import { events } from "../source/eventstream.js"
import { collected, data, failure, instantPause, networkFailure, rejection, scriptedFetch } from "./support/scripted.js"

const encoder = new TextEncoder()
const stream = chunks => new ReadableStream({
  start(controller) {
    for (const chunk of chunks) controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk)
    controller.close()
  },
})
// A body whose chunks come one by one, so that a follower can look at each state.
const slowly = chunks => new ReadableStream({
  async pull(controller) {
    for (let turn = 0; turn < 10; turn += 1) await new Promise(resolve => setImmediate(resolve))
    if (chunks.length === 0) controller.close()
    else controller.enqueue(encoder.encode(chunks.shift()))
  },
}, { highWaterMark: 0 })
const eventStream = (...chunks) =>
  new Response(slowly(chunks), { headers: { "X-API-Version": "1.0", "Content-Type": "text/event-stream" } })
const job = (status, more = {}) => ({ id: "j", kind: "research", status, progress: 0, ...more })
const event = (revision, status, id = "j") =>
  `id: ${id}:${revision}\nevent: progress\ndata: ${JSON.stringify(job(status, { id }))}\n\n`
const read = (revision, status, headers = {}) => data(job(status), { headers: { ETag: `"${revision}"`, ...headers } })

function world(answer, options = {}) {
  const script = scriptedFetch(request => {
    if (request.path === "/api/v1/events") return answer.stream(request)
    return answer.read(request, new URL(request.url).searchParams.get("wait"))
  })
  const { pause, pauses } = instantPause()
  const dossier = new Dossier({ server: "http://dossier.test", fetch: script.fetch, pause, ...options })
  return { dossier, requests: script.requests, pauses }
}
const shown = states => states.map(state => `${state.revision} ${state.status}`)
const broken = () => { throw networkFailure("ECONNRESET") }

test("the parser takes every form of line, comments, several data lines and cut characters", async () => {
  const text = ": hello\r\nid: a:1\r\nevent: progress\r\ndata: {\"x\":\r\ndata: \"ü€😀\"}\r\n\r\n" +
    "data: one\rdata:two\r\rid: a:2\ndata\n\nretry: 250\nretry: x\ndata: cut off"
  const bytes = encoder.encode(text)
  const expected = [
    { id: "a:1", type: "progress", data: "{\"x\":\n\"ü€😀\"}" }, { id: "a:1", type: "message", data: "one\ntwo" },
    { id: "a:2", type: "message", data: "" }, { retry: 250 },
  ]
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const chunks = []
    for (let start = 0; start < bytes.length; start += size) chunks.push(bytes.subarray(start, start + size))
    assert.deepEqual(await collected(events(stream(chunks))), expected, `chunks of ${size}`)
  }
})

test("a revision is shown once and never after a higher one", async () => {
  const answers = [
    [event(1, "pending"), event(3, "processing"), event(2, "processing"), event(3, "processing")],
    [event(3, "processing"), event("3t", "pending"), event(4, "processing"), event(5, "completed")],
  ]
  const { dossier } = world({ stream: () => eventStream(...answers.shift()) })
  const states = await collected(dossier.jobs.updates("j"))
  assert.deepEqual(shown(states), ["1 pending", "3 processing", "4 processing", "5 completed"])
  const late = world({ stream: () => eventStream(event(5, "completed")) })
  assert.deepEqual(await collected(late.dossier.jobs.updates("j", { after: 5 })), [])
})

test("streams, then long polls, then polls: two failures take the next way, a plain read comes between", async () => {
  const waits = []
  let polls = 0
  const { dossier, requests, pauses } = world({
    stream: () => eventStream(": no event\n\n"),
    read(_, wait) {
      waits.push(wait)
      if (wait !== null) return broken()
      polls += 1
      return polls < 6 ? read(polls, "processing", { "Retry-After": polls === 3 ? "99" : "4" }) : read(6, "completed")
    },
  })
  const states = await collected(dossier.jobs.updates("j"))
  assert.equal(shown(states).at(-1), "6 completed")
  assert.equal(requests.filter(request => request.path === "/api/v1/events").length, 2)
  assert.deepEqual(waits, [null, null, "10", "10", null, null, null, null])
  assert.deepEqual(pauses.filter(pause => pause >= 1000), [15_000, 4000, 4000])
})

test("long polls begin with ten seconds and go on with 25", async () => {
  const waits = []
  let revision = 2
  const { dossier } = world({
    stream: broken,
    read(request, wait) {
      if (wait === null) return read(1, "pending")
      waits.push([wait, request.headers["If-None-Match"]])
      revision += 1
      return read(revision, revision < 5 ? "processing" : "completed")
    },
  })
  await collected(dossier.jobs.updates("j"))
  assert.deepEqual(waits, [["10", '"1"'], ["25", '"3"'], ["25", '"4"']])
})

test("network trouble never ends the following, and pauses grow from 0.2 to 15 s", async () => {
  let count = 0
  const after = (failures, answer) => () => {
    count += 1
    return count % 5 === 0 ? data("of no known form") : count < failures ? broken() : answer()
  }
  const { dossier, pauses } = world({
    stream: after(60, () => eventStream(event(1, "completed"))), read: after(60, () => read(1, "completed")),
  })
  assert.deepEqual(shown(await collected(dossier.jobs.updates("j"))), ["1 completed"])
  assert.equal(pauses[0], 200)
  assert.ok(Math.max(...pauses) <= 15_000 && pauses.includes(15_000))
})

test("a refusal ends the sequence of that job only", async () => {
  const { dossier } = world({
    stream: request => request.url.includes("gone") ? failure(404, "BIZ_2005", { details: { job_id: "gone" } })
      : eventStream(event(1, "completed", "here")),
    read: request => request.path.endsWith("gone") ? failure(404, "BIZ_2005")
      : data(job("processing", { id: "here" }), { headers: { ETag: '"0"' } }),
  })
  const [gone, here] = await Promise.all([
    rejection(collected(dossier.jobs.updates("gone"))), collected(dossier.jobs.updates("here")),
  ])
  assert.equal(gone.code, "BIZ_2005")
  assert.equal(shown(here).at(-1), "1 completed")
})

test("any number of followers share a stream for each fifty jobs, and followers draw on no retries", async () => {
  const asked = []
  const { dossier, requests } = world({
    stream(request) {
      const ids = new URL(request.url).searchParams.get("jobs").split(",")
      asked.push(ids.length)
      return eventStream(...ids.map(id => event(1, "completed", id)))
    },
  })
  const ids = Array.from({ length: 120 }, (_, index) => `job-${index}`)
  const all = ids.flatMap(id => [dossier.jobs.updates(id), dossier.jobs.updates(id)])
  for (const states of await Promise.all(all.map(collected))) assert.deepEqual(shown(states), ["1 completed"])
  assert.deepEqual(asked, [50, 50, 20])
  assert.equal(requests.length, 3)
  assert.equal((await collected(dossier.jobs.updates(ids))).length, 120)
})

test("an abort between two elements ends the stream behind them", async () => {
  let open
  const { dossier } = world({
    stream(request) {
      open = request.signal
      const body = new ReadableStream({ start: controller => controller.enqueue(encoder.encode(event(1, "pending"))) })
      return new Response(body, { headers: { "X-API-Version": "1.0", "Content-Type": "text/event-stream" } })
    },
  })
  const controller = new AbortController()
  const seen = []
  const error = await rejection((async () => {
    for await (const state of dossier.jobs.updates("j", { signal: controller.signal })) {
      seen.push(state.revision)
      controller.abort("enough")
    }
  })())
  assert.deepEqual([error, seen], ["enough", [1]])
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(open.aborted, true)
})

test("the end of a job makes stored credits and reports wrong", async () => {
  let credits = 0
  const { dossier } = world({
    stream: () => eventStream(event(1, "completed")), read: () => data({ remaining: (credits += 1) }),
  })
  assert.equal((await dossier.read(resource.credits())).value.remaining, 1)
  assert.equal((await dossier.read(resource.credits())).value.remaining, 1)
  await collected(dossier.jobs.updates("j"))
  assert.equal((await dossier.read(resource.credits())).value.remaining, 2)
})

test("a silent stream is given up, and a thousand that are left leave no socket", async () => {
  let open = 0
  const server = http.createServer((request, response) => {
    if (!request.url.includes("/events")) {
      response.writeHead(200, { "X-API-Version": "1.0", ETag: '"9"' })
      return response.end(JSON.stringify({ success: true, data: job("completed"), meta: {} }))
    }
    open += 1
    response.on("close", () => (open -= 1))
    response.writeHead(200, { "X-API-Version": "1.0", "Content-Type": "text/event-stream" })
    response.write(event(1, "processing", new URL(request.url, "http://x").searchParams.get("jobs")))
  })
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = `http://127.0.0.1:${server.address().port}`
  const silent = new Dossier({ server: address, streamIdleTimeout: 300, pause: instantPause().pause })
  assert.equal(shown(await collected(silent.jobs.updates("j"))).at(-1), "9 completed")
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 50 }, async (_, index) => {
      const dossier = new Dossier({ server: address })
      const controller = new AbortController()
      const iterator = dossier.jobs.updates(`job-${index}`, { signal: controller.signal })[Symbol.asyncIterator]()
      await iterator.next()
      const next = iterator.next()
      if (index % 2 === 0) {
        controller.abort("enough")
        assert.equal(await rejection(next), "enough")
      } else {
        await iterator.return()
        assert.deepEqual(await next, { done: true, value: undefined })
      }
    }))
  }
  while (open > 0) await new Promise(resolve => setImmediate(resolve))
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})
