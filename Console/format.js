// Words for values. Nothing here knows the page, so that Node can test it.

/** The states of a job, with their words and tones. */
export const STATUSES = /** @type {const} */ ([
  { status: "pending", word: "Waiting", tone: "wait" },
  { status: "processing", word: "Running", tone: "run" },
  { status: "completed", word: "Completed", tone: "done" },
  { status: "failed", word: "Failed", tone: "fail" },
  { status: "cancelled", word: "Cancelled", tone: "off" },
]);

/** The words of the ledger. */
export const LEDGER = /** @type {Record<string, string>} */ ({
  hold: "Held", settle: "Charged", release: "Given back", grant: "Granted",
});

// Control characters but tab and line feed, and characters that change the direction of text.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Replaces characters that hide or reorder text by a visible sign.
 * @param {string} text
 */
export function clean(text) {
  return text.replace(HIDDEN, "\ufffd");
}

/**
 * A length of time: `820 ms`, `7.0 s`, `32 s`, `4 min`, `4 h`, `3 d`. A negative length is `–`.
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  if (!Number.isFinite(milliseconds) || milliseconds < 0) return "–";
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  if (seconds < 59.5 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 47.5 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} d`;
}

/**
 * The time that has passed, in whole units: `5 s ago`. A moment of the last second is `now`.
 * @param {string} moment
 * @param {number} now
 */
export function ago(moment, now) {
  const passed = now - Date.parse(moment);
  if (!Number.isFinite(passed)) return "–";
  return passed < 1000 ? "now" : `${duration(Math.floor(passed / 1000) * 1000).replace(".0 ", " ")} ago`;
}

/**
 * Money from millionths of a dollar: `$0.022`, `$0.0004`, `$12.50`. Nothing spent is `–`.
 * @param {number | null | undefined} micro
 */
export function dollars(micro) {
  if (!micro) return "–";
  const value = micro / 1_000_000;
  if (value >= 1) return `$${value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  if (value < 0.0001) return "< $0.0001";
  return `$${value < 0.001 ? value.toFixed(4) : value.toFixed(3)}`;
}

/**
 * A number with its thousands apart.
 * @param {number} value
 */
export function count(value) {
  return value.toLocaleString("en-US");
}

/**
 * A noun behind its number: `1 credit`, `3 credits`.
 * @param {number} value
 * @param {string} noun
 */
export function plural(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/**
 * The time of day of a moment, with the date when it is of another day.
 * @param {string | null} moment
 * @param {number} now
 */
export function clock(moment, now) {
  if (!moment) return "–";
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return "–";
  const time = at.toLocaleTimeString("en-GB");
  if (at.toDateString() === new Date(now).toDateString()) return time;
  return `${at.toLocaleDateString("en-US", { year: "numeric", month: "short", day: "numeric" })}, ${time}`;
}

/**
 * A name of a member in words: `cost_micro_dollars` is `Cost micro dollars`.
 * @param {string} name
 */
export function words(name) {
  const spaced = name.replace(/_/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/**
 * Where a job is, in a few words: `took 32 s`, `starts in 4 h`, `after 2.2 s`.
 * @param {{status: string, created_at: string, started_at: string | null, completed_at: string | null,
 *   blocked_by?: {until: string | null} | null}} job
 * @param {number} now
 */
export function progressWords(job, now) {
  if (job.status === "pending") {
    const until = job.blocked_by?.until;
    if (until && Date.parse(until) > now) return `starts in ${duration(Date.parse(until) - now)}`;
    return `for ${duration(Math.max(0, now - Date.parse(job.created_at)))}`;
  }
  if (!job.completed_at) return "";
  const took = duration(Date.parse(job.completed_at) - Date.parse(job.started_at ?? job.created_at));
  return job.status === "completed" ? `took ${took}` : `after ${took}`;
}
