// Who requests are made for.

/** Nobody in particular: for a server in development (its user `1`) and for addresses that need no user. */
export function anonymousAuthentication() {
  return {
    async account() {
      return ""
    },
    async authorize() {},
    async renew() {
      return false
    },
  }
}

/** `X-User-ID`: for a server in development only. The secret of a gateway must never be in an app. */
export function developmentAuthentication(user) {
  return {
    async account() {
      return user
    },
    async authorize(request) {
      request.headers["X-User-ID"] = user
    },
    async renew() {
      return false
    },
  }
}

/**
 * Keeps a pair of tokens in a key-value storage. Replacing compares first, since an app and its other processes share
 * the storage: `replace` is false when something else was stored, which then stays.
 */
export function tokenStorage(storage, key = "tokens") {
  const parse = text => {
    try {
      return text === undefined ? undefined : JSON.parse(text)
    } catch {
      return undefined
    }
  }
  const same = (one, other) => one?.refreshToken === other?.refreshToken && one?.accessToken === other?.accessToken
  return {
    async load() {
      return parse(await storage.get(key))
    },
    async replace(old, tokens) {
      const text = await storage.get(key)
      if (!same(parse(text), old)) return false
      const value = tokens === undefined ? undefined : JSON.stringify(tokens)
      if (storage.exchange) return storage.exchange(key, text, value)
      await (value === undefined ? storage.remove(key) : storage.set(key, value))
      return true
    },
  }
}
