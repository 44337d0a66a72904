// Who requests are made for, and where things are stored.

import type { DossierError } from "./utilities.js"

/** A request before it is sent; `headers` may be added to. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
}

/** Says who requests are made for. */
export interface Authentication {
  /** Names the account as far as this device knows; separates what is stored. */
  account(): Promise<string>
  authorize(request: OutgoingRequest, options?: { signal?: AbortSignal }): Promise<void>
  /** Called after a 401; true sends the request again, once. */
  renew(error: DossierError, rejected: OutgoingRequest, options?: { signal?: AbortSignal }): Promise<boolean>
}

/** Nobody in particular: for a server in development (its user `1`) and for addresses that need no user. */
export function anonymousAuthentication(): Authentication

/** `X-User-ID`: for a server in development only. The secret of a gateway must never be in an app. */
export function developmentAuthentication(user: string): Authentication

/** What a session is in. */
export type SessionState =
  | { status: "signedOut", account?: undefined }
  /** The server refused to renew: ask the user to sign in again. */
  | { status: "expired", account?: undefined }
  | { status: "signedIn", account: string }

/**
 * The session of a signed-in user: exchanges a token of Supabase, renews access tokens, keeps both.
 *
 * - One renewal at a time, however many requests meet an expired token; all of them are sent again with its tokens.
 * - Renews ahead of time when the access token ends within 60 s, and after `AUTH_1001`.
 * - A renewal that fails for want of an answer changes nothing. Only a refusal (401) signs out.
 * - A renewal that returns after `signOut`, or after another process has stored newer tokens, stores nothing.
 */
export class TokenSession implements Authentication {
  constructor(options: {
    server: string | URL, storage: TokenStorage, fetch?: typeof globalThis.fetch, now?: () => number | Date
    pause?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  })
  state(): Promise<SessionState>
  /** Calls the listener after each change of the state; returns a function that removes it. */
  onChange(listener: () => void): () => void
  signIn(supabaseToken: string, options?: { signal?: AbortSignal }): Promise<void>
  /** Removes the tokens from the storage. */
  signOut(): Promise<void>
  account(): Promise<string>
  authorize(request: OutgoingRequest, options?: { signal?: AbortSignal }): Promise<void>
  renew(error: DossierError, rejected: OutgoingRequest, options?: { signal?: AbortSignal }): Promise<boolean>
}

/** An access token, what renews it, and when it ends (milliseconds since 1970). */
export interface TokenPair {
  accessToken: string
  refreshToken: string
  expiresAt: number
}

/** Where tokens are kept. */
export interface TokenStorage {
  load(): Promise<TokenPair | undefined>
  /** Stores `tokens` if what is stored equals `old`; false when something else was stored, which then stays. */
  replace(old: TokenPair | undefined, tokens: TokenPair | undefined): Promise<boolean>
}

/** Texts by key. Every promise may reject; a stored value is durable once `set` is fulfilled. */
export interface KeyValueStorage {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string): Promise<void>
  remove(key: string): Promise<void>
  /** The keys; those without the prefix may be left out. */
  keys(prefix?: string): Promise<string[]>
  /** Stores `value` (removes, if undefined) if `old` is stored, atomically between processes; else false. */
  exchange?(key: string, old: string | undefined, value: string | undefined): Promise<boolean>
}

/** Keeps tokens under a key of a storage. */
export function tokenStorage(storage: KeyValueStorage, key?: string): TokenStorage

/** Loses everything with the process: for tests and previews. */
export function memoryStorage(): KeyValueStorage

/** What `webStorage` needs of `localStorage` or `sessionStorage`. */
export interface WebStorage {
  readonly length: number
  key(index: number): string | null
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Stores in `localStorage` or `sessionStorage`, below a prefix. */
export function webStorage(storage: WebStorage, prefix?: string): KeyValueStorage
