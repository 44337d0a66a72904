// Submissions: one tap of a user is one key, however often it is sent.

import { DossierError } from "./errors.js"
import { randomId } from "./transport.js"

function make(kind, input, { priority, notBefore, within, idempotencyKey = randomId(), createdAt = new Date() } = {}) {
  const body = { kind, input }
  if (priority !== undefined) body.priority = priority
  if (notBefore !== undefined) body.run_at = new Date(notBefore).toISOString()
  if (within !== undefined) body.within = Math.floor(within / 1000)
  return Object.freeze({ id: idempotencyKey, kind, body, createdAt: new Date(createdAt) })
}

const of = kind => (input, options) => make(kind, input, options)

/** Makes submissions, by kind of job. The inputs are the wire's. */
export const submission = Object.freeze({
  research: of("research"), comparison: of("comparison"), explanation: of("explanation"), analyze: of("analyze"),
  interpret: (input, options) => make("interpret", typeof input === "string" ? { textOrUrl: input } : input, options),
  summary: of("summary"), chat: of("chat"), education: of("education"), training: of("training"),
  forecast: of("forecast"),
  /** A kind that was added on the server as a file. */
  of: make,
  /** A stored submission, to run it again. */
  resume: saved => Object.freeze({
    id: saved.id, kind: saved.kind, body: saved.body, createdAt: new Date(saved.createdAt), account: saved.account,
    jobId: saved.jobId,
  }),
})

const prefix = "submission/"

/** Stores submissions until their outcome has been delivered. Failures of the storage are `CLIENT_STORAGE_FAILED`. */
export class SubmissionStore {
  #storage

  constructor(storage) {
    this.#storage = storage
  }

  #key(account, id) {
    return `${prefix}${encodeURIComponent(account)}/${id}`
  }

  /**
   * The stored submission, with `text`: the exact body that is sent, so that an update of the app cannot change it
   * under its key.
   */
  async find(account, id) {
    return read(await this.#run(() => this.#storage.get(this.#key(account, id))))
  }

  /** Adds or replaces; durable when it returns. */
  async save(saved) {
    const { text, createdAt, ...rest } = saved
    const record = JSON.stringify({ ...rest, body: text, createdAt: createdAt.toISOString() })
    await this.#run(() => this.#storage.set(this.#key(saved.account, saved.id), record))
  }

  async remove(account, id) {
    await this.#run(() => this.#storage.remove(this.#key(account, id)))
  }

  /** Those of an account, the oldest first. */
  async all(account) {
    const start = this.#key(account, "")
    const keys = await this.#run(() => this.#storage.keys(prefix))
    const found = []
    for (const key of keys.filter(key => key.startsWith(start))) {
      const saved = read(await this.#run(() => this.#storage.get(key)))
      if (saved) found.push(saved)
    }
    return found.sort((one, other) => one.createdAt - other.createdAt)
  }

  async #run(body) {
    try {
      return await body()
    } catch {
      throw new DossierError("CLIENT_STORAGE_FAILED", { message: "The submission could not be stored or read." })
    }
  }
}

/** A new record for the store. */
export function record(submission, account) {
  const { id, kind, body, createdAt, jobId } = submission
  return { id, account, kind, text: JSON.stringify(body), createdAt, jobId }
}

/** A record as apps see it. */
export function savedSubmission({ text, ...rest }) {
  return { ...rest, body: JSON.parse(text) }
}

// A record that is damaged is skipped and left alone.
function read(text) {
  try {
    const { body, createdAt, ...rest } = JSON.parse(text)
    JSON.parse(body)
    return { ...rest, text: body, createdAt: new Date(createdAt) }
  } catch {
    return undefined
  }
}
