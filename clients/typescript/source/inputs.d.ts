// What jobs are asked with, and what can be read.

import type { FreshnessPolicy } from "./utilities.js"
import type {
  Analysis, AnalysisInput, ArticleAnswer, ConceptStanding, Conversation, ConversationEntry, Credits,
  CreditStatement, DueCard, EducationAnswer, LedgerEntry, RecallCard, RecallExport, Receipt, User,
} from "./wire/learning.js"
import type {
  Article, ArticleSummary, Interpretation, NewsAvailability, PersonalizedSignal, Preferences, Signal, StoryExplanation,
  StoryGroups,
} from "./wire/news.js"
import type { Open } from "./wire/open.js"
import type { Comparison } from "./wire/comparison.js"
import type { Job, Persona, Provenance, Report, ReportChanges, ResearchReport } from "./wire/research.js"
import type {
  FiledText, ForecastQuality, Fundamentals, ListedFiling, Prices, Stock, StockMatch, TrainingResult, WatchlistItem,
} from "./wire/stocks.js"

/** Input of a training or of a forecast. */
export interface ForecastInput {
  symbol: string
  /** Default `d1`. */
  timeframe?: Open<"d1" | "h1">
  /** Default `1D`. */
  horizon?: Open<"1D" | "1W" | "1M">
  /** 60 to 3650 days to learn from. */
  lookbackDays?: number
}

/** An explanation of a story of the service, or of articles that the app brings along. */
export type ExplanationInput =
  | { story_id: number, holdings?: string[] }
  | {
    articles: { title: string, source: string, url: string, text: string, published_at?: string }[]
    title?: string
    holdings?: string[]
  }

/** The result of a job of kind `explanation`. */
export interface Explanation {
  explanation: StoryExplanation
  /** The holdings that it speaks of. */
  holdings: string[]
  provenance: Provenance
}

/** The brief of the day; empty before the first one. */
export interface Brief {
  items: Signal[]
  generated_at: string | null
}

/** Options of a submission. */
export interface SubmissionOptions {
  /** -100 to 100; orders the user's own jobs. */
  priority?: number
  notBefore?: Date | number | string
  /**
   * The milliseconds within which the result is needed, an hour to a day: the job's model calls may then go by batch,
   * at half the price. The job's `estimated_at` says when to expect it.
   */
  within?: number
  /** A new random key without it. */
  idempotencyKey?: string
  /** Default now. */
  createdAt?: Date | number | string
}

/**
 * One tap of a user. However often it is sent, by retries, by a second tap on "Try again" or after a relaunch, it is
 * one job and one credit. A new intention is a new submission.
 */
export interface JobSubmission<Output> {
  /** The idempotency key. */
  readonly id: string
  readonly kind: string
  /** The body of `POST /api/v1/jobs`. */
  readonly body: unknown
  readonly createdAt: Date
  readonly account?: string
  readonly jobId?: string
  /** Only for the type checker. */
  readonly "~output"?: Output
}

/** A submission as it is stored. */
export interface SavedSubmission {
  readonly id: string
  /** The account that tapped; another account never sees or sends it. */
  readonly account: string
  readonly kind: string
  /** The body of `POST /api/v1/jobs`, which is sent as it was stored. */
  readonly body: { kind: string, input: Record<string, unknown>, priority?: number, run_at?: string, within?: number }
  readonly createdAt: Date
  /** Known once the server has accepted it. */
  readonly jobId?: string
}

type Make<Input, Output> = (input: Input, options?: SubmissionOptions) => JobSubmission<Output>

/** Makes submissions, by kind of job. */
export const submission: {
  readonly research: Make<{ ticker: string, persona: string }, ResearchReport>
  /** Two to four tickers with one persona, or one ticker with two to six personas. */
  readonly comparison: Make<{ tickers: string[], personas: string[] }, Comparison>
  readonly explanation: Make<ExplanationInput, Explanation>
  readonly analyze: Make<AnalysisInput, Analysis>
  readonly interpret: Make<string | { textOrUrl: string }, Interpretation>
  readonly summary: Make<{ article_id: string, form_factor?: Open<"phone" | "watch"> }, ArticleSummary>
  readonly chat: Make<
    { question: string, article_id: string, conversation_id?: string, form_factor?: Open<"phone" | "watch"> },
    ArticleAnswer
  >
  readonly education: Make<{ question: string, conversation_id?: string }, EducationAnswer>
  readonly training: Make<ForecastInput, TrainingResult>
  readonly forecast: Make<ForecastInput, ForecastQuality>
  /** A job of a kind that was added on the server as a file. */
  of<Output = unknown>(kind: string, input: unknown, options?: SubmissionOptions): JobSubmission<Output>
  /** A stored submission, to run it again. */
  resume<Output = unknown>(saved: SavedSubmission): JobSubmission<Output>
}

