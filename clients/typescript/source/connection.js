// Requests with authentication, retries, budget and deadline: what every call of the library goes through.

import { sleep, throwIfAborted } from "./abort.js"
import { pauseUntilConnected } from "./connectivity.js"
import { DossierError, isNotSent } from "./errors.js"
import { pauseBefore } from "./retry.js"
import { answerError, commonHeaders, parsed } from "./transport.js"

/** A server with the way to sign requests to it. */
export class Connection {
  constructor({
    server, transport, authentication, retryPolicy, retryBudget, requestTimeout, deadline, connectivity, pause = sleep,
  }) {
    Object.assign(this, {
      server: String(server).replace(/\/+$/, ""), transport, authentication, retryPolicy, retryBudget, requestTimeout,
      deadline, connectivity, pause,
    })
  }

  account() {
    return this.authentication.account()
  }

  /** A request without the headers of an attempt. `path` is escaped and begins at the root. */
  request(method, path, { query = {}, body, idempotencyKey, headers = {} } = {}) {
    const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
    const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
    const all = { ...headers }
    if (body !== undefined) all["Content-Type"] = "application/json"
    if (idempotencyKey !== undefined) all["Idempotency-Key"] = idempotencyKey
    return {
      method, url: this.server + path + (search ? (path.includes("?") ? "&" : "?") + search : ""), headers: all,
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    }
  }

  /**
   * Sends a request once, or twice when the first answer was a 401 and the session could be renewed.
   *
   * `account` is the one for which the request is made: when another user has signed in meanwhile, nothing is sent.
   */
  async attempt(request, options) {
    return this.#authorized(request, options, async signed => {
      const answer = await this.transport.send(signed, options)
      if (answer.status >= 400) throw answerError(answer.status, answer.headers, answer.text, signed)
      return answer
    })
  }

  /** The body of an answer as it arrives; see `attempt`. */
  async *stream(request, options) {
    let open
    const first = await this.#authorized(request, options, async signed => {
      open = this.transport.stream(signed, options)
      return open.next()
    })
    try {
      if (first.done) return
      yield first.value
      yield* open
    } finally {
      open.return()
    }
  }

  async #authorized(request, { account, signal, onSend }, send) {
    for (let renewed = false; ; renewed = true) {
      throwIfAborted(signal)
      const signed = { ...request, headers: { ...request.headers, ...commonHeaders() } }
      if (request.headers.Accept) signed.headers.Accept = request.headers.Accept
      await this.authentication.authorize(signed, { signal })
      if (account !== undefined && await this.account() !== account) {
        throw new DossierError("CLIENT_SIGNED_OUT", { message: "Another account has signed in." })
      }
      throwIfAborted(signal)
      onSend?.()
      try {
        const answer = await send(signed)
        this.connectivity.report("connected")
        return answer
      } catch (error) {
        throwIfAborted(signal)
        if (!(error instanceof DossierError)) throw error
        this.connectivity.report(error.category === "network" ? "disconnected" : "connected")
        const renews = error.status === 401 && !renewed && error.category !== "network"
        if (!renews || !await this.authentication.renew(error, signed, { signal })) throw error
      }
    }
  }

  /**
   * Sends a request with all its attempts and pauses.
   *
   * `repeatable` says that a lost answer may be asked for again; otherwise only a request that the server has not taken
   * is repeated. `wait` is the time in milliseconds that the server itself may wait before it answers.
   */
  async send(request, { signal, repeatable = false, wait = 0, account, policy = this.retryPolicy, onSend } = {}) {
    const end = performance.now() + this.deadline + wait
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(request, {
          timeout: this.requestTimeout + wait, deadline: end - performance.now(), signal, account, onSend,
        })
      } catch (error) {
        throwIfAborted(signal)
        const mayRepeat = DossierError.isRetryable(error) && (repeatable || error.status === 429 || isNotSent(error))
        const pause = mayRepeat ? pauseBefore(attempt + 1, policy, error.retryAfter) : undefined
        if (pause === undefined || performance.now() + pause > end || !this.retryBudget.take()) throw error
        if (error.retryAfter === undefined) await pauseUntilConnected(pause, { ...this, signal })
        else await this.pause(pause, signal)
      }
    }
  }

  /** Sends a request and reads the JSON of its answer, without the envelope of the native API. */
  async json(request, options) {
    const answer = await this.send(request, options)
    return unwrapped(value(answer))
  }
}

/** The JSON of an answer, or the error that says that it cannot be read. */
export function value(answer) {
  const found = parsed(answer.text)
  if (found !== undefined) return found
  throw new DossierError("CLIENT_UNREADABLE_ANSWER", {
    status: answer.status, message: "The answer is no JSON.",
    requestId: answer.headers.get("x-request-id") ?? undefined,
  })
}

/** The data of the native API's envelope; other bodies as they are. */
export function unwrapped(body) {
  const isEnvelope = body?.success === true && "data" in body && "meta" in body
  return isEnvelope ? body.data : body
}
