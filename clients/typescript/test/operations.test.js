// Every operation of the service's own description is called once through the client, and its answer is read.

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import {
  Dossier, listing, memoryStorage, resource, submission, TokenSession, tokenStorage,
} from "../dossier.js"
import { collected } from "./support/scripted.js"
import { jwtSecret, signed, startService, supabaseSecret } from "./support/service.js"

let service
let dossier
// Requests that the service answered with what was asked for: `GET /api/v1/jobs/x`.
const answered = new Set()

async function recordingFetch(url, options) {
  const answer = await fetch(url, options)
  if (answer.ok) answered.add(`${options.method} ${new URL(url).pathname}`)
  return answer
}

before(async () => {
  service = await startService()
  dossier = new Dossier({ server: service.url, fetch: recordingFetch })
})
after(() => service?.stop())

const value = async (each, options) => (await dossier.read(each, { policy: "networkOnly", ...options })).value
const firstPage = async each => (await dossier.page(each)).value

test("jobs: submit, follow, read, cancel, retry, list", async () => {
  const tap = submission.research({ ticker: "AAPL", persona: "graham" })
  const report = await dossier.jobs.output(tap)
  assert.ok(report.report.summary.length > 0 && report.facts.length > 0 && report.provenance.job_id)
  const late = submission.research({ ticker: "AAPL", persona: "wood" }, { notBefore: Date.now() + 3_600_000 })
  const job = await dossier.jobs.submit(late)
  assert.equal(job.blocked_by.reason, "run_at")
  assert.equal((await dossier.jobs.input(job.id)).persona, "wood")
  assert.equal((await dossier.jobs.cancel(job.id)).status, "cancelled")
  const again = await dossier.jobs.retry(job.id)
  await dossier.jobs.cancel(again.id)
  const [last] = (await collected(dossier.jobs.updates(job.id))).slice(-1)
  assert.equal(last.status, "cancelled")
  assert.ok(last.revision > job.revision)
  const patient = await dossier.jobs.submit(
    submission.research({ ticker: "AAPL", persona: "wood" }, { within: 7_200_000 }))
  assert.ok(patient.estimated_at > patient.created_at)
  await dossier.jobs.cancel(patient.id)
  const jobs = await collected(dossier.items(listing.jobs({ pageSize: 1 })))
  assert.equal(jobs.length, 3)
  assert.deepEqual((await firstPage(listing.jobs({ status: "completed", kind: "research" }))).items.length, 1)
  // The client follows by the stream for several jobs; the other one is for apps that follow one.
  const stream = await recordingFetch(`${service.url}/api/v1/jobs/${job.id}/events`, { method: "GET" })
  assert.match(await stream.text(), /event: cancelled/)
})

test("reports", async () => {
  const tickets = []
  for (const persona of ["buffett", "lynch"]) {
    const ticket = await dossier.generateReport({ ticker: "AAPL", persona })
    await collected(dossier.jobs.updates(ticket.report_id))
    tickets.push(ticket.report_id)
  }
  const compared = await dossier.compare({ tickers: ["AAPL"], personas: ["buffett", "lynch"] })
  await collected(dossier.jobs.updates(compared.id))
  const { comparison } = await dossier.jobs.result(compared.id)
  assert.deepEqual(comparison.columns.map(column => column.persona.id), ["buffett", "lynch"])
  assert.ok(comparison.text.summary && comparison.rows.every(row => row.cells.length === 2))
  const status = await dossier.reportStatus(tickets[0])
  assert.equal(status.status, "completed")
  assert.ok(status.steps.length > 0)
  const report = await value(resource.report(tickets[0]))
  assert.equal(report.investor_persona, "buffett")
  assert.ok(report.report.thesis)
  assert.equal((await value(resource.reportChanges(tickets[1], { since: tickets[0] }))).since, tickets[0])
  assert.ok((await firstPage(listing.reports({ pageSize: 1 }))).totalItems >= 2)
  assert.ok((await value(resource.personas())).some(persona => persona.id === "buffett"))
})

test("stocks, the watchlist and forecasts", async () => {
  assert.equal((await value(resource.stock("AAPL"))).name, "Apple Inc.")
  assert.ok((await value(resource.fundamentals("AAPL", { limit: 2 })))[0].figures.revenue.value > 0)
  assert.ok((await value(resource.prices("AAPL"))).bars.length > 0)
  const annual = (await value(resource.filings("AAPL"))).find(filing => filing.role === "annual_report")
  const filed = await value(resource.filing(annual.accession_number, { item: "1A", limit: 3 }))
  assert.deepEqual(filed.paragraphs.map(paragraph => paragraph.item), ["1A", "1A", "1A"])
  assert.equal((await value(resource.stockSearch("apple", { limit: 1 })))[0].ticker, "AAPL")
  assert.equal((await dossier.addToWatchlist("AAPL")).ticker, "AAPL")
  assert.equal((await value(resource.watchlist())).length, 1)
  assert.equal((await dossier.removeFromWatchlist("AAPL")).removed, true)
  const training = await value(resource.training({ symbol: "AAPL", timeframe: "d1", lookbackDays: 1095 }))
  assert.equal(training.status, "success")
  const quality = await value(resource.forecastQuality({ symbol: "AAPL", horizon: "1D" }))
  assert.ok(quality.qualityScore >= 0 && quality.qualityScore <= 1)
})

