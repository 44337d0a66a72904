// Reads and writes of the API.
import {report} from "./connection.js";

/** An answer that is an error, in the API's own words. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {{code?: string, message?: string, user_message?: string, details?: any}} error
   * @param {string} requestID
   */
  constructor(status, error, requestID) {
    super(error.user_message ?? error.message ?? `The service answered with ${status}.`);
    this.status = status;
    this.code = error.code ?? "";
    this.reason = error.message ?? "";
    this.details = error.details ?? {};
    this.requestID = requestID;
  }
}

/** @type {{auth: string, signed_in: boolean, user: {id: number, subject: string} | null, role: string | null,
 *   scopes: string[], admin: boolean, version: string, simulated: boolean}} */
export const session = {
  auth: "development", signed_in: false, user: null, role: null, scopes: [], admin: false, version: "", simulated: false,
};

/** @type {Map<string, {tag: string, body: any}>} */
const kept = new Map();

export function headers() {
  /** @type {Record<string, string>} */
  const all = {Accept: "application/json"};
  const user = session.auth === "development" ? sessionStorage.getItem("user") : null;
  if (user) all["X-User-ID"] = user;
  return all;
}

/**
 * Sends a request and gives the whole answer.
 * @param {string} method
 * @param {string} path
 * @param {{body?: any, key?: string, signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 */
export async function send(method, path, options = {}) {
  const {body, key, signal} = options;
  const all = headers();
  if (body !== undefined) all["Content-Type"] = "application/json";
  if (key) all["Idempotency-Key"] = key;
  const known = method === "GET" ? kept.get(path) : undefined;
  if (known) all["If-None-Match"] = known.tag;
  let response;
  try {
    response = await fetch(path, {method, headers: all, body: body === undefined ? undefined : JSON.stringify(body), signal});
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) report(false);
    throw error;
  }
  report(response.status < 500);
  if (response.status === 304 && known) return known.body;
  const text = await response.text();
  let answer;
  try {
    answer = text === "" ? {} : JSON.parse(text);
  } catch {
    answer = {error: {message: text.slice(0, 200)}};
  }
  if (!response.ok) {
    if (response.status === 401 && session.auth === "jwt" && !location.pathname.endsWith("/sign-in")) {
      location.assign(`/console/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
    }
    throw new Refusal(response.status, answer.error && typeof answer.error === "object" ? answer.error : answer,
      answer.meta?.request_id ?? response.headers.get("X-Request-ID") ?? "");
  }
  const tag = response.headers.get("ETag");
  if (method === "GET" && tag) {
    if (kept.size > 100) kept.clear();
    kept.set(path, {tag, body: answer});
  }
  return answer;
}

/**
 * The data of a read below `/api/v1`.
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export async function get(path, signal) {
  return (await send("GET", `/api/v1/${path}`, {signal})).data;
}

/**
 * The data that a write below `/api/v1` answers with.
 * @param {string} path
 * @param {any} [body]
 * @param {string} [key]
 */
export async function post(path, body, key) {
  return (await send("POST", `/api/v1/${path}`, {body, key})).data;
}

/** @param {string} scope */
export function may(scope) {
  return session.admin && session.scopes.includes(scope);
}

export async function readSession() {
  const answer = await send("GET", "/console/session");
  Object.assign(session, answer.data ?? answer);
}
