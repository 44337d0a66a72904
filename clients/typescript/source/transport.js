// One attempt of a request: time-outs, redirects, and whether an answer is Dossier's at all.

import { abortable, linkedController, throwIfAborted } from "./abort.js"
import { DossierError, errorOfAnswer, networkError } from "./errors.js"

const version = "1.0"

/** Sends single requests. Rejects with a `DossierError`, or with the signal's reason. */
export class Transport {
  #fetch

  constructor(fetch) {
    this.#fetch = fetch ?? ((...all) => globalThis.fetch(...all))
  }

  /**
   * Sends a request and reads its whole answer.
   * @returns {Promise<{ status: number, headers: Headers, text: string }>} Also for answers that tell of an error.
   */
  async send(request, { timeout, deadline, signal }) {
    const timer = new IdleTimer(timeout, deadline, signal)
    try {
      const response = await this.#open(request, timer)
      const text = await this.#text(response, timer, request)
      return { status: response.status, headers: response.headers, text }
    } finally {
      timer.stop()
    }
  }

  /**
   * Sends a request and yields its answer's body as it arrives; the head is checked by `check(response)`. Fails after
   * `timeout` milliseconds without a byte.
   */
  async *stream(request, { timeout, signal, check }) {
    const timer = new IdleTimer(timeout, Infinity, signal)
    let reader
    try {
      const response = await this.#open(request, timer)
      if (response.status >= 400) throw answerError(response.status, response.headers,
        await this.#text(response, timer, request), request)
      check(response)
      reader = response.body.getReader()
      yield* this.#chunks(reader, timer, request)
    } finally {
      timer.stop()
      reader?.cancel().catch(() => {})
    }
  }

  async #open(request, timer) {
    throwIfAborted(timer.signal)
    let url = request.url
    for (let redirects = 0; ; redirects += 1) {
      let response
      try {
        // A browser's `fetch` refuses to be called as a method.
        const fetch = this.#fetch
        response = await abortable(fetch(url, {
          method: request.method, headers: request.headers, body: request.body, signal: timer.signal,
          redirect: "manual", credentials: "omit", cache: "no-store",
        }), timer.signal)
      } catch (error) {
        throw timer.failure(error, request)
      }
      timer.touch()
      // A redirect to another origin would carry the user's token away, so only the server's own are followed.
      const target = redirectTarget(response, url)
      if (target && request.method === "GET" && redirects < 5) {
        response.body?.cancel().catch(() => {})
        url = target
        continue
      }
      if (!response.headers.get("x-api-version")) {
        response.body?.cancel().catch(() => {})
        throw new DossierError("CLIENT_FOREIGN_ANSWER", {
          status: response.status, message: "The answer is not Dossier's.", requestId: request.headers["X-Request-ID"],
        })
      }
      return response
    }
  }

  async #text(response, timer, request) {
    if (!response.body) return ""
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    let text = ""
    for await (const chunk of this.#chunks(reader, timer, request)) text += decoder.decode(chunk, { stream: true })
    return text + decoder.decode()
  }

  async *#chunks(reader, timer, request) {
    for (;;) {
      let step
      try {
        step = await abortable(reader.read(), timer.signal)
      } catch (error) {
        reader.cancel().catch(() => {})
        throw timer.failure(error, request)
      }
      timer.touch()
      if (step.done) return
      yield step.value
    }
  }
}

function redirectTarget(response, url) {
  const location = response.headers.get("location")
  if (![301, 302, 303, 307, 308].includes(response.status) || !location) return undefined
  const target = new URL(location, url)
  return target.origin === new URL(url).origin ? target.href : undefined
}

/** Aborts after a silence, at a deadline, or with the caller's signal. */
class IdleTimer {
  #timeout
  #timer
  #deadlineTimer
  #unlink
  #controller
  #caller
  #expired = false

  constructor(timeout, deadline, signal) {
    this.#timeout = timeout
    this.#caller = signal
    const { controller, unlink } = linkedController(signal)
    this.#controller = controller
    this.#unlink = unlink
    this.signal = controller.signal
    if (deadline !== Infinity) this.#deadlineTimer = setTimeout(() => this.#expire(), Math.max(0, deadline))
    this.touch()
  }

  #expire() {
    this.#expired = true
    this.#controller.abort(new DOMException("The request took too long.", "TimeoutError"))
  }

  /** A byte has arrived. */
  touch() {
    clearTimeout(this.#timer)
    if (this.#timeout !== Infinity) this.#timer = setTimeout(() => this.#expire(), this.#timeout)
  }

  stop() {
    clearTimeout(this.#timer)
    clearTimeout(this.#deadlineTimer)
    this.#unlink()
    this.#controller.abort()
  }

  /** The error for a rejection under this timer. */
  failure(error, request) {
    if (this.#caller?.aborted) return this.#caller.reason
    const requestId = request.headers["X-Request-ID"]
    if (this.#expired) return new DossierError("CLIENT_TIMED_OUT", { message: "No answer came in time.", requestId })
    return error instanceof DossierError ? error : networkError(error, requestId)
  }
}

/** The JSON of an answer's text; `undefined` when it is none. */
export function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error of an answer with a status from 400 on. */
export function answerError(status, headers, text, request) {
  return errorOfAnswer(status, headers, parsed(text), request.headers["X-Request-ID"])
}

/**
 * Headers that every request has. The request id is new for each attempt, so that the server's log tells them apart.
 */
export function commonHeaders() {
  return { Accept: "application/json", "Accept-Version": version, "X-Request-ID": randomId() }
}

/** A random UUID, also where `crypto.randomUUID` is missing (a page without TLS). */
export function randomId() {
  if (globalThis.crypto?.randomUUID) return crypto.randomUUID()
  const bytes = Uint8Array.from({ length: 16 }, () => Math.floor(Math.random() * 256))
  globalThis.crypto?.getRandomValues?.(bytes)
  bytes[6] = (bytes[6] & 0x0f) | 0x40
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}
