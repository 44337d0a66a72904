// Cached reads: policies, refreshes in the background, single flight, and what a write makes wrong.

import { abortable, sequence, throwIfAborted } from "./abort.js"
import { unwrapped, value as jsonOf } from "./connection.js"
import { DossierError, isWantOfAnswer } from "./errors.js"
import { RequestDeduplicator } from "./deduplicator.js"
import { identity, pageOf, pageResource } from "./resources.js"

/** Reads resources and lists through the cache. */
export class Reader {
  #connection
  #cache
  #now
  #flights = new RequestDeduplicator()
  // Listeners to a resource of an account, by `account name`.
  #watchers = new Map()
  // Counts the writes that made a path wrong, so that an answer from before a write is not stored.
  #writes = new Map()

  constructor({ connection, cache, now }) {
    this.#connection = connection
    this.#cache = cache
    this.#now = now
  }

  /** Reads a resource by a cache policy. */
  async read(resource, { policy = "cacheFirst", signal } = {}) {
    throwIfAborted(signal)
    const account = await this.#connection.account()
    const entry = policy === "networkOnly" ? undefined : await this.#cached(account, resource)
    throwIfAborted(signal)
    const tier = entry?.freshness
    if (policy === "cacheOnly") {
      if (entry) return entry
      throw new DossierError("CLIENT_NOT_CACHED", { message: "Nothing is stored for this resource." })
    }
    const maximumAge = policy?.staleWhileRevalidate
    const isUsable = entry && (typeof maximumAge === "number"
      ? this.#age(entry) >= 0 && this.#age(entry) <= maximumAge
      : policy === "cacheFirst" && tier !== "critical")
    if (isUsable) {
      if (tier === "fresh") return entry
      this.#fetch(account, resource).catch(() => {})
      return { ...entry, isRevalidating: true }
    }
    try {
      return await this.#fetch(account, resource, signal)
    } catch (error) {
      throwIfAborted(signal)
      if (!entry || !isWantOfAnswer(error)) throw error
      return { ...entry, freshness: this.#tier(resource, entry) }
    }
  }

  /** The stored value at once, when there is one, then every newer one. */
  values(resource, { signal } = {}) {
    return sequence(inner => this.#values(resource, inner), signal)
  }

  async *#values(resource, signal) {
    const account = await this.#connection.account()
    let wake = () => {}
    let latest
    let failure
    let shown
    let refreshing = false
    const refresh = async () => {
      if (refreshing) return
      refreshing = true
      try {
        await this.#fetch(account, resource, signal).catch(error => {
          if (shown === undefined) failure = error
        })
      } finally {
        refreshing = false
        wake()
      }
    }
    const remove = this.#watch(account, resource, found => {
      if (found) latest = found
      else refresh()
      wake()
    })
    try {
      const entry = await this.#cached(account, resource)
      const needsRefresh = entry?.freshness !== "fresh"
      if (entry && !latest) latest = { ...entry, isRevalidating: needsRefresh }
      if (needsRefresh) refresh()
      for (;;) {
        const next = new Promise(resolve => (wake = resolve))
        if (latest) {
          shown = latest
          latest = undefined
          yield shown
        } else if (failure) {
          throw failure
        } else {
          await abortable(next, signal)
        }
      }
    } finally {
      remove()
    }
  }

  /** Reads one page of a list. */
  page(listing, { after, policy = "networkFirst", signal } = {}) {
    return this.read(pageResource(listing, after), { policy, signal })
  }

  /** All items of a list; items that move between pages come once. */
  items(listing, { signal } = {}) {
    const reader = this
    return sequence(async function* (inner) {
      const seen = new Set()
      let after
      do {
        const { value } = await reader.page(listing, { after, signal: inner })
        for (const item of value.items) {
          const id = identity(item)
          if (seen.has(id)) continue
          seen.add(id)
          yield item
        }
        if (value.next === after) return
        after = value.next
      } while (after !== undefined)
    }, signal)
  }

  /** Removes what a write has made wrong: every stored answer of these paths. Those who watch one read it again. */
  async invalidate(account, paths) {
    for (const path of paths) this.#writes.set(path, (this.#writes.get(path) ?? 0) + 1)
    const isOf = name => paths.some(path => name === path || name.startsWith(`${path}?`))
    await this.#cache.remove(account, isOf).catch(() => {})
    for (const { resource, account: owner, listeners } of [...this.#watchers.values()]) {
      if (owner === account && isOf(resource.name)) for (const listener of [...listeners]) listener(undefined)
    }
  }

  #watch(account, resource, listener) {
    const key = `${account} ${resource.name}`
    let watcher = this.#watchers.get(key)
    if (!watcher) this.#watchers.set(key, watcher = { account, resource, listeners: new Set() })
    watcher.listeners.add(listener)
    return () => {
      watcher.listeners.delete(listener)
      if (watcher.listeners.size === 0) this.#watchers.delete(key)
    }
  }

  #age(entry) {
    return this.#now() - Number(entry.storedAt)
  }

  #tier(resource, entry) {
    return resource.freshness.freshness(this.#age(entry))
  }

  async #cached(account, resource) {
    if (resource.freshness.stale === 0) return undefined
    const entry = await this.#cache.entry(account, resource)
    if (!entry) return undefined
    const { value, storedAt } = entry
    return {
      value, storedAt: new Date(storedAt), freshness: this.#tier(resource, entry), source: "cache",
      isRevalidating: false,
    }
  }

  #fetch(account, resource, signal) {
    const writes = this.#writes.get(resource.path) ?? 0
    return this.#flights.value(`${account} ${writes} ${resource.name}`,
      flight => this.#fetchNow(account, resource, writes, flight), { signal })
  }

  async #fetchNow(account, resource, writes, signal) {
    const isCached = resource.freshness.stale > 0
    const old = isCached ? await this.#cache.entry(account, resource) : undefined
    const headers = old?.etag ? { "If-None-Match": old.etag } : {}
    if (resource.isText) headers.Accept = "text/plain"
    const request = this.#connection.request(resource.method, resource.path,
      { query: resource.query, body: resource.body, headers })
    const answer = await this.#connection.send(request, { signal, repeatable: true, wait: resource.wait, account })
    throwIfAborted(signal)
    const value = answer.status === 304 && old ? old.value : decoded(resource, answer)
    const storedAt = this.#now()
    const found = {
      value, storedAt: new Date(storedAt), freshness: resource.freshness.freshness(0), source: "network",
      isRevalidating: false,
    }
    const isCurrent = writes === (this.#writes.get(resource.path) ?? 0)
    if (isCached && isCurrent && (resource.isStored?.(value) ?? true)) {
      const etag = answer.headers.get("etag") ?? (answer.status === 304 ? old.etag : undefined)
      await this.#cache.store(account, resource, { storedAt, etag, value })
    }
    if (isCurrent) {
      for (const listener of this.#watchers.get(`${account} ${resource.name}`)?.listeners ?? []) listener(found)
    }
    return found
  }

  /** Aborts all reads under way and forgets what the account has stored. */
  async forget(account) {
    this.#flights.cancelAll()
    await this.#cache.remove(account, () => true)
  }
}

function decoded(resource, answer) {
  if (resource.isText) return answer.text
  const body = jsonOf(answer)
  const value = resource.isPage ? pageOf(body) : unwrapped(body)
  if (value !== undefined) return value
  throw new DossierError("CLIENT_UNREADABLE_ANSWER", { status: answer.status, message: "The answer is no page." })
}