test("news: feeds, stories, the brief, preferences, articles and questions", async () => {
  const changed = await dossier.updatePreferences({ focus: "balanced", holdings: ["AAPL", { ticker: "BRK.B" }] })
  assert.equal(changed.holdings_count, 2)
  assert.deepEqual((await value(resource.preferences())).holdings.map(holding => holding.ticker), ["AAPL", "BRK-B"])
  const ingest = { feeds: [`${service.simulator}/web/feeds/news.xml`], categories: ["business"], tickers: ["AAPL"] }
  await dossier.jobs.output(submission.of("ingest", ingest))
  const feed = await collected(dossier.items(listing.feed({ pageSize: 2 })))
  assert.ok(feed.length > 0 && ["aware", "ignore"].includes(feed[0].verdict))
  assert.ok(Array.isArray((await firstPage(listing.personalizedFeed())).items))
  assert.ok(Array.isArray((await value(resource.storyGroups())).merged_feed))
  await dossier.jobs.output(submission.of("brief", {}))
  assert.ok(Array.isArray((await value(resource.latestBrief())).items))
  const [headline] = (await firstPage(listing.headlines({ pageSize: 1 }))).items
  assert.equal((await value(resource.article(headline.id))).id, headline.id)
  assert.ok(Array.isArray((await firstPage(listing.newsSearch("Apple"))).items))
  assert.equal((await value(resource.newsAvailability())).available, true)
  const summary = await value(resource.summary(headline.id, { formFactor: "watch" }))
  assert.ok(summary.paragraphs.length > 0 && ["model", "original"].includes(summary.source))
  const answer = await dossier.askAboutArticle("What happened?", headline.id, { formFactor: "watch" })
  assert.ok(answer.answer)
  assert.ok(["aware", "ignore"].includes((await dossier.interpret("Apple announces a new product line")).verdict))
})

test("questions about investing and conversations", async () => {
  const answer = await dossier.ask("What is a margin of safety?")
  assert.equal(typeof answer.known, "boolean")
  assert.ok((await firstPage(listing.conversations())).items.some(entry => entry.id === answer.conversation_id))
  const conversation = await value(resource.conversation(answer.conversation_id))
  assert.deepEqual(conversation.messages.map(message => message.role), ["user", "assistant"])
})

test("analyses and recall cards", async () => {
  const feed = await (await fetch(`${service.simulator}/web/feeds/news.xml`)).text()
  const analysis = await dossier.analyze({
    content_url: /https?:[^<"]*\/web\/articles\/[^<"]+/.exec(feed)[0], user_id_hash: "a", goal_id: "g",
    goal_description: "Learn machine learning fundamentals", weak_concepts: ["gradient descent"],
  })
  assert.ok(["triggered", "ignored"].includes(analysis.decision))
  const card = {
    type: "mcq", question: "Which way does gradient descent step?", options: ["Down", "Up", "Left"], answer: "Down",
    concept: "gradient descent", source_span: "It steps down.", source: { url: "https://example.com/descent" },
  }
  const { value: empty } = await dossier.read(resource.recallExport({ limit: 1 }))
  const imported = await dossier.importCards({ ...empty, cards: [card], next_cursor: undefined })
  assert.equal(imported.added, 1)
  const due = (await collected(dossier.items(listing.dueCards()))).find(each => each.question === card.question)
  const grade = await dossier.answerCard(due.id, { answer: "Down" })
  assert.equal(grade.is_right, true)
  assert.equal((await value(resource.recallCard(due.id))).reviews.length, 1)
  assert.ok((await firstPage(listing.recallConcepts())).items.some(each => each.concept === card.concept))
  assert.equal((await dossier.removeCard(due.id)).removed, true)
})

