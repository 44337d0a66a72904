// Reads and writes of the API, and whether it answers.
import {words} from "./format.js";

/** An answer that is an error, in the API's own words. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {{code?: string, message?: string, user_message?: string, details?: any}} error
   * @param {string} requestID
   * @param {number} [seconds] after which to ask again
   */
  constructor(status, error, requestID, seconds = 0) {
    super(error.user_message ?? error.message ?? `The service answered with ${status}.`);
    this.status = status;
    this.code = error.code ?? "";
    this.reason = error.message ?? "";
    this.details = error.details ?? {};
    this.requestID = requestID;
    this.seconds = seconds;
  }
}

/** @type {{auth: string, signed_in: boolean, user: {id: number, subject: string} | null, role: string | null,
 *   scopes: string[], admin: boolean, version: string, simulated: boolean,
 *   kinds: Record<string, {title: string, says: Record<string, string>}>}} */
export const session = {
  auth: "development", signed_in: false, user: null, role: null, scopes: [], admin: false, version: "", simulated: false, kinds: {},
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
    if (!(error instanceof DOMException && error.name === "AbortError")) answered(false);
    throw error;
  }
  answered(response.status < 500);
  if (response.status === 304 && known) return known.body;
  const text = await response.text();
  if (response.ok && response.headers.get("Content-Type")?.startsWith("text/plain")) return text;
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
      answer.meta?.request_id ?? response.headers.get("X-Request-ID") ?? "", Number(response.headers.get("Retry-After")) || 0);
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

/** @type {Record<string, string>} */
export const kinds = {};

/** @param {string} kind */
export const kindTitle = (kind) => kinds[kind] ?? words(kind);

/** What the steps of each kind say, by their names, as `kindTitles` reads them.
 * @type {Record<string, Record<string, string>>} */
export const phrases = {};

/** Titles of kinds by name, read once; those that only the service submits come with the session. */
export async function kindTitles() {
  if (Object.keys(kinds).length === 0) {
    for (const kind of await get("kinds")) {
      kinds[kind.kind] = kind.title;
      phrases[kind.kind] = Object.fromEntries(kind.stages.map((/** @type {any} */ stage) => [stage.name, stage.says]));
    }
    for (const [kind, {title, says}] of Object.entries(session.kinds)) [kinds[kind], phrases[kind]] = [title, says];
  }
  return kinds;
}

/**
 * What a job is about.
 * @param {any} job
 */
export function subject(job) {
  return job.subject?.replace(/^https?:\/\//, "") ?? kindTitle(job.kind);
}

/**
 * The same request for a terminal. Tokens never stand in it.
 * @param {string} method
 * @param {string} path below `/api/v1`, or a whole one that begins with a slash
 * @param {any} [body]
 */
export function curl(method, path, body) {
  const user = session.auth === "jwt" ? ' \\\n  -H "Authorization: Bearer $DOSSIER_TOKEN"'
    : session.auth === "development" && session.user ? ` \\\n  -H ${quoted(`X-User-ID: ${session.user.subject}`)}` : "";
  return `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(location.origin + (path.startsWith("/") ? path : `/api/v1/${path}`))}${user}${body === undefined ? ""
    : ` \\\n  -H "Content-Type: application/json" \\\n  -d ${quoted(JSON.stringify(body))}`}`;
}

/** @param {string} text */
export function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

// The connection, as the status "Connection" tells of it.

/** @type {Set<() => void>} */
const listeners = new Set();
const isLost = {reads: false, stream: false};
let lastAnswer = Date.now();

/**
 * @param {boolean} isGood
 * @param {"reads" | "stream"} [part]
 */
export function answered(isGood, part = "reads") {
  if (isGood && part === "reads") lastAnswer = Date.now();
  if (isLost[part] === !isGood) return;
  isLost[part] = !isGood;
  tell();
}

export function connection() {
  return !navigator.onLine ? "Offline" : isLost.reads || isLost.stream ? "Reconnecting" : "Live";
}

/** The time of the last answer, when what is shown is older than ten seconds and the service does not answer. */
export function staleSince() {
  return connection() !== "Live" && Date.now() - lastAnswer > 10_000 ? lastAnswer : null;
}

/** @param {() => void} listener */
export function onChange(listener) {
  listeners.add(listener);
}

function tell() {
  for (const listener of listeners) listener();
}

globalThis.addEventListener?.("online", tell);
globalThis.addEventListener?.("offline", tell);
