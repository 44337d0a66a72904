// Retries: how often, after which pauses, and out of which shared allowance.

import { sleep, throwIfAborted } from "./abort.js"
import { DossierError } from "./errors.js"

/** How often and after which pauses a failed request is sent again. Times are in milliseconds. */
export class RetryPolicy {
  constructor({ maximumAttempts, initialDelay, maximumDelay, multiplier, jitter = 0.5 }) {
    Object.assign(this, { maximumAttempts, initialDelay, maximumDelay, multiplier, jitter })
  }

  /** The longest pause before an attempt (the first one is 1); `undefined` when there is none left. */
  delay(attempt) {
    if (attempt > this.maximumAttempts) return undefined
    if (attempt <= 1) return 0
    return Math.min(this.initialDelay * this.multiplier ** (attempt - 2), this.maximumDelay)
  }

  /** 3 attempts, 1 s, 10 s, × 2. */
  static default = new RetryPolicy({ maximumAttempts: 3, initialDelay: 1000, maximumDelay: 10_000, multiplier: 2 })
  /** 2 attempts, 2 s, 15 s, × 2.5: for expensive work. */
  static conservative =
    new RetryPolicy({ maximumAttempts: 2, initialDelay: 2000, maximumDelay: 15_000, multiplier: 2.5 })
  /** 5 attempts, 0.5 s, 8 s, × 1.8: for work that the user waits for. */
  static aggressive = new RetryPolicy({ maximumAttempts: 5, initialDelay: 500, maximumDelay: 8000, multiplier: 1.8 })
  /** One attempt. */
  static never = new RetryPolicy({ maximumAttempts: 1, initialDelay: 0, maximumDelay: 0, multiplier: 1 })
}

/** The pause before an attempt in milliseconds, shortened by chance and never shorter than the server asks for. */
export function pauseBefore(attempt, policy, retryAfter, random = Math.random) {
  const longest = policy.delay(attempt)
  if (longest === undefined) return undefined
  return Math.max(longest * (1 - policy.jitter * random()), (retryAfter ?? 0) * 1000)
}

/** A shared allowance of retries. When it is empty, the first failure is final. */
export class RetryBudget {
  #limit
  #perMillisecond
  #left
  #at
  #now

  /** `limit` retries in hand, of which as many come back evenly in each `interval` (milliseconds). */
  constructor({ limit = 30, interval = 60_000, now = () => performance.now() } = {}) {
    this.#limit = limit
    this.#left = limit
    this.#perMillisecond = limit / interval
    this.#now = now
    this.#at = Number(now())
  }

  /** Takes one retry; false when none is left. */
  take() {
    const now = Number(this.#now())
    const elapsed = Math.max(0, now - this.#at)
    this.#at = now
    this.#left = Math.min(this.#limit, this.#left + elapsed * this.#perMillisecond)
    if (this.#left < 1) return false
    if (this.#limit !== Infinity) this.#left -= 1
    return true
  }

  /** A budget that is never empty. */
  static get unlimited() {
    return new RetryBudget({ limit: Infinity, interval: Infinity })
  }
}

/**
 * Runs an operation again while it fails in a way that may pass. Waits at least as long as `retryAfter` of the error
 * says. Rejects with the last error, or with the signal's reason as soon as that aborts.
 */
export async function withRetry(operation, {
  policy = RetryPolicy.default, isRetryable = DossierError.isRetryable, signal, pause = sleep,
} = {}) {
  for (let attempt = 1; ; attempt += 1) {
    throwIfAborted(signal)
    try {
      return await operation(signal)
    } catch (error) {
      throwIfAborted(signal)
      const wait = isRetryable(error) ? pauseBefore(attempt + 1, policy, error?.retryAfter) : undefined
      if (wait === undefined) throw error
      await pause(wait, signal)
    }
  }
}
