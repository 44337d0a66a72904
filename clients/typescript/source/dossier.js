// The entry point of the library.

import { sleep } from "./abort.js"
import { anonymousAuthentication } from "./authentication.js"
import { ResponseCache } from "./cache.js"
import { Connection } from "./connection.js"
import { ConnectivityMonitor } from "./connectivity.js"
import { Jobs } from "./jobs.js"
import { Reader } from "./reader.js"
import { RetryBudget, RetryPolicy } from "./retry.js"
import { memoryStorage } from "./storage.js"
import { savedSubmission, SubmissionStore } from "./submissions.js"
import { randomId, Transport } from "./transport.js"
import { JobWatcher } from "./watcher.js"

const escape = encodeURIComponent

// Paths whose stored answers a write makes wrong.
const afterJobs = ["/api/v1/credits", "/api/v1/users/me", "/api/v1/research/reports"]
const afterPreferences = [
  "/v1/preferences", "/v1/feed", "/v1/personalized-feed", "/v1/feed/story-groups", "/v1/brief/latest",
]
const watchlist = ["/api/v1/watchlist"]

/** A connection to a Dossier server. The members are described in `dossier.d.ts`. */
export class Dossier {
  #connection
  #reader
  #store

  constructor({
    server, authentication = anonymousAuthentication(), storage = memoryStorage(), retryPolicy = RetryPolicy.default,
    retryBudget = new RetryBudget(), requestTimeout = 30_000, deadline = 60_000, streamIdleTimeout = 45_000, fetch,
    now = Date.now, connectivity = new ConnectivityMonitor(), pause = sleep, memoryLimit, storageLimit,
  }) {
    const clock = () => Number(now())
    this.connectivity = connectivity
    this.#connection = new Connection({
      server, transport: new Transport(fetch), authentication, retryPolicy, retryBudget, requestTimeout, deadline,
      connectivity, pause,
    })
    const cache = new ResponseCache(storage, { memoryLimit, storageLimit })
    this.#reader = new Reader({ connection: this.#connection, cache, now: clock })
    this.#store = new SubmissionStore(storage)
    const invalidate = account => this.#reader.invalidate(account, afterJobs)
    const watcher = new JobWatcher({ connection: this.#connection, streamIdleTimeout, onFinished: invalidate })
    this.jobs = new Jobs({ connection: this.#connection, watcher, store: this.#store, now: clock, invalidate })
    this.submissions = {
      unfinished: async () => {
        const saved = await this.#store.all(await this.#connection.account())
        return saved.map(savedSubmission)
      },
      discard: async id => this.#store.remove(await this.#connection.account(), id),
    }
  }

  /** The server's address. */
  get server() {
    return this.#connection.server
  }

  // MARK: Reading

  read(resource, options) {
    return this.#reader.read(resource, options)
  }

  values(resource, options) {
    return this.#reader.values(resource, options)
  }

  page(listing, options) {
    return this.#reader.page(listing, options)
  }

  items(listing, options) {
    return this.#reader.items(listing, options)
  }

  // MARK: Acting

  analyze(input, options) {
    return this.#ask("/api/analyze", input, 60_000, options, afterJobs)
  }

  interpret(textOrUrl, options) {
    return this.#ask("/v1/interpret", { textOrUrl }, 60_000, options)
  }

  askAboutArticle(question, article, { conversation, formFactor = "phone", ...options } = {}) {
    const body = { question, form_factor: formFactor, conversation_id: conversation }
    const path = `/api/v1/news/articles/${escape(article)}/chat`
    return this.#ask(path, body, 30_000, options, conversations(conversation))
  }

  ask(question, { conversation, ...options } = {}) {
    const body = { question, conversation_id: conversation }
    return this.#ask("/api/v1/education/chat", body, 30_000, options, conversations(conversation))
  }

  generateReport({ ticker, persona }, options) {
    return this.#ask("/api/v1/research/generate", { ticker, investor_persona: persona }, 0, options, afterJobs)
  }

  compare({ tickers, personas }, options) {
    return this.#ask("/api/v1/research/compare", { tickers, investor_personas: personas }, 0, options, afterJobs)
  }

  async reportStatus(id, { signal } = {}) {
    const request = this.#connection.request("GET", `/api/v1/research/reports/${escape(id)}/status`)
    return this.#connection.json(request, { signal, repeatable: true })
  }

  answerCard(id, { answer, rating }, options) {
    const paths = ["/api/v1/recall/concepts", `/api/v1/recall/${escape(id)}`]
    return this.#ask(`/api/v1/recall/${escape(id)}/answers`, { answer, rating }, 30_000, options, paths)
  }

  removeCard(id, options) {
    return this.#write("DELETE", `/api/v1/recall/${escape(id)}`, undefined, [`/api/v1/recall/${escape(id)}`], options)
  }

  /** Takes an export of recall cards. An import may be repeated, since it compares the cards. */
  importCards(cards, { signal } = {}) {
    const request = this.#connection.request("POST", "/api/v1/recall/import", { body: cards })
    return this.#connection.json(request, { signal, repeatable: true })
  }

  updatePreferences({ focus, holdings }, options) {
    return this.#write("PUT", "/v1/preferences", { focus_profile: focus, holdings }, afterPreferences, options)
  }

  addToWatchlist(ticker, options) {
    return this.#write("PUT", `/api/v1/watchlist/${escape(ticker)}`, undefined, watchlist, options)
  }

  removeFromWatchlist(ticker, options) {
    return this.#write("DELETE", `/api/v1/watchlist/${escape(ticker)}`, undefined, watchlist, options)
  }

  deleteJob(id, options) {
    return this.#write("DELETE", `/api/v1/jobs/${escape(id)}`, undefined, deletedJob(id), options)
  }

  deleteReport(id, options) {
    return this.#write("DELETE", `/api/v1/research/reports/${escape(id)}`, undefined, deletedJob(id), options)
  }

  deleteConversation(id, options) {
    return this.#write("DELETE", `/api/v1/conversations/${escape(id)}`, undefined, conversations(id), options)
  }

  async deleteAccount({ signal } = {}) {
    const request = this.#connection.request("DELETE", "/api/v1/users/me", { query: { confirm: "true" } })
    const deletion = await this.#connection.json(request, { signal, repeatable: true })
    await this.forgetLocalData()
    return deletion
  }

  deletionStatus(id, { signal } = {}) {
    const request = this.#connection.request("GET", `/api/v1/deletions/${escape(id)}`)
    return this.#connection.json(request, { signal, repeatable: true })
  }

  exportData({ signal } = {}) {
    const request = this.#connection.request("POST", "/api/v1/users/me/export")
    return this.#connection.json(request, { signal, repeatable: true })
  }

  async exportedData({ signal } = {}) {
    const request = this.#connection.request("GET", "/api/v1/users/me/export")
    return (await this.#connection.send(request, { signal, repeatable: true })).text
  }

  async forgetLocalData() {
    const account = await this.#connection.account()
    await this.#reader.forget(account)
    for (const saved of await this.#store.all(account)) await this.#store.remove(account, saved.id)
  }

  async send(method, path, { query, body, idempotencyKey, signal } = {}) {
    const request = this.#connection.request(method, path, { query, body, idempotencyKey })
    const repeatable = ["GET", "PUT", "DELETE"].includes(method) || idempotencyKey !== undefined
    return this.#connection.json(request, { signal, repeatable })
  }

  // A request that makes a job and waits for it. Its key makes a repeat of a lost answer safe.
  async #ask(path, body, wait, { idempotencyKey = randomId(), signal } = {}, outdated = []) {
    const account = await this.#connection.account()
    const request = this.#connection.request("POST", path, { body, idempotencyKey })
    try {
      return await this.#connection.json(request, { signal, repeatable: true, wait, account })
    } finally {
      if (outdated.length > 0) await this.#reader.invalidate(account, outdated)
    }
  }

  async #write(method, path, body, outdated, { signal } = {}) {
    const account = await this.#connection.account()
    const request = this.#connection.request(method, path, { body })
    try {
      return await this.#connection.json(request, { signal, repeatable: true, account })
    } finally {
      // Also after an error: the write may have been done although its answer was lost.
      await this.#reader.invalidate(account, outdated)
    }
  }
}

const deletedJob = id => [
  "/api/v1/jobs", `/api/v1/jobs/${escape(id)}`, `/api/v1/jobs/${escape(id)}/result`, "/api/v1/research/reports",
  `/api/v1/research/reports/${escape(id)}`,
]
const conversations = id =>
  ["/api/v1/conversations", ...(id === undefined ? [] : [`/api/v1/conversations/${escape(id)}`])]
