// Jobs: running, following, ending.

import { abortable, onAbort, sequence, throwIfAborted } from "./abort.js"
import { pauseUntilConnected } from "./connectivity.js"
import { DossierError } from "./errors.js"
import { pauseBefore, RetryPolicy } from "./retry.js"
import { record } from "./submissions.js"
import { isFinished, jobOf } from "./watcher.js"

const escape = encodeURIComponent
// The server remembers keys for so long.
const keyLifetime = 24 * 60 * 60 * 1000

/** The jobs of a `Dossier`. The rules are in `dossier.d.ts`. */
export class Jobs {
  #connection
  #watcher
  #store
  #now
  #invalidate

  constructor({ connection, watcher, store, now, invalidate }) {
    this.#connection = connection
    this.#watcher = watcher
    this.#store = store
    this.#now = now
    this.#invalidate = invalidate
  }

  /** Runs a submission to its end, or resumes it. */
  run(submission, { onCancellation = "leaveRunning", signal } = {}) {
    return sequence(inner => this.#run(submission, onCancellation, inner, signal), signal)
  }

  /** Runs a submission and returns its result. */
  async output(submission, options) {
    let output
    // The loop runs to its end, since asking for the next element after the result forgets the submission.
    for await (const event of this.run(submission, options)) output = event.output
    return output
  }

  /** Saves and sends a submission; it stays stored until its outcome is delivered or it is discarded. */
  async submit(submission, { signal } = {}) {
    throwIfAborted(signal)
    const saved = await this.#saved(submission, signal)
    return saved.jobId === undefined ? this.#send(saved, signal) : this.job(saved.jobId, { signal })
  }

  async *#run(submission, onCancellation, signal, outer) {
    throwIfAborted(signal)
    const saved = await this.#saved(submission, signal)
    const progress = { isSent: saved.jobId !== undefined }
    let isOver = false
    const remove = onCancellation !== "cancelJob" ? () => {} : onAbort(outer, () => {
      if (!isOver && progress.isSent) this.#withdraw(saved).catch(() => {})
    })
    try {
      let job
      if (saved.jobId === undefined) {
        job = await this.#send(saved, signal, () => (progress.isSent = true))
        yield { type: "accepted", job }
      }
      if (!job || !isFinished(job)) {
        for await (const state of this.updates(saved.jobId, { signal, after: job?.revision })) {
          if (!job) yield { type: "accepted", job: state }
          else if (!isFinished(state)) yield { type: "progress", job: state }
          job = state
        }
      }
      isOver = true
      yield* this.#outcome(saved, job, signal)
      // A record that cannot be removed shows the outcome again at the next launch, which costs nothing.
      await this.#store.remove(saved.account, saved.id).catch(() => {})
    } catch (error) {
      isOver = true
      throwIfAborted(signal)
      if (isFinal(error)) await this.#store.remove(saved.account, saved.id).catch(() => {})
      throw error
    } finally {
      remove()
    }
  }

