// Cached reads: tiers, policies, refreshes, single flight and what writes make wrong.

import assert from "node:assert/strict"
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import {
  developmentAuthentication, Dossier, FreshnessPolicy, listing, memoryStorage, resource, RetryPolicy, webStorage,
} from "../dossier.js"
import { fileStorage } from "../node.js"
import { collected, data, failure, networkFailure, plain, rejection, scriptedFetch } from "./support/scripted.js"

const minute = 60_000

// A client with a clock of its own. `world.answer` is what the server says.
function world(options = {}) {
  const world = { now: 0, answer: (_, count) => data({ count }) }
  const script = scriptedFetch((request, count) => world.answer(request, count))
  const make = (more = {}) => new Dossier({
    server: "http://dossier.test/prefix/", fetch: script.fetch, now: () => world.now, retryPolicy: RetryPolicy.never,
    ...options, ...more,
  })
  return Object.assign(world, { requests: script.requests, make, dossier: make() })
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(resolve => setImmediate(resolve))
}
const thing = resource.of("/api/v1/thing")

test("the tiers begin at their ages", () => {
  const policy = FreshnessPolicy.standard
  const tiers = [[-1, "critical"], [0, "fresh"], [299_999, "fresh"], [300_000, "warm"], [1_799_999, "warm"],
    [1_800_000, "stale"], [21_599_999, "stale"], [21_600_000, "critical"], [NaN, "critical"]]
  for (const [age, tier] of tiers) assert.equal(policy.freshness(age), tier, String(age))
  assert.deepEqual({ ...FreshnessPolicy.lifetime(minute) }, { fresh: minute, warm: 6 * minute, stale: 72 * minute })
  assert.equal(FreshnessPolicy.never.freshness(0), "critical")
})

test("cacheFirst: fresh from the cache, warm and stale with a refresh, critical from the network", async () => {
  const w = world()
  assert.equal((await w.dossier.read(thing)).source, "network")
  w.now = 4 * minute
  const fresh = await w.dossier.read(thing)
  assert.deepEqual([fresh.value.count, fresh.source, fresh.freshness], [1, "cache", "fresh"])
  assert.equal(fresh.isRevalidating, false)
  assert.equal(Number(fresh.storedAt), 0)
  for (const [age, tier] of [[5 * minute, "warm"], [31 * minute, "stale"]]) {
    const start = w.now = w.now + 24 * 60 * minute
    await w.dossier.read(thing, { policy: "networkOnly" })
    const before = w.requests.length
    w.now = start + age
    const old = await w.dossier.read(thing)
    assert.deepEqual([old.freshness, old.source, old.isRevalidating, old.value.count], [tier, "cache", true, before])
    await turns()
    assert.equal(w.requests.length, before + 1)
    assert.equal((await w.dossier.read(thing)).value.count, before + 1)
  }
  w.now += 6 * 60 * minute
  assert.equal((await w.dossier.read(thing)).source, "network")
  w.now -= 24 * 60 * minute
  assert.equal((await w.dossier.read(thing)).source, "network")
})

test("critical and networkFirst fall back on the old value for want of an answer, never after a refusal", async () => {
  const w = world()
  await w.dossier.read(thing)
  w.now = 7 * 60 * minute
  for (const lost of [
    () => { throw networkFailure("ECONNRESET") }, () => new Response("portal"), () => failure(503, "SYS_5002"),
  ]) {
    w.answer = lost
    for (const policy of ["cacheFirst", "networkFirst"]) {
      const old = await w.dossier.read(thing, { policy })
      assert.deepEqual([old.value.count, old.freshness, old.source], [1, "critical", "cache"])
    }
    assert.equal((await rejection(w.dossier.read(thing, { policy: "networkOnly" }))).isRetryable, true)
  }
  w.answer = () => failure(404, "BIZ_2005")
  assert.equal((await rejection(w.dossier.read(thing))).code, "BIZ_2005")
})

