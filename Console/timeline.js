// The timeline of a job: one scale from its submit to its end, over waits, attempts, steps and model calls. The model is
// pure; `draw` makes its table.
import {h} from "./dom.js";
import {count, dollars, duration, moment, words} from "./format.js";

/**
 * @typedef {object} Row
 * @property {string} key
 * @property {string} name
 * @property {"wait" | "attempt" | "step" | "call"} kind
 * @property {number} from
 * @property {number} to
 * @property {boolean} isOpen whether it has not ended
 * @property {boolean} isLost whether an interruption lost it
 */

/**
 * The rows of a job in time.
 * @param {any} job
 * @param {number} now
 * @param {Record<string, string>} phrases what each step says
 * @returns {Row[]}
 */
export function timeline(job, now, phrases = {}) {
  /** @type {Row[]} */
  const rows = [];
  /** @param {string} time */
  const at = (time) => Date.parse(time);
  for (const [index, wait] of (job.waits ?? []).entries()) {
    rows.push({key: `wait-${index}`, name: `Waiting: ${wait.sentence}`, kind: "wait", from: at(wait.from),
      to: wait.until ? at(wait.until) : now, isOpen: !wait.until, isLost: false});
  }
  for (const attempt of job.attempts ?? []) {
    const isOpen = !attempt.ended_at;
    const continued = attempt.steps_reused > 0 ? ", continued" : "";
    rows.push({key: `attempt-${attempt.epoch}`, name: `Attempt ${attempt.number}${continued}, ${attempt.outcome}`,
      kind: "attempt", from: at(attempt.started_at), to: isOpen ? now : at(attempt.last_seen_at ?? attempt.ended_at), isOpen,
      isLost: attempt.outcome === "interrupted"});
  }
  for (const step of job.steps ?? []) {
    rows.push({key: `step-${step.sequence}`, name: phrases[step.name] ?? words(step.name), kind: "step",
      from: at(step.started_at ?? step.at), to: at(step.at), isOpen: false, isLost: false});
  }
  for (const call of job.model_calls ?? []) {
    const tokens = call.input_tokens + call.cache_read_tokens + call.cache_write_tokens;
    rows.push({key: `call-${call.id}`, kind: "call",
      name: `${call.model}, ${count(tokens)} → ${count(call.output_tokens)} tokens, ${dollars(call.cost_micro_dollars)}`,
      from: at(call.started_at), to: call.ended_at ? at(call.ended_at) : now, isOpen: !call.ended_at,
      isLost: call.state === "failed" || call.state === "cancelled"});
  }
  const order = {wait: 0, attempt: 0, step: 1, call: 2};
  return rows.filter((row) => !Number.isNaN(row.from))
    .sort((one, other) => one.from - other.from || order[one.kind] - order[other.kind] || other.to - one.to);
}

/**
 * A scale of a hundred units. Gaps in which nothing works are cut when they are longer than a quarter of all work and than a
 * second: each then takes twelve units, all together forty at most.
 * @param {Row[]} rows
 * @returns {{place: (time: number) => number, cuts: {from: number, to: number}[]}}
 */
export function scale(rows) {
  const work = rows.filter((row) => row.kind !== "wait").sort((one, other) => one.from - other.from);
  const first = Math.min(...rows.map((row) => row.from));
  const last = Math.max(...rows.map((row) => row.to), first + 1);
  /** @type {{from: number, to: number}[]} */
  const gaps = [];
  let end = first;
  let busy = 0;
  for (const row of work) {
    if (row.from > end) gaps.push({from: end, to: row.from});
    busy += Math.max(0, row.to - Math.max(end, row.from));
    end = Math.max(end, row.to);
  }
  if (last > end) gaps.push({from: end, to: last});
  const cuts = busy > 0 ? gaps.filter((gap) => gap.to - gap.from > Math.max(busy / 4, 1000)) : [];
  const share = cuts.length ? Math.min(12, 40 / cuts.length) : 0;
  const length = last - first - cuts.reduce((sum, cut) => sum + cut.to - cut.from, 0);
  const rest = 100 - share * cuts.length;
  return {
    cuts,
    place(time) {
      let units = 0;
      let cursor = first;
      for (const cut of cuts) {
        if (time <= cut.from) break;
        units += (cut.from - cursor) / Math.max(length, 1) * rest;
        units += (Math.min(time, cut.to) - cut.from) / (cut.to - cut.from) * share;
        cursor = Math.min(time, cut.to);
      }
      return Math.min(100, units + Math.max(0, time - cursor) / Math.max(length, 1) * rest);
    },
  };
}

/** The rows that are drawn at once. */
const most = 200;

/**
 * @param {Row[]} rows
 * @returns {HTMLElement}
 */
export function draw(rows) {
  if (rows.length === 0) return h("p", {class: "faint"}, "It has not begun.");
  const {place, cuts} = scale(rows);
  const body = h("tbody");
  let shown = 0;
  const more = h("button", {type: "button", onclick: () => show(500)});

  /** @param {number} amount */
  function show(amount) {
    for (const row of rows.slice(shown, shown + amount)) body.append(line(row));
    shown = Math.min(rows.length, shown + amount);
    more.hidden = shown >= rows.length;
    more.textContent = `Show ${Math.min(500, rows.length - shown)} more`;
  }

  /** @param {Row} row */
  function line(row) {
    const took = row.to < row.from ? "–" : duration(row.to - row.from);
    const from = place(row.from);
    const width = Math.max(0, place(row.to) - from);
    return h("tr", {class: `line-${row.kind}`, key: row.key}, h("th", {scope: "row"}, h("bdi", {}, row.name)),
      h("td", {class: "number"}, took),
      h("td", {class: "drawing"}, h("span", {class: "hidden-text"}, `from ${moment(new Date(row.from).toISOString())}`),
        h("span", {"aria-hidden": "true", class: `bar ${row.kind} ${row.isLost ? "lost" : ""} ${row.isOpen ? "open" : ""}`,
          vars: {"--from": `${from}%`, "--width": `${width}%`}}),
        cuts.map((cut) => h("span", {"aria-hidden": "true", class: "cut", vars: {"--from": `${place(cut.from)}%`,
          "--width": `${place(cut.to) - place(cut.from)}%`}}))));
  }
  show(most);
  return h("div", {}, h("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Timeline, table"},
    h("table", {class: "timeline"}, h("caption", {class: "hidden-text"}, "Timeline"),
      h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "What"), h("th", {scope: "col", class: "number"}, "Took"),
        h("th", {scope: "col"}, "When"))), body)),
  cuts.length ? h("p", {class: "faint"}, `Idle time is cut: ${cuts.map((cut) => duration(cut.to - cut.from)).join(", ")}`) : null,
  more);
}

