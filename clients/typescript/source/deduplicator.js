// Single flight: one operation for all callers who ask for the same thing at the same time.

import { abortable, throwIfAborted } from "./abort.js"

/** Runs an operation once for all who ask for the same key at the same time. Nothing is remembered after its end. */
export class RequestDeduplicator {
  #flights = new Map()

  /**
   * The value of the operation under the key. A waiter whose signal aborts rejects at once and leaves the others alone;
   * the operation is aborted with its last waiter.
   */
  async value(key, operation, { signal } = {}) {
    throwIfAborted(signal)
    let flight = this.#flights.get(key)
    if (!flight) {
      const controller = new AbortController()
      flight = { controller, waiters: 0 }
      this.#flights.set(key, flight)
      const promise = (async () => operation(controller.signal))()
      flight.promise = abortable(promise, controller.signal).finally(() => this.#remove(key, flight))
      flight.promise.catch(() => {})
    }
    flight.waiters += 1
    try {
      return await abortable(flight.promise, signal)
    } finally {
      flight.waiters -= 1
      if (flight.waiters === 0 && signal?.aborted) {
        this.#remove(key, flight)
        flight.controller.abort(signal.reason)
      }
    }
  }

  #remove(key, flight) {
    if (this.#flights.get(key) === flight) this.#flights.delete(key)
  }

  /** Aborts the operation; all who wait for it reject with an `AbortError`. */
  cancel(key) {
    const flight = this.#flights.get(key)
    if (!flight) return
    this.#flights.delete(key)
    flight.controller.abort(new DOMException("The operation was cancelled.", "AbortError"))
  }

  /** Aborts all operations. */
  cancelAll() {
    for (const key of [...this.#flights.keys()]) this.cancel(key)
  }

  /** The number of operations under way. */
  get inFlightCount() {
    return this.#flights.size
  }
}