test("cacheOnly and staleWhileRevalidate keep to their words", async () => {
  const w = world()
  assert.equal((await rejection(w.dossier.read(thing, { policy: "cacheOnly" }))).code, "CLIENT_NOT_CACHED")
  assert.equal(w.requests.length, 0)
  await w.dossier.read(thing)
  w.now = 10 * 60 * minute
  assert.equal((await w.dossier.read(thing, { policy: "cacheOnly" })).freshness, "critical")
  const old = await w.dossier.read(thing, { policy: { staleWhileRevalidate: 10 * 60 * minute } })
  assert.deepEqual([old.value.count, old.isRevalidating], [1, true])
  await turns()
  w.now += 10 * 60 * minute + 1
  assert.equal((await w.dossier.read(thing, { policy: { staleWhileRevalidate: 10 * 60 * minute } })).source, "network")
})

test("equal reads at the same time are one request; a cancelled reader leaves the others alone", async () => {
  const w = world()
  let release
  w.answer = () => new Promise(resolve => (release = () => resolve(data("value"))))
  const controller = new AbortController()
  const reads = Array.from({ length: 10 }, () => w.dossier.read(thing))
  const cancelled = rejection(w.dossier.read(thing, { signal: controller.signal }))
  await turns()
  const reason = new Error("enough")
  controller.abort(reason)
  assert.equal(await cancelled, reason)
  release()
  for (const read of await Promise.all(reads)) assert.equal(read.value, "value")
  assert.equal(w.requests.length, 1)
})

test("values has the stored value at once and then every newer one", async () => {
  const w = world()
  await w.dossier.read(thing)
  w.now = 10 * minute
  const seen = []
  for await (const value of w.dossier.values(thing)) {
    seen.push([value.value.count, value.source])
    if (seen.length === 2) {
      w.now = 20 * minute
      w.dossier.read(thing, { policy: "networkOnly" })
    }
    if (seen.length === 3) break
  }
  assert.deepEqual(seen, [[1, "cache"], [2, "network"], [3, "network"]])
  const empty = world()
  empty.answer = () => failure(403, "BIZ_2001")
  assert.equal((await rejection(collected(empty.dossier.values(thing)))).code, "BIZ_2001")
})

test("a write removes what it makes wrong, and an answer from before it is not stored", async () => {
  const w = world()
  let release
  w.answer = () => new Promise(resolve => (release = () => resolve(data(["old"]))))
  const early = w.dossier.read(resource.watchlist())
  await turns()
  const answerEarly = release
  w.answer = () => data({ ticker: "AAPL" })
  await w.dossier.addToWatchlist("AAPL")
  answerEarly()
  assert.deepEqual((await early).value, ["old"])
  w.answer = () => data(["new"])
  assert.deepEqual((await w.dossier.read(resource.watchlist())).value, ["new"])

  const feeds = [resource.preferences(), resource.storyGroups(), resource.latestBrief()]
  w.answer = (_, count) => plain({ count })
  for (const each of feeds) await w.dossier.read(each)
  await w.dossier.updatePreferences({ focus: "broad" })
  for (const each of feeds) {
    assert.equal((await rejection(w.dossier.read(each, { policy: "cacheOnly" }))).code, "CLIENT_NOT_CACHED", each.name)
  }
})

test("a tag is sent back, and 304 renews the age", async () => {
  const w = world()
  w.answer = () => data("tagged", { headers: { ETag: '"7"' } })
  await w.dossier.read(thing)
  w.now = 7 * 60 * minute
  w.answer = request => {
    assert.equal(request.headers["If-None-Match"], '"7"')
    return new Response(null, { status: 304, headers: { "X-API-Version": "1.0" } })
  }
  const renewed = await w.dossier.read(thing)
  assert.deepEqual([renewed.value, renewed.freshness], ["tagged", "fresh"])
  assert.equal((await w.dossier.read(thing)).source, "cache")
})

test("unfinished reports, original summaries, jobs and metrics are never stored", async () => {
  const w = world()
  const cases = [
    [resource.report("r"), { status: "processing" }, false], [resource.report("r"), { status: "completed" }, true],
    [resource.summary("a"), { source: "original" }, false], [resource.summary("a"), { source: "model" }, true],
    [resource.health(), { status: "ok" }, false],
  ]
  for (const [each, value, isStored] of cases) {
    w.answer = () => data(value)
    await w.dossier.read(each, { policy: "networkOnly" })
    const again = w.dossier.read(each, { policy: "cacheOnly" })
    if (isStored) assert.deepEqual((await again).value, value)
    else assert.equal((await rejection(again)).code, "CLIENT_NOT_CACHED")
  }
})

