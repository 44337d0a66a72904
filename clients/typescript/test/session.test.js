// Sessions: one renewal for any number of callers, and tokens that are never lost or leaked.

import assert from "node:assert/strict"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, test } from "node:test"
import { inspect } from "node:util"
import { Dossier, memoryStorage, resource, submission, TokenSession, tokenStorage } from "../dossier.js"
import { fileStorage } from "../node.js"
import { startProxy } from "./support/proxy.js"
import { data, failure, instantPause, networkFailure, rejection, scriptedFetch } from "./support/scripted.js"
import { claimsOf, jwtSecret, signed, startService, supabaseSecret } from "./support/service.js"

let service
let proxy
before(async () => {
  service = await startService({
    DOSSIER_AUTH: "jwt", DOSSIER_JWT_SECRET: jwtSecret, SUPABASE_JWT_SECRET: supabaseSecret,
  })
  proxy = await startProxy(service.url)
})
after(async () => {
  await proxy?.stop()
  await service?.stop()
})

const seconds = () => Math.floor(Date.now() / 1000)
const supabaseToken = subject => signed({
  sub: subject, aud: "authenticated", role: "authenticated", iat: seconds(), exp: seconds() + 3600,
}, supabaseSecret)

// A storage whose access token has expired, as the server sees it.
async function expiredSession() {
  const storage = memoryStorage()
  const tokens = tokenStorage(storage)
  await new TokenSession({ server: service.url, storage: tokens }).signIn(supabaseToken("ada"))
  const pair = await tokens.load()
  const claims = { ...claimsOf(pair.accessToken), iat: seconds() - 90_000, exp: seconds() - 3600 }
  const expired = { ...pair, accessToken: signed(claims, jwtSecret), expiresAt: Date.now() - 3_600_000 }
  assert.ok(await tokens.replace(pair, expired))
  proxy.requests.length = 0
  proxy.rule = () => undefined
  return { storage: tokens, expired }
}

const isRefresh = request => request.path === "/api/v1/auth/refresh"

const clocks = { "right": Date.now, "two hours slow, so that only the 401 tells": () => Date.now() - 7_200_000 }
for (const [clock, now] of Object.entries(clocks)) {
  test(`a hundred callers with an expired token are one renewal, with a clock that is ${clock}`, async () => {
    const { storage } = await expiredSession()
    const session = new TokenSession({ server: proxy.url, storage, now })
    const dossier = new Dossier({ server: proxy.url, authentication: session })
    const pages = Array.from({ length: 100 }, (_, index) => index + 1)
    const calls = pages.map(page => dossier.send("GET", "/api/v1/jobs", { query: { page } }))
    for (const answer of await Promise.all(calls)) assert.deepEqual(answer, [])
    assert.equal(proxy.requests.filter(isRefresh).length, 1)
    assert.deepEqual(await session.state(), { status: "signedIn", account: "ada" })
  })
}

test("a renewal whose answer is lost is repeated with the same refresh token, and nobody is signed out", async () => {
  const { storage, expired } = await expiredSession()
  let hits = 0
  proxy.rule = request => isRefresh(request) && ++hits <= 2 ? "dropAfter" : undefined
  const session = new TokenSession({ server: proxy.url, storage, pause: instantPause().pause })
  const user = await new Dossier({ server: proxy.url, authentication: session }).read(resource.currentUser())
  assert.equal(user.value.subject, "ada")
  const refreshes = proxy.requests.filter(isRefresh)
  assert.equal(refreshes.length, 3)
  for (const request of refreshes) assert.equal(JSON.parse(request.body).refresh_token, expired.refreshToken)
})

test("a refused renewal signs out and says so; without tokens nothing is sent", async () => {
  const { storage, expired } = await expiredSession()
  await storage.replace(expired, { ...expired, refreshToken: "revoked" })
  const session = new TokenSession({ server: proxy.url, storage })
  const dossier = new Dossier({ server: proxy.url, authentication: session })
  for (let turn = 0; turn < 2; turn += 1) {
    const error = await rejection(dossier.read(resource.currentUser()))
    assert.equal(error.code, "AUTH_1002")
    assert.equal(error.category, "authentication")
  }
  assert.deepEqual(await session.state(), { status: "expired" })
  assert.equal(proxy.requests.length, 1)
  assert.equal(await storage.load(), undefined)
  await session.signOut()
  assert.equal((await rejection(dossier.read(resource.currentUser()))).code, "CLIENT_SIGNED_OUT")
  assert.equal(proxy.requests.length, 1)
})

// MARK: Without a server

const token = (life, name = "ada", now = 0) =>
  signed({ sub: name, iat: now / 1000, exp: now / 1000 + life, salt: Math.random() }, "secret")
const pairOf = (accessToken, refreshToken = "r1", expiresAt = 0) => ({ accessToken, refreshToken, expiresAt })
const renewed = access => data({ access_token: access, refresh_token: "r2", expires_in: 86_400 })

async function sessionWith(pair, answer, options = {}) {
  const storage = options.storage ?? tokenStorage(memoryStorage())
  if (pair) await storage.replace(undefined, pair)
  const script = scriptedFetch(answer)
  const session = new TokenSession({
    server: "http://dossier.test", storage, fetch: script.fetch, now: () => 0, pause: instantPause().pause, ...options,
  })
  return { session, storage, requests: script.requests }
}

