// Checked by tsc and never run: it uses everything that the declarations have.

import {
  anonymousAuthentication, Cached, CachePolicy, ConnectivityMonitor, developmentAuthentication, Dossier, DossierError,
  Explanation, FreshnessPolicy, Interpretation, JobEvent, JobSubmission, listing, memoryStorage, Page, presentError,
  Report, RequestDeduplicator, ResearchReport, resource, RetryBudget, RetryPolicy, SavedSubmission, Stock, submission,
  TokenSession, tokenStorage, webStorage, withRetry,
} from "../dossier.js"
import { fileStorage } from "../node.js"

declare const localStorage: Storage

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const isTrue = <T extends true>(): T | undefined => undefined

export async function everything(): Promise<void> {
  const signal = new AbortController().signal
  const session = new TokenSession({ server: "http://127.0.0.1", storage: tokenStorage(fileStorage("folder")) })
  await session.signIn("token", { signal })
  const state = await session.state()
  if (state.status === "signedIn") state.account.toUpperCase()
  session.onChange(() => {})()
  await session.signOut()
  const account: string = await session.account()

  const connectivity = new ConnectivityMonitor()
  connectivity.onChange(status => status === "connected")()
  connectivity.report("disconnected")
  const shown: boolean = connectivity.isConnected && connectivity.status !== "connecting"

  const dossier = new Dossier({
    server: new URL("http://127.0.0.1:5001/prefix"), authentication: session, storage: webStorage(localStorage),
    retryPolicy: RetryPolicy.aggressive, retryBudget: RetryBudget.unlimited, requestTimeout: 1, deadline: 2,
    streamIdleTimeout: 3, fetch: globalThis.fetch, now: () => new Date(), connectivity, memoryLimit: 1, storageLimit: 2,
  })
  new Dossier({ server: "/", authentication: developmentAuthentication("1"), storage: memoryStorage() })
  new Dossier({ server: "/", authentication: anonymousAuthentication(), now: Date.now })
  // @ts-expect-error A server is needed.
  new Dossier({})

  const tap = submission.research({ ticker: "AAPL", persona: "buffett" }, {
    priority: 1, notBefore: new Date(), idempotencyKey: "key", createdAt: 0,
  })
  isTrue<Equal<typeof tap, JobSubmission<ResearchReport>>>()
  for await (const event of dossier.jobs.run(tap, { onCancellation: "cancelJob", signal })) {
    isTrue<Equal<typeof event, JobEvent<ResearchReport>>>()
    if (event.type === "completed") event.output.report.summary.toUpperCase()
    else event.job.progress.toFixed()
    // @ts-expect-error Only a completed event has an output that is sure to be there.
    event.output.report
  }
  // @ts-expect-error A persona is needed.
  submission.research({ ticker: "AAPL" })
  const explanation = await dossier.jobs.output(submission.explanation({ story_id: 1, holdings: [] }))
  isTrue<Equal<typeof explanation, Explanation>>()
  explanation.explanation.what_happened?.toUpperCase()
  const interpretation = await dossier.jobs.output(submission.interpret("text"))
  isTrue<Equal<typeof interpretation, Interpretation>>()
  if (interpretation.verdict === "aware") interpretation.why.join()
  await dossier.jobs.submit(submission.analyze({
    content_url: "https://example.com", user_id_hash: "a", goal_id: "b", goal_description: "c",
  }))
  await dossier.jobs.submit(submission.summary({ article_id: "1", form_factor: "watch" }), { signal })
  await dossier.jobs.submit(submission.chat({ question: "?", article_id: "1", conversation_id: "2" }))
  await dossier.jobs.submit(submission.education({ question: "?" }))
  await dossier.jobs.submit(submission.training({ symbol: "AAPL", timeframe: "d1", lookbackDays: 90 }))
  await dossier.jobs.submit(submission.forecast({ symbol: "AAPL", horizon: "1W" }))
  const quiz = await dossier.jobs.output(submission.of<{ questions: string[] }>("quiz", { topic: "margins" }))
  quiz.questions.join()
  const saved: SavedSubmission[] = await dossier.submissions.unfinished()
  for (const each of saved) {
    const again: JobSubmission<ResearchReport> = submission.resume<ResearchReport>(each)
    await dossier.jobs.output(again)
    await dossier.submissions.discard(each.id)
    String(each.createdAt.getTime() + (each.jobId ?? each.account) + each.kind + each.body.kind)
  }

  for await (const job of dossier.jobs.updates("id", { after: 3, signal })) job.error?.user_message.toUpperCase()
  for await (const job of dossier.jobs.updates(["id", "id2"])) job.blocked_by?.until?.toUpperCase()
  const job = await dossier.jobs.job("id")
  String(job.revision ?? 0)
  const report = await dossier.jobs.result<ResearchReport>("id", { signal })
  report.facts[0]?.value.toFixed()
  await dossier.jobs.cancel("id")
  await dossier.jobs.retry("id")

  const policies: CachePolicy[] = [
    "cacheFirst", "networkFirst", "cacheOnly", "networkOnly", { staleWhileRevalidate: 1000 },
  ]
  const policy = policies[0] ?? "cacheFirst"
  const stock: Cached<Stock> = await dossier.read(resource.stock("AAPL"), { policy, signal })
  stock.value.quote?.price.toFixed()
  for await (const value of dossier.values(resource.stock("AAPL"), { signal })) value.storedAt.getTime()
  const page: Cached<Page<Report>> = await dossier.page(listing.reports({ pageSize: 5 }), { policy: "networkOnly" })
  if (page.value.next) await dossier.page(listing.reports(), { after: page.value.next })
  for await (const article of dossier.items(listing.headlines({ category: "science" }))) article.title.toUpperCase()
  const reads = [
    resource.fundamentals("AAPL", { period: "quarter", limit: 2 }), resource.prices("AAPL", { interval: "1d" }),
    resource.filings("AAPL"), resource.filing("0000320193-24-000123", { item: "1A", from: 0, limit: 5 }),
    resource.stockSearch("apple", { limit: 3 }), resource.watchlist(), resource.personas(), resource.report("id"),
    resource.reportChanges("id", { since: "other" }), resource.storyGroups({ date: "2026-01-04", limitGlobal: 1 }),
    resource.latestBrief(), resource.preferences(), resource.article("id"), resource.newsAvailability(),
    resource.summary("id", { formFactor: "watch" }), resource.conversation("id"), resource.recallCard("id"),
    resource.recallExport({ limit: 1 }), resource.training({ symbol: "AAPL" }), resource.credits(),
    resource.forecastQuality({ symbol: "AAPL" }), resource.currentUser(), resource.health(), resource.readiness(),
    resource.metrics(), resource.openAPI(),
    resource.of<{ names: string[] }>("/api/v1/kinds", { query: { limit: 1 }, freshness: FreshnessPolicy.lifetime(1) }),
  ]
  for (const each of reads) await dossier.read<unknown>(each)
  const lists = [
    listing.jobs({ status: "failed", kind: "research" }), listing.feed(), listing.personalizedFeed(),
    listing.newsSearch("words", { category: "sports" }), listing.conversations(), listing.dueCards(),
    listing.recallConcepts(), listing.of<{ id: string }>("/api/v1/things"),
  ]
  for (const each of lists) await dossier.page<unknown>(each)

  const analysis = await dossier.analyze({
    content_url: "https://example.com", user_id_hash: "a", goal_id: "b", goal_description: "c", weak_concepts: ["d"],
  }, { idempotencyKey: "key", signal })
  analysis.recall_questions[0]?.options?.join()
  await dossier.interpret("text", { signal })
  await dossier.askAboutArticle("?", "id", { conversation: "c", formFactor: "watch", idempotencyKey: "k" })
  await dossier.ask("?", { conversation: "c" })
  const ticket = await dossier.generateReport({ ticker: "AAPL", persona: "wood" })
  const status = await dossier.reportStatus(ticket.report_id)
  status.steps[0]?.title.toUpperCase()
  await dossier.answerCard("id", { answer: "text", rating: "good" })
  await dossier.removeCard("id")
  await dossier.importCards((await dossier.read(resource.recallExport())).value)
  await dossier.updatePreferences({ focus: "broad", holdings: ["AAPL", { ticker: "BRK.B", label: "Berkshire" }] })
  await dossier.addToWatchlist("AAPL")
  await dossier.removeFromWatchlist("AAPL")
  await dossier.forgetLocalData()
  const sent = await dossier.send<{ status: string }>("POST", "/health", {
    query: { a: 1 }, body: {}, idempotencyKey: "k",
  })
  sent.status.toUpperCase()

  await withRetry(async () => 1, {
    policy: new RetryPolicy({ maximumAttempts: 1, initialDelay: 1, maximumDelay: 1, multiplier: 1, jitter: 0 }), signal,
    isRetryable: error => DossierError.isRetryable(error),
  })
  RetryPolicy.default.delay(2)?.toFixed()
  new RetryBudget({ limit: 1, interval: 1, now: () => 0 }).take()
  const error = new DossierError("BIZ_2001", { status: 403, message: "m", details: { required: 1 }, fields: [] })
  if (error.category === "credits" && !error.isRetryable) presentError(error)?.supportCode?.toUpperCase()
  const flights = new RequestDeduplicator<string, number>()
  const one: number = await flights.value("a", async inner => Number(inner.aborted), { signal })
  flights.cancel("a")
  flights.cancelAll()
  String(one + flights.inFlightCount) + account + shown + FreshnessPolicy.standard.freshness(1)
}
