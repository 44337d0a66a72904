// Key-value storages: what submissions, kept answers and tokens are stored in. `node.js` has one of files.

/** Keeps everything in memory and loses it with the process: for tests and previews. */
export function memoryStorage() {
  const values = new Map()
  return {
    async get(key) {
      return values.get(key)
    },
    async set(key, value) {
      values.set(key, String(value))
    },
    async remove(key) {
      values.delete(key)
    },
    async keys() {
      return [...values.keys()]
    },
    async exchange(key, old, value) {
      if (values.get(key) !== old) return false
      if (value === undefined) values.delete(key)
      else values.set(key, value)
      return true
    },
  }
}

/** Stores in `localStorage` or `sessionStorage`, below a prefix. */
export function webStorage(storage, prefix = "dossier/") {
  const read = key => storage.getItem(prefix + key) ?? undefined
  return {
    async get(key) {
      return read(key)
    },
    async set(key, value) {
      storage.setItem(prefix + key, value)
    },
    async remove(key) {
      storage.removeItem(prefix + key)
    },
    async keys() {
      const names = Array.from({ length: storage.length }, (_, index) => storage.key(index))
      return names.filter(name => name?.startsWith(prefix)).map(name => name.slice(prefix.length))
    },
    async exchange(key, old, value) {
      // The browser runs this without a pause, so no other code of this tab comes between.
      if (read(key) !== old) return false
      if (value === undefined) storage.removeItem(prefix + key)
      else storage.setItem(prefix + key, value)
      return true
    },
  }
}
