// Errors, retries, freshness, single flight and connectivity.

import type { Open } from "./wire/open.js"

/** What an app could offer after an error. */
export type ErrorAction = Open<"retry" | "wait" | "upgrade" | "reauthenticate" | "go_back">

/** What sort of error it is. */
export type ErrorCategory =
  | "network" | "rateLimit" | "server" | "authentication" | "credits" | "notFound" | "invalidInput" | "job"
  | "unreadable" | "storage" | "other"

/**
 * The server's codes, and those of this library: no connection (`CLIENT_OFFLINE`), no server there
 * (`CLIENT_CANNOT_CONNECT`), an answer that broke off (`CLIENT_CONNECTION_LOST`) or did not come in time
 * (`CLIENT_TIMED_OUT`) or is not Dossier's (`CLIENT_FOREIGN_ANSWER`) or is of no known form
 * (`CLIENT_UNREADABLE_ANSWER`); nothing stored (`CLIENT_NOT_CACHED`), a submission of more than 24 hours
 * (`CLIENT_SUBMISSION_EXPIRED`), a job that ended as cancelled (`CLIENT_JOB_CANCELLED`), nobody signed in
 * (`CLIENT_SIGNED_OUT`), a storage that failed (`CLIENT_STORAGE_FAILED`).
 */
export type ErrorCode = Open<
  | "AUTH_1001" | "AUTH_1002" | "AUTH_1003" | "AUTH_1006" | "BIZ_2001" | "BIZ_2002" | "BIZ_2003" | "BIZ_2004"
  | "BIZ_2005" | "BIZ_2006" | "BIZ_2007" | "BIZ_2008" | "BIZ_2009" | "VAL_3001" | "VAL_3002" | "VAL_3003" | "VAL_3004"
  | "VAL_3005" | "VAL_3006" | "EXT_4001" | "EXT_4002" | "EXT_4003" | "EXT_4004" | "EXT_4005" | "EXT_4006" | "SYS_5001"
  | "SYS_5002" | "SYS_5003" | "SYS_5004" | "CLIENT_OFFLINE" | "CLIENT_CANNOT_CONNECT" | "CLIENT_CONNECTION_LOST"
  | "CLIENT_TIMED_OUT" | "CLIENT_FOREIGN_ANSWER" | "CLIENT_UNREADABLE_ANSWER" | "CLIENT_NOT_CACHED"
  | "CLIENT_SUBMISSION_EXPIRED" | "CLIENT_JOB_CANCELLED" | "CLIENT_SIGNED_OUT" | "CLIENT_STORAGE_FAILED"
>

/** Why a call did not bring what was asked for. `message` is for developers and holds no token, body or address. */
export class DossierError extends Error {
  constructor(code: ErrorCode, members?: Partial<Omit<DossierError, "name" | "code" | "category" | "isRetryable">>)
  readonly code: ErrorCode
  /** Absent when no answer came. */
  readonly status?: number
  /** The server's own words for the person who uses the app. */
  readonly userMessage?: string
  readonly action?: ErrorAction
  /** In seconds. */
  readonly retryAfter?: number
  /** Also known when no answer came: the client names each attempt. */
  readonly requestId?: string
  /** The job that the error is about. Such an error tells of an outcome and is never retried. */
  readonly jobId?: string
  /** The fields of the request that are wrong, such as `["known_concepts", "1"]`. */
  readonly fields: { path: string[], message: string }[]
  readonly details: Record<string, unknown>
  readonly category: ErrorCategory
  /** True for what may pass by itself. */
  readonly isRetryable: boolean
  /** The default of `withRetry`. */
  static isRetryable(error: unknown): boolean
}

/** An error as an app shows it. Texts are English; apps in other languages translate by code. */
export interface ErrorPresentation {
  title: string
  message: string
  /** Name of an SF Symbol. */
  systemImage: string
  action?: ErrorAction
  /** For support: code and request id, as in `BIZ_2003 · 3k5yxc1xf245j-9`. */
  supportCode?: string
}

