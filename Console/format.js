// Words and numbers as the screens show them. Nothing here touches the page.

/** @type {Record<string, {word: string, tone: string}>} */
export const states = {
  pending: {word: "Waiting", tone: "wait"},
  processing: {word: "Running", tone: "run"},
  completed: {word: "Completed", tone: "done"},
  failed: {word: "Failed", tone: "fail"},
  cancelled: {word: "Cancelled", tone: "off"},
};

/** @type {Record<string, string>} */
export const movements = {hold: "Held", settle: "Charged", release: "Given back", grant: "Granted"};

/**
 * @param {number} milliseconds
 * @returns {string}
 */
export function duration(milliseconds) {
  if (!(milliseconds >= 0)) return "–";
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = seconds / 60;
  if (minutes < 100) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} d`;
}

/**
 * How long ago a time was, or in how long it will be.
 * @param {number} milliseconds
 */
export function relative(milliseconds) {
  return Math.abs(milliseconds) < 1500 ? "now" : milliseconds < 0 ? `in ${length(-milliseconds)}` : `${length(milliseconds)} ago`;
}

/** @param {number} milliseconds */
function length(milliseconds) {
  return milliseconds < 10_000 ? `${Math.floor(milliseconds / 1000)} s` : duration(milliseconds);
}

/**
 * @param {string | null | undefined} from
 * @param {string | null | undefined} to
 */
export function between(from, to) {
  return from && to ? Date.parse(to) - Date.parse(from) : NaN;
}

/** @param {number | null | undefined} micro */
export function dollars(micro) {
  if (micro == null) return "–";
  const amount = micro / 1e6;
  if (micro === 0) return "$0";
  return amount < 0.01 ? `$${amount.toFixed(4)}` : amount < 1 ? `$${amount.toFixed(3)}` : `$${amount.toFixed(2)}`;
}

const whole = new Intl.NumberFormat("en");

/** @param {number | null | undefined} number */
export function count(number) {
  return number == null ? "–" : whole.format(number);
}

/**
 * @param {number} amount
 * @param {string} one
 * @param {string} [many]
 */
export function plural(amount, one, many = `${one}s`) {
  return `${count(amount)} ${amount === 1 ? one : many}`;
}

/**
 * A figure of a report as it is read: millions of dollars, per cent, per share.
 * @param {number | null | undefined} value
 * @param {string} unit
 */
export function figure(value, unit) {
  if (value == null) return "–";
  if (unit === "ratio") return `${(value * 100).toFixed(1)} %`;
  if (unit.includes("/")) return `${value.toFixed(2)} ${unit.split("/")[0]}`;
  if (unit === "shares") return `${whole.format(Math.round(value / 1e6))} M shares`;
  if (/^[A-Z]{3}$/.test(unit)) {
    return Math.abs(value) >= 1e6 ? `${whole.format(Math.round(value / 1e6))} M ${unit}` : `${whole.format(value)} ${unit}`;
  }
  return Number.isInteger(value) ? whole.format(value) : value.toFixed(2);
}

/**
 * A figure for charts: 416 B.
 * @param {number} value
 */
export function rough(value) {
  for (const [limit, letter] of /** @type {[number, string][]} */ ([[1e12, "T"], [1e9, "B"], [1e6, "M"]])) {
    const part = value / limit;
    if (Math.abs(part) >= 1) return `${Math.abs(part) >= 100 ? Math.round(part) : part.toFixed(1)} ${letter}`;
  }
  return value.toFixed(2);
}

/**
 * All digits of a figure.
 * @param {number} value
 * @param {string} unit
 */
export function digits(value, unit) {
  return `${new Intl.NumberFormat("en", {maximumFractionDigits: 10}).format(value)} ${unit}`;
}

/** @param {string | null | undefined} time */
export function moment(time) {
  if (!time) return "–";
  const at = new Date(time);
  const today = new Date();
  const clock = at.toLocaleTimeString("en-GB");
  return at.toDateString() === today.toDateString() ? clock : `${at.toLocaleDateString("sv")} ${clock.slice(0, 5)}`;
}

/**
 * A sentence whose moments are read as all others.
 * @param {string} text
 */
export const timed = (text) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, moment);

/**
 * The lines of days, the latest one first, from the first day on, with those between them that have none.
 * @param {any[]} lines
 */
export function everyDay(lines) {
  const found = [];
  for (let at = Date.parse(lines[lines.length - 1].group); at <= Date.parse(lines[0].group); at += 86_400_000) {
    const group = new Date(at).toISOString().slice(0, 10);
    found.push(lines.find((line) => line.group === group) ?? {group, cost_micro_dollars: 0, of_failed: 0, of_cancelled: 0});
  }
  return found;
}

/**
 * A member's name in words: `content_url` is "Content url".
 * @param {string} name
 */
export function words(name) {
  const text = name.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The growth a year between two values; `null` where it says nothing.
 * @param {number} first
 * @param {number} last
 * @param {number} years
 */
export function growth(first, last, years) {
  return first > 0 && last > 0 && years > 0 ? Math.pow(last / first, 1 / years) - 1 : null;
}