test("accounts do not see each other's answers, and a damaged file is a miss", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dossier-cache-"))
  const w = world({ storage: fileStorage(folder) })
  const ada = () => w.make({ authentication: developmentAuthentication("ada") })
  await ada().read(thing)
  assert.equal((await ada().read(thing)).source, "cache")
  assert.equal((await w.make({ authentication: developmentAuthentication("bob") }).read(thing)).source, "network")
  for (const name of readdirSync(folder)) {
    assert.match(name, /^cache-[0-9a-f]{64}\.json$/)
    writeFileSync(join(folder, name), "{ broken")
  }
  assert.equal((await ada().read(thing)).source, "network")
  await ada().forgetLocalData()
  assert.equal((await rejection(ada().read(thing, { policy: "cacheOnly" }))).code, "CLIENT_NOT_CACHED")
  rmSync(folder, { recursive: true })
})

test("what a killed process left half written is removed when it is old", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dossier-cache-"))
  const w = world({ storage: fileStorage(folder) })
  await w.dossier.read(thing)
  const [old, young] = ["old", "young"].map(name => join(folder, `submission-${name}.json.${name}.tmp`))
  for (const path of [old, young]) writeFileSync(path, "{ half")
  utimesSync(old, new Date(0), new Date(0))
  await w.dossier.forgetLocalData()
  assert.deepEqual([existsSync(old), existsSync(young)], [false, true])
  rmSync(folder, { recursive: true })
})

test("the least recently used answers go first, kept ones never", async () => {
  const storage = memoryStorage()
  const w = world({ storage, storageLimit: 1000, memoryLimit: 0 })
  w.answer = () => data("x".repeat(400))
  await w.dossier.read(resource.personas())
  for (const name of ["a", "b"]) {
    await w.dossier.read(resource.of(`/${name}`))
    w.now += 1
  }
  await w.dossier.read(resource.of("/a"))
  await w.dossier.read(resource.of("/c"))
  const sources = []
  for (const each of [resource.personas(), resource.of("/a"), resource.of("/c"), resource.of("/b")]) {
    sources.push(await w.dossier.read(each, { policy: "cacheOnly" }).then(found => found.source, error => error.code))
  }
  assert.deepEqual(sources, ["cache", "cache", "cache", "CLIENT_NOT_CACHED"])
})

test("items come once each, page after page, by cursor and by number", async () => {
  const w = world()
  const pages = { "": [["a", "b"], "2"], 2: [["b", "c"], "3"], 3: [["d"], null] }
  const idsOf = async sequence => (await collected(sequence)).map(item => item.id)
  w.answer = request => {
    const [ids, next] = pages[new URL(request.url).searchParams.get("cursor") ?? ""]
    return plain({ items: ids.map(id => ({ id })), next_cursor: next })
  }
  assert.deepEqual(await idsOf(w.dossier.items(listing.feed())), ["a", "b", "c", "d"])
  w.answer = request => {
    const page = Number(new URL(request.url).searchParams.get("page") ?? 1)
    const pagination = { page, per_page: 2, total_items: 4, total_pages: 3, has_next: page < 3, has_prev: false }
    return data([{ id: page }, { id: page + 1 }], { body: { pagination } })
  }
  assert.deepEqual(await idsOf(w.dossier.items(listing.headlines())), [1, 2, 3, 4])
  assert.ok(w.requests.every(request => request.url.startsWith("http://dossier.test/prefix/")))
})

test("webStorage keeps values below its prefix", async () => {
  const map = new Map([["other", "1"]])
  const storage = webStorage({
    get length() { return map.size }, key: index => [...map.keys()][index] ?? null,
    getItem: key => map.get(key) ?? null, setItem: (key, value) => map.set(key, value),
    removeItem: key => map.delete(key),
  })
  await storage.set("a", "x")
  assert.deepEqual([await storage.get("a"), await storage.get("other"), await storage.keys()], ["x", undefined, ["a"]])
  assert.equal(await storage.exchange("a", "y", "z"), false)
  assert.equal(await storage.exchange("a", "x", undefined), true)
  assert.deepEqual([...map.keys()], ["other"])
})