const authorize = async session => {
  const request = { method: "GET", url: "", headers: {} }
  await session.authorize(request)
  return request
}

test("a token that ends within 60 s is renewed ahead of time, and one that ends later is not", async () => {
  const { session, requests } = await sessionWith(pairOf(token(59), "r1", 59_000), () => renewed(token(86_400)))
  await authorize(session)
  assert.equal(requests.length, 1)
  const later = await sessionWith(pairOf(token(61), "r1", 61_000), () => renewed(token(86_400)))
  await authorize(later.session)
  assert.equal(later.requests.length, 0)
})

test("a renewal that fails for want of an answer changes nothing, and the token is used while it holds", async () => {
  const old = token(30)
  const refused = () => { throw networkFailure("ECONNREFUSED") }
  const { session, storage } = await sessionWith(pairOf(old, "r1", 30_000), refused)
  assert.equal((await authorize(session)).headers.Authorization, `Bearer ${old}`)
  const gone = await sessionWith(pairOf(token(-10), "r1", -10_000), refused)
  assert.equal((await rejection(authorize(gone.session))).code, "CLIENT_CANNOT_CONNECT")
  assert.equal((await gone.session.state()).status, "signedIn")
  assert.ok(await storage.load())
  assert.ok(await gone.storage.load())
})

test("a tap while nobody is signed in is not sent and not kept", async () => {
  const { session } = await sessionWith(undefined, () => renewed("x"))
  const storage = memoryStorage()
  const { fetch, requests } = scriptedFetch(() => data({}))
  const dossier = new Dossier({ server: "http://dossier.test", authentication: session, storage, fetch })
  const error = await rejection(dossier.jobs.output(submission.research({ ticker: "AAPL", persona: "wood" })))
  assert.deepEqual([error.code, requests.length, await storage.keys()], ["CLIENT_SIGNED_OUT", 0, []])
})

test("a request with an older token than the present one is sent again without a renewal", async () => {
  const { session, requests } = await sessionWith(pairOf(token(3600), "r1", 3_600_000), () => renewed("x"))
  const rejected = { headers: { Authorization: "Bearer older" } }
  assert.equal(await session.renew({ code: "AUTH_1001", status: 401 }, rejected), true)
  assert.equal(requests.length, 0)
  const present = await authorize(session)
  assert.equal(await session.renew({ code: "AUTH_1002", status: 401 }, present), false)
  assert.equal(requests.length, 0)
})

test("the loser of two processes takes the winner's tokens", async () => {
  const winner = pairOf(token(86_400), "r9", 86_400_000)
  const storage = tokenStorage(memoryStorage())
  const old = pairOf(token(10), "r1", 10_000)
  const loser = await sessionWith(old, async () => {
    assert.ok(await storage.replace(old, winner))
    return failure(401, "AUTH_1002")
  }, { storage })
  assert.equal((await authorize(loser.session)).headers.Authorization, `Bearer ${winner.accessToken}`)
  assert.deepEqual(await storage.load(), winner)
})

test("a renewal that returns after a sign-out stores nothing", async () => {
  let answer
  const { session, storage } = await sessionWith(pairOf(token(-1), "r1", -1000),
    () => new Promise(resolve => (answer = resolve)))
  const call = authorize(session)
  while (!answer) await new Promise(resolve => setImmediate(resolve))
  await session.signOut()
  answer(renewed(token(86_400)))
  assert.equal((await rejection(call)).code, "CLIENT_SIGNED_OUT")
  assert.equal(await storage.load(), undefined)
  assert.deepEqual(await session.state(), { status: "signedOut" })
})

test("a redirect to another origin is not followed, so that the token stays with its server", async () => {
  const { session } = await sessionWith(pairOf(token(3600), "r1", 3_600_000), () => renewed("x"))
  const script = scriptedFetch(() => new Response(null, { status: 307, headers: { Location: "http://evil.test/" } }))
  const dossier = new Dossier({
    server: "http://dossier.test", authentication: session, fetch: script.fetch, pause: instantPause().pause,
  })
  assert.equal((await rejection(dossier.read(resource.credits()))).code, "CLIENT_FOREIGN_ANSWER")
  assert.ok(script.requests.every(request => request.url.startsWith("http://dossier.test/")))
})

test("tokens are in no error, and in a file that only its owner may read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dossier-tokens-"))
  const secret = token(3600)
  const storage = tokenStorage(fileStorage(folder))
  const { session } = await sessionWith(pairOf(secret, "refresh-secret", 3_600_000), () => renewed("x"), { storage })
  const { fetch } = scriptedFetch(() => failure(500, "SYS_5001"))
  const dossier = new Dossier({
    server: "http://dossier.test", authentication: session, fetch, pause: instantPause().pause,
  })
  const text = inspect(await rejection(dossier.read(resource.credits())), { depth: 9 }) + inspect(session, { depth: 9 })
  assert.ok(!text.includes(secret) && !text.includes("refresh-secret"))
  const files = readdirSync(folder).filter(name => name.endsWith(".json"))
  assert.equal(files.length, 1)
  assert.equal(statSync(join(folder, files[0])).mode & 0o777, 0o600)
  assert.ok(readFileSync(join(folder, files[0]), "utf8").includes("refresh-secret"))
  assert.ok(await storage.replace(pairOf(secret, "refresh-secret"), undefined))
  assert.equal(await storage.replace(pairOf("a"), pairOf("b")), false)
  rmSync(folder, { recursive: true })
})
