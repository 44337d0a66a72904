// Follows jobs by event stream, long poll or poll, whichever works, for any number of followers.

import { sleep } from "./abort.js"
import { unwrapped, value as jsonOf } from "./connection.js"
import { pauseUntilConnected } from "./connectivity.js"
import { DossierError } from "./errors.js"
import { parsed } from "./transport.js"
import { events } from "./eventstream.js"

const ways = ["stream", "longPoll", "poll"]
const jobsInStream = 50
const finished = new Set(["completed", "failed", "cancelled"])

/** True when a job is completed, failed or cancelled. */
export const isFinished = job => finished.has(job.status)

/** A job with its revision, from an answer of `GET /jobs/{id}`. */
export function jobOf(answer) {
  const job = unwrapped(jsonOf(answer))
  if (typeof job?.id !== "string" || typeof job.status !== "string") {
    throw new DossierError("CLIENT_UNREADABLE_ANSWER", { status: answer.status, message: "The answer is no job." })
  }
  const revision = revisionOf(/^(?:W\/)?"(.*)"$/.exec(answer.headers.get("etag") ?? "")?.[1] ?? "")
  return revision === undefined ? { ...job } : { ...job, revision }
}

// A tag is a revision with letters behind it where the view of the job also depends on the time, as in `4t`.
function revisionOf(tag) {
  const revision = parseInt(tag, 10)
  return Number.isNaN(revision) ? undefined : revision
}

/** The one place that asks about unfinished jobs. */
export class JobWatcher {
  #connection
  #streamIdleTimeout
  #onFinished
  #jobs = new Map()
  #groups = new Set()
  #way = "stream"
  #longPollWorked = false

  constructor({ connection, streamIdleTimeout, onFinished }) {
    this.#connection = connection
    this.#streamIdleTimeout = streamIdleTimeout
    this.#onFinished = onFinished
  }

  /**
   * Calls `follower.show(job)` with the present state and each newer one, `follower.end(error?)` after the last one.
   * Returns a function that ends the following.
   */
  follow(account, id, follower) {
    const key = `${account} ${id}`
    let job = this.#jobs.get(key)
    if (!job) {
      if (this.#jobs.size === 0) this.#way = "stream"
      job = new FollowedJob(account, id, key)
      this.#jobs.set(key, job)
      job.followers.add(follower)
      this.#start(job)
    } else {
      job.followers.add(follower)
      if (job.state) follower.show(job.state)
    }
    return () => {
      job.followers.delete(follower)
      if (job.followers.size === 0) this.#remove(job)
    }
  }

  #remove(job) {
    if (job.isOver) return
    job.isOver = true
    this.#jobs.delete(job.key)
    job.controller.abort(new Error("the job is not followed any more"))
    const group = job.group
    group?.jobs.delete(job)
    if (group?.jobs.size === 0) group.restart()
  }

