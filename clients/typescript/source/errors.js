// The one error type of this library, and how the server's three forms of errors become it.

/** Why a call did not bring what was asked for. The members are described in `dossier.d.ts`. */
export class DossierError extends Error {
  constructor(code, {
    status, message = "", userMessage, action, retryAfter, requestId, jobId, fields = [], details = {},
  } = {}) {
    super(message || code)
    this.name = "DossierError"
    Object.assign(this, { code, status, userMessage, action, retryAfter, requestId, jobId, fields, details })
  }

  /** What sort of error it is: told by the code or, for a code that this version does not know, by the status. */
  get category() {
    return categoryOf(this)
  }

  /**
   * True for what may pass by itself: no connection, a lost or foreign answer, 408, 429 and 5xx. An error that names a
   * job tells of an outcome and is never retried.
   */
  get isRetryable() {
    if (this.jobId !== undefined || this.code === "SYS_5003" || this.code === "CLIENT_UNREADABLE_ANSWER") return false
    if (networkCodes.has(this.code)) return true
    return this.status === 408 || this.status === 429 || this.status >= 500
  }

  /** The default of `withRetry`. */
  static isRetryable(error) {
    return error instanceof DossierError && error.isRetryable
  }
}

/** Codes of failures without an answer of Dossier. */
export const networkCodes = new Set([
  "CLIENT_OFFLINE", "CLIENT_CANNOT_CONNECT", "CLIENT_CONNECTION_LOST", "CLIENT_TIMED_OUT", "CLIENT_FOREIGN_ANSWER",
])

const categories = {
  AUTH_1001: "authentication", AUTH_1002: "authentication", AUTH_1003: "authentication",
  BIZ_2001: "credits", BIZ_2002: "credits", BIZ_2003: "job", BIZ_2004: "notFound", BIZ_2005: "notFound",
  VAL_3001: "invalidInput", VAL_3002: "invalidInput", VAL_3003: "invalidInput", VAL_3004: "invalidInput",
  VAL_3005: "invalidInput", VAL_3006: "rateLimit", EXT_4001: "server", EXT_4002: "server", EXT_4003: "server",
  EXT_4004: "server", EXT_4005: "server", EXT_4006: "job", SYS_5001: "server", SYS_5002: "server", SYS_5003: "job",
  SYS_5004: "server",
  CLIENT_SIGNED_OUT: "authentication", CLIENT_UNREADABLE_ANSWER: "unreadable", CLIENT_NOT_CACHED: "storage",
  CLIENT_STORAGE_FAILED: "storage", CLIENT_SUBMISSION_EXPIRED: "job", CLIENT_JOB_CANCELLED: "job",
}

function categoryOf({ code, status, jobId }) {
  if (networkCodes.has(code)) return "network"
  if (code === "BIZ_2006") return jobId === undefined ? "other" : "job"
  const known = categories[code]
  if (known) return known
  if (String(code).startsWith("AUTH_")) return "authentication"
  if (jobId !== undefined) return "job"
  if (status === 429) return "rateLimit"
  if (status === 401 || status === 403) return "authentication"
  if (status === 404) return "notFound"
  if ([400, 413, 415, 422].includes(status)) return "invalidInput"
  return status >= 500 ? "server" : "other"
}

/** True when the server cannot have seen the request. */
export function isNotSent(error) {
  return error.code === "CLIENT_OFFLINE" || error.code === "CLIENT_CANNOT_CONNECT"
}

/** True when an old value may stand in: the server has not refused, it only could not be asked. */
export function isWantOfAnswer(error) {
  return error instanceof DossierError && error.isRetryable && !(error.status >= 400 && error.status < 500 &&
    error.code !== "CLIENT_FOREIGN_ANSWER")
}

const offlineCauses = new Set(["ENETUNREACH", "ENETDOWN", "EAI_AGAIN"])
// Names and addresses that lead nowhere, and certificates.
const unsentCauses = new RegExp("^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|EHOSTDOWN|EADDRNOTAVAIL|" +
  "UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)")

/**
 * The error for a rejection of `fetch`. Node names the cause; a browser tells nothing, so the request counts as sent
 * unless the browser knows that it is offline.
 */
export function networkError(error, requestId) {
  const cause = error?.cause?.errors?.[0]?.code ?? error?.cause?.code ?? ""
  let code = "CLIENT_CONNECTION_LOST"
  if (offlineCauses.has(cause) || globalThis.navigator?.onLine === false) code = "CLIENT_OFFLINE"
  else if (unsentCauses.test(cause)) code = "CLIENT_CANNOT_CONNECT"
  return new DossierError(code, { message: `The request failed${cause ? `: ${cause}` : ""}.`, requestId })
}

const codesByStatus = {
  401: "AUTH_1003", 403: "AUTH_1003", 404: "BIZ_2005", 409: "BIZ_2006", 413: "VAL_3005", 422: "VAL_3001",
  429: "VAL_3006", 502: "SYS_5002", 503: "SYS_5002", 504: "SYS_5002",
}

const isObject = value => typeof value === "object" && value !== null && !Array.isArray(value)
const text = value => typeof value === "string" && value !== "" ? value : undefined
const path = field => field.split(/[.[\]]+/).filter(Boolean)

/** The error that an answer of Dossier with a status from 400 on tells of, whichever of the three forms it has. */
export function errorOfAnswer(status, headers, body, ownRequestId) {
  const root = isObject(body) ? body : {}
  const error = isObject(root.error) ? root.error : root
  const details = isObject(error.details) ? { ...error.details } : {}
  if (error === root) {
    for (const [name, value] of Object.entries(root)) {
      if (!["error", "message", "details", "code", "job_id", "trace_id", "retry_after"].includes(name)) {
        details[name] = value
      }
    }
  }
  const sentences = [error.message ?? root.error, error === root ? root.details : undefined]
  const message = sentences.filter(text).join(" ") || `The server answered ${status}.`
  const fields = []
  if (Array.isArray(error.details)) {
    for (const each of error.details) {
      if (isObject(each) && Array.isArray(each.path)) {
        fields.push({ path: each.path.map(String), message: String(each.message ?? "") })
      }
    }
  } else if (text(details.field)) {
    fields.push({ path: path(details.field), message })
  }
  const header = headers.get("retry-after")
  const seconds = header !== null && header !== undefined ? Number(header) : NaN
  const retryAfter = Number.isFinite(seconds) ? seconds
    : typeof error.retry_after === "number" ? error.retry_after : undefined
  return new DossierError(text(error.code) ?? codesByStatus[status] ?? (status >= 500 ? "SYS_5001" : "VAL_3004"), {
    status, message, userMessage: text(error.user_message), action: text(error.action),
    retryAfter: retryAfter === undefined ? undefined : Math.max(0, retryAfter),
    requestId: headers.get("x-request-id") ?? text(root.meta?.request_id) ?? ownRequestId,
    jobId: text(details.job_id) ?? text(root.job_id) ?? text(root.trace_id), fields, details,
  })
}
