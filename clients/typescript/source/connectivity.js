// Connectivity as advice: requests are sent whatever it says.

import { onAbort } from "./abort.js"

/** Whether the server can be reached, learnt from the outcomes of requests and from the app's reports. */
export class ConnectivityMonitor {
  #status = "connecting"
  #listeners = new Set()

  /** `connected`, `disconnected`, or `connecting` while nothing is known. */
  get status() {
    return this.#status
  }

  /** True unless the last sign was a failure. */
  get isConnected() {
    return this.#status !== "disconnected"
  }

  /** Tells what the system knows. `connected` ends the pauses of retries and followers that no answer has asked for. */
  report(status) {
    const changed = status !== this.#status
    this.#status = status
    if (changed) for (const listener of [...this.#listeners]) listener(status)
  }

  /** Calls the listener at each change; returns a function that removes it. */
  onChange(listener) {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** Pauses, or returns early when the monitor changes to connected. */
export async function pauseUntilConnected(milliseconds, { connectivity, pause, signal }) {
  const early = new AbortController()
  const connected = Symbol("connected")
  const removeListener = connectivity.onChange(status => {
    if (status === "connected") early.abort(connected)
  })
  const unlink = onAbort(signal, reason => early.abort(reason))
  try {
    await pause(milliseconds, early.signal)
  } catch (error) {
    if (error !== connected) throw error
  } finally {
    removeListener()
    unlink()
  }
}
