/** Numbers, moments and lengths as people read them. Nothing here reads a clock or the page. */

/** @param {number} ms The length of a time; a negative one is unknown. */
export function duration(ms) {
  if (!Number.isFinite(ms) || ms < 0) return "–";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const s = ms / 1000;
  if (s < 9.95) return `${s.toFixed(1)} s`;
  if (s < 99.5) return `${Math.round(s)} s`;
  if (s < 3570) return `${Math.round(s / 60)} min`;
  if (s < 2 * 86400) return `${Math.round(s / 3600)} h`;
  return `${Math.round(s / 86400)} d`;
}

/** @param {number} ms The time that has passed. */
export function ago(ms) {
  return ms < 1000 ? "now" : `${duration(Math.floor(ms / 1000) * 1000).replace(/^(\d)\.0 s/, "$1 s")} ago`;
}

/** An amount in millionths of a dollar. Small amounts keep two figures.
 * @param {number | null | undefined} micro */
export function dollars(micro) {
  if (micro === null || micro === undefined || micro === 0) return "–";
  const value = micro / 1e6;
  if (Math.abs(value) >= 100) return `$${Math.round(value).toLocaleString("en-US")}`;
  if (Math.abs(value) >= 1) return `$${value.toFixed(2)}`;
  if (Math.abs(value) >= 0.01) return `$${value.toFixed(3)}`;
  return `$${Number(value.toPrecision(1))}`;
}

/** @param {number | null | undefined} value */
export function count(value) {
  return value === null || value === undefined ? "–" : value.toLocaleString("en-US");
}

/** @param {number} value @param {string} one @param {string} [many] */
export function plural(value, one, many = one + "s") {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** The time of the day.
 * @param {string | number | null | undefined} moment */
export function clock(moment) {
  const date = new Date(moment ?? NaN);
  return Number.isNaN(date.getTime()) ? "–" : date.toLocaleTimeString("en-GB");
}

/** @param {string | null | undefined} moment */
export function time(moment) {
  return moment ? Date.parse(moment) : NaN;
}

/** An id as a line shows it: its beginning and its end.
 * @param {string} id */
export function shortID(id) {
  return id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

/** A member's name in words.
 * @param {string} name */
export function words(name) {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