/** The words for an error; `undefined` for a cancellation, which needs none. */
export function presentError(error: unknown): ErrorPresentation | undefined

/** How often and after which pauses a failed request is sent again. */
export class RetryPolicy {
  constructor(members: {
    maximumAttempts: number, initialDelay: number, maximumDelay: number, multiplier: number, jitter?: number
  })
  /** All attempts together, the first one included. */
  readonly maximumAttempts: number
  readonly initialDelay: number
  readonly maximumDelay: number
  readonly multiplier: number
  /** The share of a pause that is random, 0 to 1: with 0.5 a pause of 2 s takes 1 to 2 s. */
  readonly jitter: number
  /** The longest pause before an attempt (the first one is 1); `undefined` when there is none left. */
  delay(attempt: number): number | undefined
  /** 3 attempts, 1 s, 10 s, × 2. */
  static readonly default: RetryPolicy
  /** 2 attempts, 2 s, 15 s, × 2.5: for expensive work. */
  static readonly conservative: RetryPolicy
  /** 5 attempts, 0.5 s, 8 s, × 1.8: for work that the user waits for. */
  static readonly aggressive: RetryPolicy
  /** One attempt. */
  static readonly never: RetryPolicy
}

/** A shared allowance of retries, so that many calls do not add to an outage. */
export class RetryBudget {
  /** `limit` (30) retries at first and at most, of which as many come back evenly in each `interval` (60,000). */
  constructor(members?: { limit?: number, interval?: number, now?: () => number | Date })
  /** Takes one retry; false when none is left, which makes the first failure final. */
  take(): boolean
  static readonly unlimited: RetryBudget
}

/**
 * Runs an operation again while it fails in a way that may pass. Waits at least as long as the error's `retryAfter`.
 */
export function withRetry<Value>(
  operation: (signal?: AbortSignal) => Promise<Value>,
  options?: {
    policy?: RetryPolicy, isRetryable?: (error: unknown) => boolean, signal?: AbortSignal
    pause?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  }
): Promise<Value>

/** How old a cached value is: used as it is, refreshed, shown with a warning, or read anew before it is used. */
export type Freshness = "fresh" | "warm" | "stale" | "critical"

/** The ages in milliseconds at which the tiers `warm`, `stale` and `critical` begin. */
export class FreshnessPolicy {
  constructor(ages: { fresh: number, warm: number, stale: number })
  readonly fresh: number
  readonly warm: number
  readonly stale: number
  /** The tier of an age; a negative age (the clock was set back) is critical. */
  freshness(age: number): Freshness
  /** Fresh for so long, warm for six times, stale for 72 times as long. */
  static lifetime(milliseconds: number): FreshnessPolicy
  /** 5 minutes, 30 minutes, 6 hours. */
  static readonly standard: FreshnessPolicy
  /** Read each time and never stored. */
  static readonly never: FreshnessPolicy
}

/** Runs an operation once for all who ask for the same key at the same time. Nothing is remembered after its end. */
export class RequestDeduplicator<Key = string, Value = unknown> {
  /** The operation is aborted with its last waiter; a waiter whose signal aborts leaves the others alone. */
  value(
    key: Key, operation: (signal: AbortSignal) => Promise<Value> | Value, options?: { signal?: AbortSignal }
  ): Promise<Value>
  /** Aborts the operation; all who wait for it reject with an `AbortError`. */
  cancel(key: Key): void
  cancelAll(): void
  readonly inFlightCount: number
}

/** Whether the server can be reached, as advice; `connecting` while nothing is known. */
export type ConnectivityStatus = "connected" | "disconnected" | "connecting"

/** Learns from the outcomes of requests; a browser app can feed it from the events `online` and `offline`. */
export class ConnectivityMonitor {
  readonly status: ConnectivityStatus
  /** True unless the last sign was a failure. */
  readonly isConnected: boolean
  /** Tells what the system knows. A change to connected ends the pauses of retries and followers at once. */
  report(status: ConnectivityStatus): void
  /** Calls the listener at each change; returns a function that removes it. */
  onChange(listener: (status: ConnectivityStatus) => void): () => void
}
