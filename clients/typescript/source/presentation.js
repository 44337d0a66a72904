// Words for people: what an app shows for an error.

import { DossierError } from "./errors.js"

const table = {
  network: ["Network Error", "The service could not be reached. Please check your connection.", "wifi.slash", "retry"],
  rateLimit: ["Rate Limit Exceeded", "Too many requests. Please try again later.", "hourglass", "wait"],
  server: ["Service Unavailable", "The service is not available at the moment. Please try again later.",
    "exclamationmark.icloud", "retry"],
  authentication: ["Authentication Error", "Please sign in again.", "person.crop.circle.badge.exclamationmark",
    "reauthenticate"],
  credits: ["Not Enough Credits", "You do not have enough credits for this.", "creditcard", "upgrade"],
  notFound: ["Not Found", "We could not find that.", "questionmark.circle", "go_back"],
  invalidInput: ["Please Check Your Input", "Please check what you entered and try again.", "pencil.circle", undefined],
  job: ["Not Completed", "This could not be completed. Please try again.", "exclamationmark.triangle", "retry"],
  unreadable: ["Update Needed", "This version of the app cannot read the answer. Please update the app.",
    "arrow.down.circle", undefined],
  storage: ["Storage Error", "This could not be saved on your device.", "externaldrive.badge.exclamationmark", "retry"],
  other: ["Something Went Wrong", "Something went wrong. Please try again.", "exclamationmark.triangle", "retry"],
}

// Rows for single codes: title, message, symbol, action.
const codes = {
  CLIENT_OFFLINE: ["Network Error", "You appear to be offline. This works again once you are connected.", "wifi.slash",
    "wait"],
  CLIENT_TIMED_OUT: ["Network Error", "The service took too long to answer. Please try again.",
    "wifi.exclamationmark", "retry"],
  BIZ_2002: ["Daily Limit Reached", "You have reached the limit for today. Please try again tomorrow.", "hourglass",
    "wait"],
  BIZ_2004: ["Invalid Symbol", "We could not find a stock with this symbol.", "magnifyingglass", "go_back"],
  VAL_3002: ["Invalid Symbol", "This is not a valid symbol. Please check it.", "magnifyingglass", undefined],
  CLIENT_JOB_CANCELLED: ["Cancelled", "This was cancelled.", "xmark.circle", "retry"],
  CLIENT_SUBMISSION_EXPIRED: ["Not Completed", "This was not sent in time. Please start it again.",
    "exclamationmark.triangle", "retry"],
  CLIENT_NOT_CACHED: ["Not Available Offline", "This has not been saved for use without a connection.", "wifi.slash",
    "wait"],
}

// The server's own words are shown in these categories.
const serverSpeaks = new Set(["server", "credits", "notFound", "invalidInput", "job"])

/** An error as an app shows it; `undefined` for a cancellation, which needs no words. */
export function presentError(error) {
  if (error?.name === "AbortError") return undefined
  if (!(error instanceof DossierError)) return row(table.other)
  const category = error.category
  const shown = row(codes[error.code] ?? table[category])
  if (serverSpeaks.has(category) && error.userMessage) shown.message = error.userMessage
  if (category === "rateLimit" && error.retryAfter > 0) {
    shown.message = `Too many requests. Please try again in ${words(error.retryAfter)}.`
  }
  shown.action = error.action ?? shown.action
  shown.supportCode = [error.code, error.requestId].filter(Boolean).join(" · ")
  return shown
}

function row([title, message, systemImage, action]) {
  return { title, message, systemImage, action, supportCode: undefined }
}

function words(seconds) {
  const whole = Math.ceil(seconds)
  if (whole <= 90) return whole === 1 ? "1 second" : `${whole} seconds`
  const minutes = Math.ceil(whole / 60)
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
