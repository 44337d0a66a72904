/** Reads and writes the API, and knows whether it answers. */

/** A refusal or a failure, as the API tells it. */
export class ApiError extends Error {
  /** @param {number} status @param {any} [error] @param {string | null} [requestID] */
  constructor(status, error, requestID) {
    super(error?.user_message ?? (status ? "The service did not answer as expected." : "The service cannot be reached."));
    this.status = status;
    this.code = error?.code ?? (status ? `HTTP ${status}` : "No connection");
    this.detail = error?.message ?? "";
    this.details = error?.details ?? {};
    this.requestID = requestID ?? null;
  }
}

export const connection = new EventTarget();
/** Hears of each answer that says that nobody is signed in. */
export const signedOut = new EventTarget();
let failing = false;

/** @param {boolean} failed */
export function report(failed) {
  if (failing === failed) return;
  failing = failed;
  connection.dispatchEvent(new Event("change"));
}

/** @returns {"Live" | "Reconnecting" | "Offline"} */
export function connectionState() {
  if (!navigator.onLine) return "Offline";
  return failing ? "Reconnecting" : "Live";
}

/** The state at the start, and the user that a developer acts as. */
export const session = {
  /** @type {any} */ now: null,
  /** @param {string} scope */
  may(scope) { return Boolean(this.now?.admin && this.now.scopes.includes(scope)); },
};

/** @param {Record<string, string>} [more] @returns {Record<string, string>} */
export function headers(more = {}) {
  const subject = session.now?.auth === "development" ? sessionStorage.getItem("subject") : null;
  return subject ? { ...more, "X-User-ID": subject } : more;
}

/** @type {Map<string, {tag: string, body: any}>} */
const known = new Map();
const mostKnown = 50;

/** Reads an address; an answer that has not changed since is not sent again.
 * @param {string} path @param {AbortSignal} [signal] @returns {Promise<any>} the whole body */
export async function read(path, signal) {
  const kept = known.get(path);
  const response = await ask(path, { signal, headers: headers(kept ? { "If-None-Match": kept.tag } : {}) });
  if (response.status === 304 && kept) return kept.body;
  const body = await answer(response);
  const tag = response.headers.get("ETag");
  if (tag) {
    if (known.size >= mostKnown) known.clear();
    known.set(path, { tag, body });
  }
  return body;
}

/** @param {string} method @param {string} path @param {any} [value] @param {Record<string, string>} [more] */
export async function write(method, path, value, more = {}) {
  const body = value === undefined ? undefined : JSON.stringify(value);
  /** @type {Record<string, string>} */
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  return answer(await ask(path, { method, body, headers: headers({ ...type, ...more }) }));
}

/** @param {string} path @param {RequestInit} options */
async function ask(path, options) {
  try {
    const response = await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
    report(response.status >= 502);
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    report(true);
    throw new ApiError(0);
  }
}

/** @param {Response} response */
async function answer(response) {
  if (response.status === 204) return null;
  const body = await response.json().catch(() => null);
  if (response.ok && body) return body;
  if (response.status === 401 && !response.url.endsWith("/console/session")) signedOut.dispatchEvent(new Event("change"));
  throw new ApiError(response.status, body?.error, body?.meta?.request_id ?? response.headers.get("X-Request-ID"));
}
