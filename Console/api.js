// Reads and writes of the API. Every failure is an `APIError`; the connection's state follows from all of them.

/** An answer that is no success. Status 0 means that no answer came. */
export class APIError extends Error {
  /**
   * @param {number} status
   * @param {{code?: string, message?: string, user_message?: string, details?: Record<string, any>}} body
   * @param {string | null} requestID
   */
  constructor(status, body, requestID) {
    super(body.user_message ?? body.message ?? "The service did not answer.");
    this.name = "APIError";
    this.status = status;
    this.code = body.code ?? null;
    this.details = body.details ?? {};
    this.requestID = requestID;
  }
}

/** Tells the state of the connection by the event `change`. */
class Connection extends EventTarget {
  reachable = true;

  get word() {
    if (!navigator.onLine) return "Offline";
    return this.reachable ? "Live" : "Reconnecting";
  }

  /** @param {boolean} reachable */
  set(reachable) {
    if (reachable === this.reachable) return;
    this.reachable = reachable;
    this.dispatchEvent(new Event("change"));
  }
}

export const connection = new Connection();

/** The user that requests act as in development, or null. */
export function actingUser() {
  return sessionStorage.getItem("act-as-user");
}

/**
 * Sends a request and reads its envelope.
 * @param {string} path
 * @param {{method?: string, body?: unknown, signal?: AbortSignal, key?: string}} options
 * @returns {Promise<any>}
 */
export async function request(path, { method = "GET", body, signal, key } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  const user = actingUser();
  if (user) headers["X-User-ID"] = user;
  if (key) headers["Idempotency-Key"] = key;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  /** @type {RequestInit} */
  const init = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal) init.signal = signal;
  let response;
  let text;
  try {
    response = await fetch(path, init);
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    connection.set(false);
    throw new APIError(0, {}, null);
  }
  connection.set(response.status !== 502 && response.status !== 503 && response.status !== 504);
  /** @type {any} */
  let answer = null;
  try {
    answer = text === "" ? {} : JSON.parse(text);
  } catch {
    throw new APIError(response.status, { user_message: "The answer of the service cannot be read." }, null);
  }
  if (!response.ok) {
    throw new APIError(response.status, answer?.error ?? {}, response.headers.get("X-Request-ID"));
  }
  return answer;
}

/**
 * Makes a path with a query; members without a value are left out.
 * @param {string} path
 * @param {Record<string, string | number | null | undefined>} query
 */
export function address(path, query) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
}
