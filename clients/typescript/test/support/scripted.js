// A `fetch` that answers from a script, and pauses that take no time.

/** A `fetch` that calls `answer({ method, path, url, headers, body, signal }, count)` and records the requests. */
export function scriptedFetch(answer) {
  const requests = []
  const fetch = async (url, { method = "GET", headers = {}, body, signal } = {}) => {
    signal?.throwIfAborted()
    const request = { method, url: String(url), path: new URL(url).pathname, headers, body, signal }
    requests.push(request)
    const given = await answer(request, requests.length)
    signal?.throwIfAborted()
    return given
  }
  return { fetch, requests }
}

const headers = more => ({ "X-API-Version": "1.0", "Content-Type": "application/json", ...more })

/** An answer of the native API. */
export const data = (value, { status = 200, ...more } = {}) =>
  new Response(JSON.stringify({ success: true, data: value, meta: { request_id: "r" }, ...more.body }),
    { status, headers: headers(more.headers) })

/** An answer with a plain body. */
export const plain = (value, { status = 200, ...more } = {}) =>
  new Response(typeof value === "string" ? value : JSON.stringify(value), { status, headers: headers(more.headers) })

/** An error of the native API. */
export const failure = (status, code, more = {}, extra = {}) =>
  plain({ success: false, error: { code, message: "m", user_message: "u", ...more }, meta: { request_id: "r-1" } },
    { status, headers: extra })

/** A failure of `fetch` as Node reports it. */
export function networkFailure(code) {
  return Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error(code), { code }) })
}

/** Pauses that end at once and are recorded. */
export function instantPause() {
  const pauses = []
  const pause = async (milliseconds, signal) => {
    pauses.push(milliseconds)
    await new Promise(resolve => setImmediate(resolve))
    signal?.throwIfAborted()
  }
  return { pause, pauses }
}

/** The rejection of a promise; fails when it is fulfilled. */
export async function rejection(promise) {
  let value
  try {
    value = await promise
  } catch (error) {
    return error
  }
  throw new Error(`expected a rejection, got ${JSON.stringify(value)}`)
}

/** All elements of an asynchronous sequence. */
export async function collected(sequence) {
  const all = []
  for await (const element of sequence) all.push(element)
  return all
}