/** Something that can be read and cached. Equal resources have equal names. */
export interface Resource<Value> {
  readonly name: string
  readonly path: string
  readonly freshness: FreshnessPolicy
  /** Never evicted, only replaced or removed: answers that the user expects to find offline. */
  readonly isKept: boolean
  /** Only for the type checker. */
  readonly "~value"?: Value
}

/** A list that comes in pages. */
export interface Listing<Item> {
  readonly name: string
  readonly path: string
  readonly freshness: FreshnessPolicy
  /** Only for the type checker. */
  readonly "~item"?: Item
}

type Query = Record<string, string | number | undefined>

/** Values that can be read. */
export const resource: {
  /** Fresh for a minute. */
  stock(ticker: string): Resource<Stock>
  fundamentals(
    ticker: string, options?: { period?: Open<"annual" | "quarter" | "ttm" | "all">, limit?: number }
  ): Resource<Fundamentals[]>
  /** `from` and `to` are days. */
  prices(ticker: string, options?: { interval?: Open<"1d" | "1h">, from?: string, to?: string }): Resource<Prices>
  filings(ticker: string): Resource<ListedFiling[]>
  /** Of a filing that was listed before; all items without `item`. */
  filing(accession: string, options?: { item?: string, from?: number, limit?: number }): Resource<FiledText>
  stockSearch(text: string, options?: { limit?: number }): Resource<StockMatch[]>
  watchlist(): Resource<WatchlistItem[]>
  personas(): Resource<Persona[]>
  /** A finished report is fresh for seven days and kept. An unfinished one is not stored. */
  report(id: string): Resource<Report>
  /** How a report differs from the report `since`. */
  reportChanges(id: string, options: { since: string }): Resource<ReportChanges>
  /** `date` is a day; today without it. */
  storyGroups(options?: { date?: string, limitGlobal?: number, limitPerTicker?: number }): Resource<StoryGroups>
  latestBrief(): Resource<Brief>
  preferences(): Resource<Preferences>
  article(id: string): Resource<Article>
  /** Made once for everybody and free. A summary whose source is `original` is not stored. */
  summary(article: string, options?: { formFactor?: Open<"phone" | "watch"> }): Resource<ArticleSummary>
  newsAvailability(): Resource<NewsAvailability>
  conversation(id: string): Resource<Conversation>
  recallCard(id: string): Resource<RecallCard>
  /** At most `limit` cards after `cursor`; never cached. */
  recallExport(options?: { limit?: number, cursor?: string }): Resource<RecallExport>
  training(input: ForecastInput): Resource<TrainingResult>
  forecastQuality(input: ForecastInput): Resource<ForecastQuality>
  /** Read again after every job that this client sees end. */
  credits(): Resource<Credits>
  /** The sums of a month such as `2026-11`; without one, of this month. */
  statement(options?: { month?: string }): Resource<CreditStatement>
  /** What a job cost. */
  receipt(job: string): Resource<Receipt>
  currentUser(): Resource<User>
  /** Never cached, like the three that follow. */
  health(): Resource<{ status: string }>
  readiness(): Resource<{ status: string, database: string, worker: string }>
  /** Prometheus's text format. */
  metrics(): Resource<string>
  openAPI(): Resource<{ openapi: string, paths: Record<string, Record<string, unknown>> }>
  /** Any address, such as one of a newer server. */
  of<Value = unknown>(
    path: string, options?: { query?: Query, freshness?: FreshnessPolicy, isKept?: boolean }
  ): Resource<Value>
}

/** Lists that come in pages. */
export const listing: {
  /** Newest first; never cached. */
  jobs(options?: { status?: string, kind?: string, pageSize?: number }): Listing<Job>
  reports(options?: { pageSize?: number }): Listing<Report>
  feed(options?: { pageSize?: number }): Listing<Signal>
  personalizedFeed(options?: { pageSize?: number }): Listing<PersonalizedSignal>
  headlines(options?: { category?: string, pageSize?: number }): Listing<Article>
  newsSearch(words: string, options?: { category?: string, pageSize?: number }): Listing<Article>
  conversations(options?: { pageSize?: number }): Listing<ConversationEntry>
  /** The longest due first; never cached. */
  dueCards(options?: { pageSize?: number }): Listing<DueCard>
  /** The movements of the user's credits, newest first. */
  ledger(options?: { pageSize?: number }): Listing<LedgerEntry>
  recallConcepts(options?: { pageSize?: number }): Listing<ConceptStanding>
  /** Any address with `cursor` or `page`, such as one of a newer server. */
  of<Item = unknown>(path: string, options?: { query?: Query, freshness?: FreshnessPolicy }): Listing<Item>
}