test("the account and the service", async () => {
  const credits = await value(resource.credits())
  assert.equal(credits.granted, credits.remaining + credits.held + credits.used)
  assert.equal((await value(resource.currentUser())).credits.granted, credits.granted)
  assert.equal((await value(resource.health())).status, "ok")
  assert.equal((await value(resource.readiness())).status, "ready")
  assert.match(await value(resource.metrics()), /^# HELP dossier_/)
  assert.equal((await dossier.send("GET", "/api/v1/credits")).granted, credits.granted)
})

test("signing in and renewing", async () => {
  const signedService = await startService({
    DOSSIER_AUTH: "jwt", DOSSIER_JWT_SECRET: jwtSecret, SUPABASE_JWT_SECRET: supabaseSecret,
  })
  try {
    const storage = tokenStorage(memoryStorage())
    const session = new TokenSession({ server: signedService.url, storage, fetch: recordingFetch })
    const now = Math.floor(Date.now() / 1000)
    const claims = { sub: "ada", aud: "authenticated", role: "authenticated", exp: now + 60 }
    await session.signIn(signed(claims, supabaseSecret))
    const request = { method: "GET", url: "", headers: {} }
    await session.authorize(request)
    assert.equal(await session.renew({ code: "AUTH_1001", status: 401 }, request), true)
    assert.equal(await session.account(), "ada")
  } finally {
    await signedService.stop()
  }
})

test("ledger, statement, receipt and deletions", async () => {
  const ledger = (await firstPage(listing.ledger())).items
  const paid = ledger.find(each => each.type === "settle" && each.kind === "research")
  assert.equal((await value(resource.receipt(paid.job_id))).charged, 1)
  assert.equal((await value(resource.statement())).used.research >= 1, true)
  assert.equal((await dossier.deleteReport(paid.job_id)).deleted, true)
  await assert.rejects(dossier.deleteReport(paid.job_id), error => error.status === 404)
  const other = ledger.find(each => each.type === "settle" && each.kind !== "research" && each.job_id)
  assert.equal((await dossier.deleteJob(other.job_id)).deleted, true)
  const [conversation] = (await firstPage(listing.conversations())).items
  assert.equal((await dossier.deleteConversation(conversation.id)).turns_deleted, conversation.turns)
})

test("kinds, and webhooks with their deliveries", async () => {
  const kinds = await dossier.send("GET", "/api/v1/kinds")
  assert.ok(kinds.some(each => each.kind === "research"))
  assert.equal((await dossier.send("GET", "/api/v1/kinds/research")).input.type, "object")
  const path = "/api/v1/webhooks/endpoints"
  const endpoint = await dossier.send("POST", path, {
    body: { url: "https://example.com/hook", events: ["webhook.test"] }, idempotencyKey: "webhook-1",
  })
  assert.match(endpoint.secret, /^whsec_/)
  const mine = `${path}/${endpoint.id}`
  assert.equal((await dossier.send("PATCH", mine, { body: { enabled: false } })).disabled_because, "user")
  assert.equal((await dossier.send("GET", mine)).url, "https://example.com/hook")
  assert.deepEqual((await dossier.send("GET", path)).map(each => each.id), [endpoint.id])
  assert.notEqual((await dossier.send("POST", `${mine}/rotate`, { body: {} })).secret, endpoint.secret)
  const test = await dossier.send("POST", `${mine}/test`, { body: {} })
  const [delivery] = await dossier.send("GET", "/api/v1/webhooks/deliveries")
  assert.deepEqual([delivery.id, delivery.status], [test.delivery_id, "held"])
  await dossier.send("PATCH", mine, { body: { enabled: true } })
  assert.equal((await dossier.send("POST", `${mine}/replay`, { body: {} })).queued, 1)
  await dossier.send("POST", `/api/v1/webhooks/deliveries/${delivery.id}/replay`, { body: {} })
  assert.equal((await dossier.send("DELETE", mine)).deleted, true)
})

test("an archive of the account", async () => {
  const job = await dossier.exportData()
  assert.equal((await dossier.exportData()).id, job.id)
  let state = job
  for (let round = 0; state.status !== "completed" && round < 600; round++) {
    await new Promise(resolve => setTimeout(resolve, 200))
    state = await dossier.send("GET", `/api/v1/jobs/${job.id}`)
  }
  const lines = (await dossier.exportedData()).trimEnd().split("\n").map(line => JSON.parse(line))
  assert.equal(lines[0].type, "export")
  assert.deepEqual(lines.at(-1), { type: "end", lines: lines.length - 1 })
  assert.ok(lines.some(line => line.type === "account"))
})

test("the account goes at last", async () => {
  const deletion = await dossier.deleteAccount()
  await assert.rejects(dossier.send("GET", "/api/v1/users/me"), error => error.code === "AUTH_1006")
  let state = await dossier.deletionStatus(deletion.deletion_id)
  for (let round = 0; state.status !== "completed" && round < 600; round++) {
    await new Promise(resolve => setTimeout(resolve, 200))
    state = await dossier.deletionStatus(deletion.deletion_id)
  }
  assert.equal(state.status, "completed")
})

// The client is for apps: it calls no address of operators and no page.
test("no operation of the description is missing above", async () => {
  const { paths } = await value(resource.openAPI())
  const missing = []
  for (const [path, operations] of Object.entries(paths)) {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`)
    for (const method of Object.keys(operations).map(name => name.toUpperCase())) {
      const isAnswered = [...answered].some(each => {
        const [name, place] = each.split(" ")
        // A path without a parameter is not one of its neighbours with one: `/stocks/search`, `/stocks/{ticker}`.
        return name === method && (place === path || (!(place in paths) && pattern.test(place)))
      })
      const isLeft = path.startsWith("/api/v1/admin/") || path === "/docs"
      if (!isAnswered && !isLeft) missing.push(`${method} ${path}`)
    }
  }
  assert.deepEqual(missing, [])
})