  async *#outcome({ jobId }, job, signal) {
    if (job.status === "cancelled") {
      throw new DossierError("CLIENT_JOB_CANCELLED", { message: "The job was cancelled.", jobId })
    }
    if (job.status === "failed") {
      const { code = "SYS_5001", message, user_message: userMessage } = job.error ?? {}
      throw new DossierError(code, { message, userMessage, jobId })
    }
    yield { type: "completed", job, output: await this.result(jobId, { signal }) }
  }

  // The stored form of a submission, which is stored before anything is sent.
  async #saved(submission, signal) {
    const account = await abortable(this.#connection.account(), signal)
    if (submission.account !== undefined && submission.account !== account) {
      throw new DossierError("AUTH_1003", { message: "The submission belongs to another account." })
    }
    const found = await abortable(this.#store.find(account, submission.id), signal)
    const saved = found ?? record(submission, account)
    const age = this.#now() - Number(saved.createdAt)
    if (saved.jobId === undefined && age > keyLifetime) {
      if (found) await this.#store.remove(account, saved.id)
      throw new DossierError("CLIENT_SUBMISSION_EXPIRED", { message: "The submission is older than 24 hours." })
    }
    throwIfAborted(signal)
    if (!found) await this.#store.save(saved)
    return saved
  }

  // Sends a stored submission and stores the id of its job.
  async #send(saved, signal, onSend) {
    const request = this.#connection.request("POST", "/api/v1/jobs", { body: saved.text, idempotencyKey: saved.id })
    let job
    try {
      job = jobOf(await this.#connection.send(request, {
        signal, repeatable: true, account: saved.account, onSend,
      }))
    } catch (error) {
      // The job exists although the server could not say so: it is followed.
      if (!(error instanceof DossierError) || error.jobId === undefined || !(error.status >= 500)) {
        // A tap while nobody is signed in belongs to nobody who could resume it.
        const isNobodys = error?.code === "CLIENT_SIGNED_OUT" && saved.account === ""
        if (isNobodys || isFinal(error)) await this.#store.remove(saved.account, saved.id).catch(() => {})
        throw error
      }
      job = { id: error.jobId }
    }
    saved.jobId = job.id
    await this.#store.save(saved)
    await this.#invalidate(saved.account)
    return job.status === undefined ? this.job(job.id, { signal }) : job
  }

  // Cancels the job of a run that the caller has given up. When its id is not known yet, the same key tells it.
  async #withdraw(saved) {
    if (saved.jobId === undefined) await this.#send(saved)
    await this.cancel(saved.jobId)
  }

  /** The states of one job or several until all have ended: the present one first, then each newer one. */
  updates(ids, { after, signal } = {}) {
    const all = [...new Set(Array.isArray(ids) ? ids : [ids])]
    return sequence(inner => this.#updates(all, after, inner), signal)
  }

  async *#updates(ids, after, signal) {
    const account = await abortable(this.#connection.account(), signal)
    // The latest state of each job that was not shown yet: a slow consumer gets no older ones.
    const waiting = new Map()
    let open = ids.length
    let failure
    let wake = () => {}
    const stops = ids.map(id => this.#watcher.follow(account, id, {
      show(job) {
        if (after !== undefined && ids.length === 1 && job.revision <= after) return
        waiting.delete(id)
        waiting.set(id, job)
        wake()
      },
      end(error) {
        open -= 1
        failure ??= error
        wake()
      },
    }))
    try {
      for (;;) {
        const next = new Promise(resolve => (wake = resolve))
        const [first] = waiting
        if (first) {
          waiting.delete(first[0])
          yield first[1]
        } else if (open === 0 || (failure && ids.length === 1)) {
          if (failure) throw failure
          return
        } else {
          await abortable(next, signal)
        }
      }
    } finally {
      for (const stop of stops) stop()
    }
  }

  /** Reads a job. */
  async job(id, { signal } = {}) {
    const request = this.#connection.request("GET", `/api/v1/jobs/${escape(id)}`)
    return jobOf(await this.#connection.send(request, { signal, repeatable: true }))
  }

  /** The input of a job as the service took it. */
  async input(id, { signal } = {}) {
    const request = this.#connection.request("GET", `/api/v1/jobs/${escape(id)}/input`)
    return this.#connection.json(request, { signal, repeatable: true })
  }

  /** The result of a completed job. */
  async result(id, { signal } = {}) {
    const request = this.#connection.request("GET", `/api/v1/jobs/${escape(id)}/result`)
    return this.#connection.json(request, { signal, repeatable: true })
  }

  /** Ends an unfinished job and releases its credits; a finished one stays as it is. */
  async cancel(id, { signal } = {}) {
    const account = await this.#connection.account()
    const request = this.#connection.request("POST", `/api/v1/jobs/${escape(id)}/cancel`)
    const job = jobOf(await this.#connection.send(request, { signal, repeatable: true, account }))
    await this.#invalidate(account)
    return job
  }

  /** Starts a failed or cancelled job again; any other stays as it is. */
  async retry(id, { signal } = {}) {
    const account = await this.#connection.account()
    const before = await this.job(id, { signal })
    if (before.status !== "failed" && before.status !== "cancelled") return before
    const request = this.#connection.request("POST", `/api/v1/jobs/${escape(id)}/retry`)
    const { retryPolicy: policy } = this.#connection
    for (let attempt = 1; ; attempt += 1) {
      try {
        const job = jobOf(await this.#connection.send(request, { signal, account, policy: RetryPolicy.never }))
        await this.#invalidate(account)
        return job
      } catch (error) {
        throwIfAborted(signal)
        const pause = DossierError.isRetryable(error) ? pauseBefore(attempt + 1, policy, error.retryAfter) : undefined
        if (pause === undefined || !this.#connection.retryBudget.take()) throw error
        await pauseUntilConnected(pause, { ...this.#connection, signal })
        // The answer was lost: the revision tells whether the server has taken the request.
        const now = await this.job(id, { signal })
        if (now.revision > before.revision) {
          await this.#invalidate(account)
          return now
        }
      }
    }
  }
}

// True when running the submission again could bring nothing else: it was refused, or its job has ended.
function isFinal(error) {
  if (!(error instanceof DossierError)) return false
  if (error.category === "network" || error.category === "authentication") return false
  if (error.code === "CLIENT_SUBMISSION_EXPIRED" || error.code === "CLIENT_JOB_CANCELLED") return true
  if (error.jobId !== undefined && error.status === undefined) return true
  return error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 429
}
