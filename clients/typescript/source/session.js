// The session of a signed-in user: one renewal at a time, and tokens that never leave it but to their server.

import { sleep } from "./abort.js"
import { anonymousAuthentication } from "./authentication.js"
import { Connection } from "./connection.js"
import { ConnectivityMonitor } from "./connectivity.js"
import { RequestDeduplicator } from "./deduplicator.js"
import { DossierError } from "./errors.js"
import { RetryBudget, RetryPolicy } from "./retry.js"
import { Transport } from "./transport.js"

// A token is renewed ahead of time when it ends within this many milliseconds.
const ahead = 60_000

/** Exchanges a token of Supabase, renews access tokens, and keeps both. The rules are in `dossier.d.ts`. */
export class TokenSession {
  #connection
  #storage
  #now
  #renewals = new RequestDeduplicator()
  #tokens
  #loaded = false
  #expired = false
  #account = ""
  // Counts sign-ins and sign-outs, so that a renewal that returns after one stores nothing.
  #epoch = 0
  #listeners = new Set()

  constructor({ server, storage, fetch, now = Date.now, pause = sleep }) {
    this.#storage = storage
    this.#now = () => Number(now())
    this.#connection = new Connection({
      server, transport: new Transport(fetch), authentication: anonymousAuthentication(), pause,
      retryPolicy: RetryPolicy.default, retryBudget: new RetryBudget(), requestTimeout: 30_000, deadline: 60_000,
      connectivity: new ConnectivityMonitor(),
    })
  }

  /** `{ status }` with `signedOut`, `expired` (the server refused to renew) or `signedIn`, then with the `account`. */
  async state() {
    await this.#load()
    if (this.#tokens) return { status: "signedIn", account: this.#account }
    return { status: this.#expired ? "expired" : "signedOut" }
  }

  /** Calls the listener after each change of the state; returns a function that removes it. */
  onChange(listener) {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The account of the access token (`sub`, unverified); empty when nobody has signed in. */
  async account() {
    await this.#load()
    return this.#account
  }

  /** Exchanges a token of Supabase for a session. */
  async signIn(supabaseToken, { signal } = {}) {
    const epoch = ++this.#epoch
    const tokens = await this.#exchange("/api/v1/auth/token", { supabase_token: supabaseToken }, { signal })
    if (epoch !== this.#epoch) return
    await this.#stored(async () => {
      for (;;) if (await this.#storage.replace(await this.#storage.load(), tokens)) break
    })
    this.#take(tokens)
  }

  /** Removes the tokens from the storage. */
  async signOut() {
    this.#epoch += 1
    this.#loaded = true
    this.#expired = false
    this.#tokens = undefined
    this.#account = ""
    await this.#stored(async () => {
      for (;;) if (await this.#storage.replace(await this.#storage.load(), undefined)) break
    })
    this.#notify()
  }

  /** Signs a request; renews ahead of time. */
  async authorize(request, { signal } = {}) {
    await this.#load()
    if (!this.#tokens) throw this.#missing()
    const rest = this.#endsAt() - this.#now()
    if (rest <= ahead) {
      try {
        await this.#renewal(this.#tokens, signal)
      } catch (error) {
        // Want of an answer: the token is used while it holds.
        if (!(error instanceof DossierError) || !error.isRetryable || rest <= 0) throw error
      }
    }
    if (!this.#tokens) throw this.#missing()
    request.headers.Authorization = `Bearer ${this.#tokens.accessToken}`
  }

  /** Called after a 401: true when the request may be sent again. */
  async renew(error, rejected, { signal } = {}) {
    await this.#load()
    const token = rejected.headers.Authorization?.replace(/^Bearer /, "")
    if (this.#tokens && token !== this.#tokens.accessToken) return true
    if (!this.#tokens || error.code !== "AUTH_1001") return false
    await this.#renewal(this.#tokens, signal)
    return this.#tokens !== undefined
  }

  #renewal(old, signal) {
    return this.#renewals.value("renewal", () => this.#renewNow(old), { signal })
  }

  async #renewNow(old) {
    const epoch = this.#epoch
    // A waiter that comes late finds the work done.
    if (this.#tokens !== old) return
    const winner = await this.#stored(() => this.#storage.load())
    if (epoch !== this.#epoch) return
    if (winner && winner.accessToken !== old.accessToken) return this.#take(winner)
    let tokens
    try {
      tokens = await this.#exchange("/api/v1/auth/refresh", { refresh_token: old.refreshToken }, { repeatable: true })
    } catch (error) {
      if (epoch !== this.#epoch || error.status !== 401 || error.category === "network") throw error
      if (!await this.#stored(() => this.#storage.replace(old, undefined))) return this.#takeStored(epoch)
      this.#tokens = undefined
      this.#expired = true
      this.#notify()
      throw this.#missing()
    }
    if (epoch !== this.#epoch) return
    if (await this.#stored(() => this.#storage.replace(old, tokens))) this.#take(tokens)
    else await this.#takeStored(epoch)
  }

  async #takeStored(epoch) {
    const tokens = await this.#stored(() => this.#storage.load())
    if (epoch !== this.#epoch) return
    if (tokens) return this.#take(tokens)
    this.#tokens = undefined
    this.#account = ""
    this.#notify()
    throw this.#missing()
  }

  async #exchange(path, body, options) {
    const answer = await this.#connection.json(this.#connection.request("POST", path, { body }), options)
    if (typeof answer?.access_token !== "string" || typeof answer.refresh_token !== "string") {
      throw new DossierError("CLIENT_UNREADABLE_ANSWER", { status: 200, message: "The answer has no tokens." })
    }
    return {
      accessToken: answer.access_token, refreshToken: answer.refresh_token,
      expiresAt: this.#now() + (Number(answer.expires_in) || 0) * 1000,
    }
  }

  // The earlier of the token's own end and the one that was told at its issue. A clock that is wrong makes the first
  // one useless: a token that seems to be past at its issue is judged by the second one alone.
  #endsAt() {
    const { accessToken, expiresAt } = this.#tokens
    const exp = claims(accessToken).exp
    const iat = claims(accessToken).iat
    if (typeof exp !== "number") return expiresAt
    const life = typeof iat === "number" ? (exp - iat) * 1000 : undefined
    const skew = life === undefined ? 0 : Math.abs(expiresAt - life - iat * 1000)
    return skew > ahead ? expiresAt : exp * 1000
  }

  async #load() {
    if (this.#loaded) return
    const epoch = this.#epoch
    const tokens = await this.#stored(() => this.#storage.load())
    if (this.#loaded || epoch !== this.#epoch) return
    this.#loaded = true
    if (tokens) this.#take(tokens)
  }

  #take(tokens) {
    this.#loaded = true
    this.#expired = false
    this.#tokens = tokens
    this.#account = String(claims(tokens.accessToken).sub ?? "")
    this.#notify()
  }

  #notify() {
    for (const listener of [...this.#listeners]) listener()
  }

  #missing() {
    if (!this.#expired) return new DossierError("CLIENT_SIGNED_OUT", { message: "Nobody has signed in." })
    return new DossierError("AUTH_1002", { status: 401, message: "The server refused to renew the session." })
  }

  async #stored(body) {
    try {
      return await body()
    } catch (error) {
      if (error instanceof DossierError) throw error
      throw new DossierError("CLIENT_STORAGE_FAILED", { message: "The tokens could not be stored or read." })
    }
  }
}

// The claims of a JSON Web Token, unverified; none when it cannot be read.
function claims(token) {
  try {
    const part = token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/")
    const bytes = Uint8Array.from(atob(part), character => character.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes)) ?? {}
  } catch {
    return {}
  }
}
