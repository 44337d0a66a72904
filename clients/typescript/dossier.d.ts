// The client of Dossier for browsers and Node 18. Options are in milliseconds; answers keep the wire's names and texts.
// Every promise and iteration rejects with a `DossierError` or, once its signal has aborted, with the signal's reason.

export * from "./source/wire/open.js"
export * from "./source/wire/comparison.js"
export * from "./source/wire/research.js"
export * from "./source/wire/stocks.js"
export * from "./source/wire/news.js"
export * from "./source/wire/learning.js"
export * from "./source/inputs.js"
export * from "./source/utilities.js"
export * from "./source/access.js"

import type { Authentication, KeyValueStorage } from "./source/access.js"
import type { JobSubmission, Listing, Resource, SavedSubmission } from "./source/inputs.js"
import type {
  AnalysisInput, Analysis, AnswerGrade, ArticleAnswer, EducationAnswer, RecallExport,
} from "./source/wire/learning.js"
import type { Holding, Interpretation, PreferencesChanged } from "./source/wire/news.js"
import type { Open } from "./source/wire/open.js"
import type { Job, ReportStatus, ReportTicket } from "./source/wire/research.js"
import type { WatchlistItem } from "./source/wire/stocks.js"
import type { ConnectivityMonitor, Freshness, RetryBudget, RetryPolicy } from "./source/utilities.js"

/** How a call is cancelled. */
export interface CallOptions {
  /** Aborting rejects the call with the signal's reason at once. Jobs on the server run on. */
  signal?: AbortSignal
}

/** Options of a request that makes a job. */
export interface KeyOptions extends CallOptions {
  /** Makes a repeat safe: requests with one key are one job. A new random key without it. */
  idempotencyKey?: string
}

/** Settings of a `Dossier`. */
export interface DossierOptions {
  /** Scheme, host and port; a path is kept in front of every address. */
  server: string | URL
  /** Says who requests are made for; nobody in particular without it. */
  authentication?: Authentication
  /** Where submissions and answers are stored; in memory without it, which loses them with the process. */
  storage?: KeyValueStorage
  /** Default `RetryPolicy.default`. */
  retryPolicy?: RetryPolicy
  /** Bounds the retries of all calls together; default 30 a minute. */
  retryBudget?: RetryBudget
  /** A request fails after so long without a byte, plus the server's own wait; default 30 s. */
  requestTimeout?: number
  /** A call with all its attempts and pauses fails after so long, plus the server's own wait; default 60 s. */
  deadline?: number
  /** An event stream is given up after so long without a byte; default 45 s. The server sends one every 15 s. */
  streamIdleTimeout?: number
  /** In place of the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** The wall clock by which ages are told; default `Date.now`. */
  now?: () => number | Date
  connectivity?: ConnectivityMonitor
  /** In place of a timer for pauses of retries and followers: for tests. */
  pause?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Characters of answers that are kept in memory; default 50 million. */
  memoryLimit?: number
  /** Characters of answers in the storage; default 200 million. Kept answers do not count and are never evicted. */
  storageLimit?: number
}

/**
 * When the cache is asked and when the network.
 *
 * - `cacheFirst`: fresh from the cache; warm and stale from the cache with a refresh in the background; critical from
 *   the network, or from the cache when there is no answer.
 * - `networkFirst`: from the network; from the cache, whatever its age, when there is no answer. A refusal is thrown.
 * - `cacheOnly`: `CLIENT_NOT_CACHED` when there is nothing.
 * - `networkOnly`: stored all the same.
 * - `staleWhileRevalidate`: from the cache up to this age in milliseconds, refreshed in the background unless fresh.
 */
export type CachePolicy =
  "cacheFirst" | "networkFirst" | "cacheOnly" | "networkOnly" | { staleWhileRevalidate: number }

/** A value with its age. */
export interface Cached<Value> {
  value: Value
  storedAt: Date
  freshness: Freshness
  source: "network" | "cache"
  /** A refresh is under way; `values` delivers it. */
  isRevalidating: boolean
}

/** One page of a list. */
export interface Page<Item> {
  items: Item[]
  /** Leads to the next page; opaque, and absent on the last page. */
  next?: string
  /** Number of items on all pages, where the server counts. */
  totalItems?: number
}

/** An event of a running submission. A failure is thrown. */
export type JobEvent<Output> =
  /** First and once: the server has taken the job; credits are held. */
  | { type: "accepted", job: Job, output?: undefined }
  /** A newer state; revisions only grow, and none comes twice. */
  | { type: "progress", job: Job, output?: undefined }
  /** Last and once: the result has been read. */
  | { type: "completed", job: Job, output: Output }