  #end(job, error) {
    const followers = [...job.followers]
    this.#remove(job)
    for (const follower of followers) follower.end(error)
  }

  // A revision is shown once and never after a higher one, whatever the network repeats.
  #show(job, state) {
    // A proxy may take the tag away; without a revision only the first state and the end are sure to be new.
    const isNew = !job.state || state.revision > job.state.revision ||
      (state.revision === undefined && isFinished(state))
    if (job.isOver || !isNew) return false
    job.state = state
    for (const follower of [...job.followers]) follower.show(state)
    if (isFinished(state)) {
      this.#onFinished(job.account, state)
      this.#end(job)
    }
    return true
  }

  #start(job) {
    if (this.#way !== "stream") {
      this.#poll(job)
      return
    }
    let group = [...this.#groups].find(each => each.account === job.account && each.jobs.size < jobsInStream)
    const isNew = !group
    if (isNew) {
      group = new StreamGroup(job.account)
      this.#groups.add(group)
    }
    job.group = group
    group.jobs.add(job)
    if (isNew) this.#stream(group)
    else group.restart()
  }

  #giveUp(way) {
    if (this.#way === way) this.#way = ways[(ways.indexOf(way) + 1) % ways.length]
  }

  // MARK: Streams

  async #stream(group) {
    let failures = 0
    let idle = 0
    // Followers that come at the same time share the first stream.
    await sleep(0)
    while (group.jobs.size > 0) {
      const outcome = await this.#streamOnce(group)
      if (group.jobs.size === 0) break
      if (outcome.restarted) {
        await sleep(0)
        continue
      }
      if (outcome.eventCount > 0 && !outcome.error) {
        failures = 0
        idle = outcome.newStates > 0 ? 0 : idle + 1
        const pause = Math.max(outcome.retry ?? 0, idle === 0 ? 0 : growing(idle))
        await this.#pause(pause, group.controller.signal, outcome.retry !== undefined)
        continue
      }
      failures = outcome.newStates > 0 ? 1 : failures + 1
      await Promise.all([...group.jobs].map(job => this.#readOnce(job).catch(() => {})))
      if (failures >= 2) {
        this.#giveUp("stream")
        break
      }
      const troubles = Math.max(failures, ...[...group.jobs].map(job => job.troubles))
      const isAskedFor = outcome.error?.retryAfter !== undefined
      await this.#pause(growing(troubles, outcome.error), group.controller.signal, isAskedFor)
    }
    this.#groups.delete(group)
    const rest = [...group.jobs]
    group.jobs.clear()
    for (const job of rest) {
      job.group = undefined
      this.#start(job)
    }
  }

  async #streamOnce(group) {
    const outcome = { eventCount: 0, newStates: 0, restarted: false, error: undefined, retry: undefined }
    group.renewController()
    const signal = group.controller.signal
    const jobs = new Map([...group.jobs].map(job => [job.id, job]))
    const request = this.#connection.request("GET", "/api/v1/events", {
      query: { jobs: [...jobs.keys()].join(",") }, headers: { Accept: "text/event-stream" },
    })
    const chunks = this.#connection.stream(request, {
      timeout: this.#streamIdleTimeout, signal, account: group.account, check: requireEventStream,
    })
    try {
      for await (const event of events(chunks)) {
        if (event.retry !== undefined) {
          outcome.retry = Math.min(event.retry, 60_000)
          continue
        }
        const state = parsed(event.data)
        const revision = revisionOf(event.id.slice(event.id.lastIndexOf(":") + 1))
        const job = jobs.get(state?.id)
        if (!job || typeof state.status !== "string" || revision === undefined) continue
        outcome.eventCount += 1
        if (this.#show(job, { ...state, revision })) outcome.newStates += 1
        if (group.jobs.size === 0) break
      }
    } catch (error) {
      if (signal.aborted) outcome.restarted = true
      else outcome.error = error
    }
    return outcome
  }

  // MARK: Polls

  async #poll(job) {
    let failures = 0
    while (!job.isOver) {
      const way = this.#way
      if (way === "stream") {
        this.#start(job)
        return
      }
      try {
        const seconds = way === "longPoll" ? (this.#longPollWorked ? 25 : 10) : 0
        const began = performance.now()
        const before = job.state
        const answer = await this.#readOnce(job, seconds)
        if (job.isOver) return
        failures = 0
        if (way === "longPoll") this.#longPollWorked = true
        // A long poll that came back at once with nothing new would come back at once again.
        const hasWaited = performance.now() - began > seconds * 500 || job.state !== before
        if (way === "poll" || !hasWaited) {
          const pause = Number(answer.headers.get("retry-after") ?? 1)
          await this.#pause(1000 * Math.min(15, Math.max(1, pause)), job.controller.signal, true)
        }
      } catch (error) {
        if (job.isOver) return
        failures += 1
        if (failures >= 2) {
          failures = 0
          this.#giveUp(way)
          if (way === "longPoll") this.#longPollWorked = false
        }
        const isAskedFor = error?.retryAfter !== undefined
        await this.#pause(growing(job.troubles, error), job.controller.signal, isAskedFor)
      }
    }
  }

  // Reads a job once. A refusal ends the job's following; other failures are thrown.
  async #readOnce(job, wait = 0) {
    const isLong = wait > 0
    const headers = isLong && job.etag ? { "If-None-Match": job.etag } : {}
    const request = this.#connection.request("GET", `/api/v1/jobs/${encodeURIComponent(job.id)}`, {
      query: isLong ? { wait } : {}, headers,
    })
    const time = wait * 1000 + 30_000
    try {
      const answer = await this.#connection.attempt(request, {
        timeout: time, deadline: time, signal: job.controller.signal, account: job.account,
      })
      job.etag = answer.headers.get("etag") ?? job.etag
      if (answer.status !== 304) this.#show(job, jobOf(answer))
      job.troubles = 0
      return answer
    } catch (error) {
      job.troubles += 1
      const isRefusal = !(error instanceof DossierError) || error.code === "CLIENT_SIGNED_OUT" ||
        ([401, 403, 404].includes(error.status) && error.category !== "network")
      if (isRefusal && !job.isOver) this.#end(job, error)
      throw error
    }
  }

  // A pause that the server has asked for is not ended by a connection.
  async #pause(milliseconds, signal, isAskedFor = false) {
    const pause = isAskedFor ? this.#connection.pause(milliseconds, signal)
      : pauseUntilConnected(milliseconds, { ...this.#connection, signal })
    await pause.catch(() => {})
  }
}

// Pauses grow from 0.2 to 15 s; the server's own wish is kept to.
function growing(count, error) {
  return Math.max(Math.min(200 * 2 ** (count - 1), 15_000), (error?.retryAfter ?? 0) * 1000)
}

function requireEventStream(response) {
  if ((response.headers.get("content-type") ?? "").startsWith("text/event-stream")) return
  throw new DossierError("CLIENT_FOREIGN_ANSWER", {
    status: response.status, message: "The answer is no event stream.",
  })
}

class FollowedJob {
  followers = new Set()
  state = undefined
  // The tag of the latest answer, which a long poll sends back.
  etag = undefined
  isOver = false
  group = undefined
  // Failures in a row, which make the pauses grow.
  troubles = 0
  controller = new AbortController()

  constructor(account, id, key) {
    Object.assign(this, { account, id, key })
  }
}

// Up to fifty jobs of one account that share a stream.
class StreamGroup {
  jobs = new Set()
  controller = new AbortController()

  constructor(account) {
    this.account = account
  }

  // Ends the open stream, so that the next one is for the present jobs.
  restart() {
    this.controller.abort(new Error("the jobs of the stream have changed"))
  }

  renewController() {
    if (this.controller.signal.aborted) this.controller = new AbortController()
  }
}
