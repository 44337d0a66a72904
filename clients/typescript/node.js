// Storage in files, for Node.

import { createHash, randomUUID } from "node:crypto"
import { mkdir, open, readFile, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"

/**
 * Stores each value in a file of its own that only its owner may read (0600), replaced atomically and durable once the
 * promise is fulfilled. Names of files are the first part of the key and a digest, so they bear no text of the user. A
 * file that cannot be read counts as absent and is left alone.
 */
export function fileStorage(directory) {
  // The part of a key before its first slash, so that one kind of value is found without reading the others.
  const kind = key => /^[a-z]+(?=\/|$)/.exec(key)?.[0] ?? "other"
  const file = key => join(directory, `${kind(key)}-${createHash("sha256").update(key).digest("hex")}.json`)
  // Keys by name of file, so that each file is read once at most to learn its key.
  const known = new Map()

  async function read(path) {
    try {
      const { key, value } = JSON.parse(await readFile(path, "utf8"))
      return typeof key === "string" && typeof value === "string" ? { key, value } : undefined
    } catch {
      return undefined
    }
  }

  async function get(key) {
    const entry = await read(file(key))
    return entry?.key === key ? entry.value : undefined
  }

  async function set(key, value) {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const path = file(key)
    const temporary = `${path}.${randomUUID()}.tmp`
    try {
      const handle = await open(temporary, "wx", 0o600)
      try {
        await handle.writeFile(JSON.stringify({ key, value: String(value) }))
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    const folder = await open(directory, "r")
    await folder.sync().finally(() => folder.close())
  }

  const remove = key => rm(file(key), { force: true })

  // A process that is killed while it writes leaves its temporary file. No write takes a minute.
  async function removeLeftovers(names) {
    for (const name of names.filter(name => name.endsWith(".tmp"))) {
      const path = join(directory, name)
      const age = await stat(path).then(found => Date.now() - found.mtimeMs, () => 0)
      if (age > 60_000) await rm(path, { force: true })
    }
  }

  async function keys(prefix = "") {
    const names = await readdir(directory).catch(error => {
      if (error.code === "ENOENT") return []
      throw error
    })
    await removeLeftovers(names)
    const start = prefix.includes("/") ? `${kind(prefix)}-` : ""
    const keys = []
    for (const name of names.filter(name => name.startsWith(start) && name.endsWith(".json"))) {
      if (!known.has(name)) {
        const entry = await read(join(directory, name))
        if (!entry) continue
        known.set(name, entry.key)
      }
      keys.push(known.get(name))
    }
    return keys.filter(key => key.startsWith(prefix))
  }

  // A folder as a lock: making it is atomic between processes. A lock of a process that died is broken after ten
  // seconds.
  async function locked(key, body) {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const lock = `${file(key)}.lock`
    for (;;) {
      try {
        await mkdir(lock)
        break
      } catch (error) {
        if (error.code !== "EEXIST") throw error
        const age = await stat(lock).then(found => Date.now() - found.mtimeMs, () => 0)
        if (age > 10_000) await rm(lock, { recursive: true, force: true })
        else await new Promise(resolve => setTimeout(resolve, 5))
      }
    }
    try {
      return await body()
    } finally {
      await rm(lock, { recursive: true, force: true })
    }
  }

  const exchange = (key, old, value) => locked(key, async () => {
    if (await get(key) !== old) return false
    await (value === undefined ? remove(key) : set(key, value))
    return true
  })

  return { get, set, remove, keys, exchange }
}