/** Options of a run. */
export interface RunOptions extends CallOptions {
  /**
   * What happens to the job when the signal aborts; default `leaveRunning`. The caller does not wait for the cancel.
   */
  onCancellation?: "leaveRunning" | "cancelJob"
}

/** Jobs: running, following, ending. */
export interface Jobs {
  /**
   * Runs a submission to its end, or resumes it: after a failed attempt, after a relaunch, from another place.
   *
   * 1. Saves the submission before the first byte is sent, unless it is stored already.
   * 2. Sends it, unless its job is known; stores the job's id.
   * 3. Follows the job as `updates` does, however long the network is away.
   * 4. Reads the result and delivers it; when the next element is asked for, forgets the submission.
   *
   * A final outcome (refused, failed, cancelled) is thrown and the submission is forgotten. Any other error leaves it
   * stored: run it again. A submission that was never acknowledged is not sent any more 24 hours after it was made.
   */
  run<Output>(submission: JobSubmission<Output>, options?: RunOptions): AsyncIterable<JobEvent<Output>>
  /** Runs a submission and returns its result. */
  output<Output>(submission: JobSubmission<Output>, options?: RunOptions): Promise<Output>
  /** Saves and sends a submission; it stays stored until `run` delivers its outcome or it is discarded. */
  submit<Output>(submission: JobSubmission<Output>, options?: CallOptions): Promise<Job>
  /**
   * The job's states until it has ended: the present one first, then each newer one. A job that failed is an element
   * here, not an error. Only a refusal (401, 403, 404) ends it early. Any number of followers share one stream for each
   * fifty jobs. States up to the revision `after` are left out.
   */
  updates(id: string | string[], options?: CallOptions & { after?: number }): AsyncIterable<Job>
  job(id: string, options?: CallOptions): Promise<Job>
  /** The input of a job as the service took it. */
  input<Input = unknown>(id: string, options?: CallOptions): Promise<Input>

  /** The result of a completed job; rejects with the job's own code when it failed. */
  result<Output = unknown>(id: string, options?: CallOptions): Promise<Output>
  /** Ends an unfinished job and releases its credits; a finished one stays as it is. */
  cancel(id: string, options?: CallOptions): Promise<Job>
  /**
   * Starts a failed or cancelled job again, with a new hold of credits; any other stays as it is. When the answer is
   * lost, the job's revision tells whether the server took the request; only if not, it is sent again.
   */
  retry(id: string, options?: CallOptions): Promise<Job>
}

/** Submissions whose outcome has not been delivered yet. */
export interface Submissions {
  /** Those of the account that is signed in, the oldest first. Call it at launch and run each again. */
  unfinished(): Promise<SavedSubmission[]>
  /** Forgets a submission. Does not cancel its job. */
  discard(id: string): Promise<void>
}

/**
 * A connection to a Dossier server: the entry point of this library. Make one for each server and user session.
 *
 * ```js
 * const dossier = new Dossier({ server: "http://127.0.0.1:5001", storage: fileStorage("dossier-client") })
 * for await (const event of dossier.jobs.run(submission.research({ ticker: "AAPL", persona: "buffett" }))) {
 *   if (event.type === "completed") console.log(event.output.report.summary)
 *   else console.log(event.job.progress, event.job.current_step)
 * }
 * ```
 */
export class Dossier {
  constructor(options: DossierOptions)
  readonly server: string
  readonly jobs: Jobs
  readonly submissions: Submissions
  readonly connectivity: ConnectivityMonitor

  /** Reads a resource; equal reads at the same time share one request. Default policy `cacheFirst`. */
  read<Value>(resource: Resource<Value>, options?: CallOptions & { policy?: CachePolicy }): Promise<Cached<Value>>
  /**
   * The stored value at once, when there is one, then every newer value that any read stores. Begins a refresh unless
   * the cached value is fresh. Never ends by itself. A refresh that fails is thrown only when there was no value to
   * show.
   */
  values<Value>(resource: Resource<Value>, options?: CallOptions): AsyncIterable<Cached<Value>>
  /** Reads one page of a list; `after` is `next` of the page before. Default policy `networkFirst`. */
  page<Item>(
    listing: Listing<Item>, options?: CallOptions & { after?: string, policy?: CachePolicy }
  ): Promise<Cached<Page<Item>>>
  /** All items of a list, page after page, read as they are asked for; items that move between pages come once. */
  items<Item>(listing: Listing<Item>, options?: CallOptions): AsyncIterable<Item>

