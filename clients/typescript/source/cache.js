// Answers in memory and in a storage, separate for each account. The least recently used go first; kept ones never go.

const prefix = "cache/"

/** Stores answers with their time and tag. Storage that fails or is damaged makes a miss, never an error. */
export class ResponseCache {
  #storage
  #memoryLimit
  #storageLimit
  // Texts by key, the least recently used first.
  #memory = new Map()
  #memorySize = 0
  // Sizes of what the storage has and may lose, the least recently used first; filled before the first write.
  #sizes
  #totalSize = 0

  constructor(storage, { memoryLimit = 50_000_000, storageLimit = 200_000_000 } = {}) {
    this.#storage = storage
    this.#memoryLimit = memoryLimit
    this.#storageLimit = storageLimit
  }

  #key(account, name, isKept) {
    return `${prefix}${isKept ? "kept" : "purgeable"}/${encodeURIComponent(account)}/${name}`
  }

  /** `{ value, storedAt, etag }`, or `undefined`. */
  async entry(account, { name, isKept }) {
    const key = this.#key(account, name, isKept)
    let text = this.#memory.get(key)
    if (text === undefined) text = await this.#storage.get(key).catch(() => undefined)
    if (text === undefined) return undefined
    this.#remember(key, text)
    if (this.#sizes?.has(key)) this.#count(key, text.length)
    try {
      const entry = JSON.parse(text)
      return typeof entry.storedAt === "number" && "value" in entry ? entry : undefined
    } catch {
      return undefined
    }
  }

  async store(account, { name, isKept }, entry) {
    const key = this.#key(account, name, isKept)
    const text = JSON.stringify(entry)
    this.#remember(key, text)
    try {
      await this.#loadSizes()
      await this.#storage.set(key, text)
      if (isKept) return
      this.#count(key, text.length)
      for (const [oldest, size] of this.#sizes) {
        if (this.#totalSize <= this.#storageLimit || oldest === key) break
        this.#sizes.delete(oldest)
        this.#totalSize -= size
        await this.#storage.remove(oldest)
      }
    } catch {
      // The value is still in memory.
    }
  }

  /** Removes an account's entries whose name the predicate selects. */
  async remove(account, selects) {
    const ofAccount = [this.#key(account, "", false), this.#key(account, "", true)]
    const wanted = key => ofAccount.some(start => key.startsWith(start) && selects(key.slice(start.length)))
    const keys = new Set([...this.#memory.keys(), ...await this.#storage.keys(prefix)].filter(wanted))
    for (const key of keys) {
      this.#forget(key)
      this.#totalSize -= this.#sizes?.get(key) ?? 0
      this.#sizes?.delete(key)
      await this.#storage.remove(key)
    }
  }

  #remember(key, text) {
    this.#forget(key)
    this.#memory.set(key, text)
    this.#memorySize += text.length
    for (const oldest of this.#memory.keys()) {
      if (this.#memorySize <= this.#memoryLimit) break
      this.#forget(oldest)
    }
  }

  #forget(key) {
    this.#memorySize -= this.#memory.get(key)?.length ?? 0
    this.#memory.delete(key)
  }

  #count(key, size) {
    this.#totalSize += size - (this.#sizes.get(key) ?? 0)
    this.#sizes.delete(key)
    this.#sizes.set(key, size)
  }

  async #loadSizes() {
    if (this.#sizes) return
    const found = []
    for (const key of await this.#storage.keys(prefix)) {
      if (!key.startsWith(`${prefix}purgeable/`)) continue
      const text = await this.#storage.get(key)
      if (text !== undefined) found.push([key, text.length, Number(/"storedAt":(\d+)/.exec(text)?.[1] ?? 0)])
    }
    if (this.#sizes) return
    this.#sizes = new Map()
    found.sort((one, other) => one[2] - other[2])
    for (const [key, size] of found) this.#count(key, size)
  }
}