  /** Analyzes an article or a video and waits for the answer, up to 60 s on the server. Costs a credit. */
  analyze(input: AnalysisInput, options?: KeyOptions): Promise<Analysis>
  /** Says whether a text, or the page at an address, matters to an investor. */
  interpret(textOrUrl: string, options?: KeyOptions): Promise<Interpretation>
  /** Asks a question about an article; `conversation` is `conversation_id` of an earlier answer. */
  askAboutArticle(
    question: string, article: string,
    options?: KeyOptions & { conversation?: string, formFactor?: Open<"phone" | "watch"> }
  ): Promise<ArticleAnswer>
  /** Asks a question about investing. */
  ask(question: string, options?: KeyOptions & { conversation?: string }): Promise<EducationAnswer>
  /** Asks for a report. While an equal one is unfinished, the answer is that one; follow it with `jobs.updates`. */
  generateReport(input: { ticker: string, persona: string }, options?: KeyOptions): Promise<ReportTicket>
  /** Compares two to four companies, or what two to six personas make of one. The job's result is a `Comparison`. */
  compare(input: { tickers: string[], personas: string[] }, options?: KeyOptions): Promise<Job>
  /** How a report is doing. `jobs.updates` costs less. */
  reportStatus(id: string, options?: CallOptions): Promise<ReportStatus>
  /** Grades an answer to a recall card, or takes the learner's own rating. */
  answerCard(
    id: string, input: { answer?: string, rating?: Open<"again" | "hard" | "good" | "easy"> }, options?: KeyOptions
  ): Promise<AnswerGrade>
  removeCard(id: string, options?: CallOptions): Promise<{ card_id: string, removed: boolean }>
  /** Takes an export of recall cards (`resource.recallExport`). */
  importCards(
    cards: RecallExport, options?: CallOptions
  ): Promise<{ added: number, updated: number, unchanged: number }>
  /** Changes the user's holdings and how much other news they see; parts that are left out stay. */
  updatePreferences(
    input: { focus?: Open<"focused" | "balanced" | "broad">, holdings?: (string | Holding)[] }, options?: CallOptions
  ): Promise<PreferencesChanged>
  addToWatchlist(ticker: string, options?: CallOptions): Promise<WatchlistItem>
  removeFromWatchlist(ticker: string, options?: CallOptions): Promise<{ ticker: string, removed: boolean }>
  /** Deletes a finished job with its input and its result. The ledger keeps what it cost. */
  deleteJob(id: string, options?: CallOptions): Promise<{ deleted: boolean }>
  /** Deletes a finished report with the passages that conversations cite. */
  deleteReport(id: string, options?: CallOptions): Promise<{ deleted: boolean }>
  /** Deletes a conversation in which no answer is being written. */
  deleteConversation(id: string, options?: CallOptions): Promise<{ turns_deleted: number }>
  /**
   * Erases the account with everything of it, and what is stored of it on this device. Nothing brings it back; from now
   * on the service refuses the account's tokens.
   */
  deleteAccount(options?: CallOptions): Promise<{ deletion_id: string, complete_by: string }>
  /** Tells how far the erasure of an account is. Nobody needs to be signed in for it. */
  deletionStatus(
    id: string, options?: CallOptions
  ): Promise<{ status: Open<"running" | "completed">, completed_at: string | null }>
  /**
   * Asks for an archive of everything that the service keeps of the account, by a job that is free; the same one for an
   * hour. When it has completed, `exportedData` has the archive.
   */
  exportData(options?: CallOptions): Promise<Job>
  /** The newest archive of the account, which is kept for 7 days: lines of JSON. */
  exportedData(options?: CallOptions): Promise<string>
  /** Removes what is stored for the account that is signed in, on this device only. Call it before signing out. */
  forgetLocalData(): Promise<void>
  /**
   * Sends any request with this client's authentication, retries and errors: for addresses of a newer server. The
   * envelope of the native API is taken off. A `POST` is repeated only with a key, or when the server cannot have taken
   * it.
   *
   * @param path From the root, already escaped: `/api/v1/kinds`.
   */
  send<Value = unknown>(
    method: "GET" | "POST" | "PUT" | "DELETE", path: string,
    options?: KeyOptions & { query?: Record<string, string | number | undefined>, body?: unknown }
  ): Promise<Value>
}
