// The one model of a job's time, from its waits, attempts, steps and model calls, which reads neither clock nor page; and the
// table whose last column draws it.
import {h, fill, reconcile} from "./dom.js";
import {count, dollars, duration, moment, timed, words} from "./format.js";
import {card} from "./parts.js";

/**
 * @typedef {object} Row
 * @property {string} key
 * @property {string} name
 * @property {string} detail
 * @property {number} level 0 for waits and attempts, 1 for steps, 2 for calls
 * @property {string} style done, running, call, journal, waiting, lost or attempt with one of them
 * @property {number} from
 * @property {number} to
 * @property {boolean} isOpen whether it has not ended
 * @property {string} took
 *
 * @typedef {{key: string, name: string, style: string, from: number, to?: number | null, detail?: string, level?: number,
 *   took?: string}} Values
 */

/** @param {string | null | undefined} time */
const at = (time) => Date.parse(time ?? "");

/**
 * The rows of a job in the order of time.
 * @param {any} job
 * @param {number} now
 * @param {Record<string, string>} [phrases] what each step says
 * @returns {{rows: Row[], from: number, to: number}}
 */
export function timeline(job, now, phrases = {}) {
  const from = at(job.created_at);
  const end = job.completed_at ? at(job.completed_at) : Math.max(now, from);
  /** @type {Row[]} */
  const rows = [];

  /** @param {Values} values */
  function add(values) {
    const isOpen = values.to == null;
    const to = Math.min(values.to ?? end, end);
    if (to < values.from) console.error("A length of the timeline is negative", values.key, to - values.from);
    rows.push({detail: "", level: 1, took: duration(to - values.from), ...values, isOpen, to});
  }

  const attempts = job.attempts ?? [];
  const parts = [
    ...(job.waits ?? []).map((/** @type {any} */ wait) => ({time: at(wait.from), wait})),
    ...attempts.map((/** @type {any} */ attempt) => ({time: at(attempt.started_at), attempt})),
  ].sort((one, other) => one.time - other.time);
  for (let place = 0; place < parts.length; place += 1) {
    const {wait, attempt} = parts[place];
    if (attempt) {
      addAttempt(job, attempt, attempts, phrases, add);
      continue;
    }
    // A wait that looks again and again for the same is one row.
    let [until, times] = [wait.until, 1];
    for (let next = place + 1; next < parts.length; next += 1) {
      const {wait: other, attempt: look} = parts[next];
      if (look ? !isLook(job, look) : ![wait.code, "queue"].includes(other.code)) break;
      if (other?.code === wait.code) [until, times, place] = [other.until, times + 1, next];
    }
    const took = duration((until ? at(until) : end) - at(wait.from));
    add({key: `wait ${wait.from} ${wait.code}`, name: times === 1 ? `Waiting: ${timed(wait.sentence)}`
      : `Waiting, ${times} times: ${wait.sentence.replace(/\d[\d.,]* [a-z]+/, took)}`, level: 0, style: "waiting",
    from: at(wait.from), to: until ? at(until) : null});
  }
  return {rows, from, to: end};
}

/**
 * Whether an attempt did nothing but look for what it waits for.
 * @param {any} job
 * @param {any} attempt
 */
const isLook = ({steps, model_calls: calls}, {outcome, epoch, started_at: from, ended_at: to}) => outcome === "postponed"
  && !steps?.some((/** @type {any} */ step) => step.started_at >= from && step.started_at <= to)
  && !calls?.some((/** @type {any} */ call) => call.epoch === epoch);

/**
 * @param {any} job
 * @param {any} attempt
 * @param {any[]} attempts
 * @param {Record<string, string>} phrases
 * @param {(values: Values) => void} add
 */
function addAttempt(job, attempt, attempts, phrases, add) {
  const began = at(attempt.started_at);
  const isLost = attempt.outcome === "interrupted";
  const all = job.steps ?? [];
  const calls = (job.model_calls ?? []).filter((/** @type {any} */ call) => call.epoch === attempt.epoch);
  // What it did is a sign of life, too, when it died between two beats.
  const ended = isLost && attempt.last_seen_at ? Math.max(began, at(attempt.last_seen_at), ...calls.map((/** @type {any} */ call) => at(call.started_at)))
    : attempt.ended_at ? at(attempt.ended_at) : null;
  const isLater = attempts.some((other) => other.epoch < attempt.epoch && other.number === attempt.number);
  const hasFailed = isLost || ["failed", "expired"].includes(attempt.outcome);
  const key = `attempt ${attempt.epoch}`;
  add({key, name: `Attempt ${attempt.number}${isLater ? ", continued" : ""}`,
    detail: [attempt.outcome, attempt.worker && `worker ${attempt.worker.slice(0, 8)}`].filter(Boolean).join(" · "),
    level: 0, style: `attempt ${hasFailed ? "lost" : ended === null ? "running" : "done"}`, from: began, to: ended});
  const phrase = (/** @type {string} */ name) => phrases[name] ?? words(name.replaceAll("-", " "));
  const reused = attempt.steps_reused
    ? all.filter((/** @type {any} */ step) => at(step.at) <= began).slice(-attempt.steps_reused) : [];
  for (const step of reused) {
    add({key: `${key} journal ${step.sequence}`, name: `${phrase(step.name)}, from the journal`, style: "journal", from: began,
      to: began, took: "reused"});
  }
  const own = all.filter((/** @type {any} */ step) => at(step.started_at) >= began && at(step.started_at) <= (ended ?? Infinity));
  for (const step of own) {
    add({key: `${key} step ${step.sequence}`, name: phrase(step.name), style: "done", from: at(step.started_at), to: at(step.at)});
    for (const call of calls) {
      if (call.step === step.name && isWithin(call, step)) addCall(call, key, ended, add);
    }
  }
  const last = own.length ? Math.max(...own.map((/** @type {any} */ step) => at(step.at))) : began;
  const rest = calls.filter((/** @type {any} */ call) =>
    !own.some((/** @type {any} */ step) => step.name === call.step && isWithin(call, step)));
  if (attempt.outcome === "running" && job.current_step) {
    add({key: `${key} now`, name: job.current_step, style: "running", from: last, to: null});
  } else if (isLost && ended !== null && ended > last) {
    add({key: `${key} lost`, name: rest.length ? phrase(rest[0].step) : "Unfinished work", style: "lost", from: last, to: ended});
  }
  for (const call of rest) addCall(call, key, ended, add);
}

/** @param {any} call @param {any} step */
function isWithin(call, step) {
  return at(call.started_at) >= at(step.started_at) && at(call.started_at) <= at(step.at);
}

/**
 * @param {any} call
 * @param {string} key
 * @param {number | null} ended the end of its attempt
 * @param {(values: Values) => void} add
 */
function addCall(call, key, ended, add) {
  const read = call.input_tokens + call.cache_read_tokens + call.cache_write_tokens;
  const isLost = ["failed", "cancelled", "stalled", "cut"].includes(call.state) || (call.state === "running" && ended !== null);
  add({key: `${key} call ${call.id} ${call.started_at}`, name: call.model, level: 2, style: isLost ? "lost" : "call",
    detail: `${count(read)} → ${count(call.output_tokens)} tokens, ${dollars(call.cost_micro_dollars)}`,
    from: at(call.started_at), to: call.ended_at ? Math.min(at(call.ended_at), ended ?? Infinity) : ended});
}

/**
 * A scale of a hundred units. Gaps in which nothing works are cut when they are longer than a quarter of all work and than a
 * second: each then takes twelve units, all together forty at most.
 * @param {{from: number, to: number}[]} work
 * @param {number} from
 * @param {number} to
 * @returns {{place: (time: number) => number, cuts: {from: number, to: number}[]}}
 */
export function scale(work, from, to) {
  const spans = work.filter((span) => span.to >= span.from).sort((one, other) => one.from - other.from);
  /** @type {{from: number, to: number}[]} */
  const gaps = [];
  let end = from;
  let busy = 0;
  for (const span of [...spans, {from: to, to}]) {
    if (span.from > end) gaps.push({from: end, to: span.from});
    busy += Math.max(0, span.to - Math.max(end, span.from));
    end = Math.max(end, span.to);
  }
  const cuts = busy > 0 ? gaps.filter((gap) => gap.to - gap.from > Math.max(busy / 4, 1000)) : [];
  const share = cuts.length ? Math.min(12, 40 / cuts.length) : 0;
  const rest = Math.max(to - from - cuts.reduce((sum, cut) => sum + cut.to - cut.from, 0), 1);
  return {
    cuts,
    place(time) {
      const moment = Math.min(Math.max(time, from), to);
      let [length, units] = [moment - from, 0];
      for (const cut of cuts) {
        if (moment <= cut.from) break;
        const inside = Math.min(moment, cut.to) - cut.from;
        length -= inside;
        units += share * inside / (cut.to - cut.from);
      }
      return units + length / rest * (100 - share * cuts.length);
    },
  };
}

const firstRows = 200;
const moreRows = 500;

/** @returns {{element: HTMLElement, show: (job: any, phrases: Record<string, string>) => void}} */
export function waterfall() {
  let limit = firstRows;
  /** @type {() => void} */
  let again = () => {};
  const rows = h("tbody");
  const axis = h("th", {scope: "col", class: "when"});
  const more = h("button.quiet", {hidden: true, onclick: () => {
    limit += moreRows;
    again();
  }});
  const legend = h("p.legend", {"aria-hidden": "true"}, [["done", "done"], ["running", "running"], ["call", "model call"],
    ["journal", "from the journal"], ["waiting", "waiting"], ["lost", "lost or failed"]].map(([style, name]) =>
    h("span", h("i", {class: style}), name)));
  const element = card("Timeline", {class: "wide flush", actions: [legend]}, h("table.timeline",
    h("caption.spoken", "Timeline"), h("thead", h("tr", h("th", {scope: "col"}, "What"),
      h("th", {scope: "col", class: "number took"}, "Took"), axis)), rows), more);

  /** @param {any} job @param {Record<string, string>} phrases */
  function show(job, phrases) {
    again = () => show(job, phrases);
    const model = timeline(job, Date.now(), phrases);
    const {place, cuts} = scale(model.rows.filter((row) => row.style.startsWith("attempt")), model.from, model.to);
    fill(axis, h("span.spoken", "When"), h("span.axis", {"aria-hidden": "true"},
      h("span.start", moment(job.created_at)),
      h("span", `+ ${duration(model.to - model.from)}`),
      // Where time is cut, with its length, as long as there is room for it.
      cuts.length > 6 ? null : cuts.map((cut) => h("span.gap", {vars: {"--from": `${(place(cut.from) + place(cut.to)) / 2}%`}}, duration(cut.to - cut.from)))));
    rows.style.setProperty("--breaks", `#0000 0 ${cuts.map((cut) => `${place(cut.from)}%, currentcolor 0 ${place(cut.to)}%, #0000 0`).join(" ")} 100%`);
    reconcile(rows, model.rows.slice(0, limit), (row) => row.key, (row, known) => {
      const line = known ?? h("tr", h("th", {scope: "row"}), h("td.number.took"),
        h("td.when", h("span.spoken"), h("span.lane", {"aria-hidden": "true"}, h("i"))));
      const [name, took, when] = /** @type {any} */ (line.children);
      line.className = `level-${row.level}${row.style.startsWith("attempt") ? " attempt" : ""}`;
      fill(name, h("span.line", {title: row.name}, h("bdi", row.name),
        row.detail ? h("span.detail", row.detail) : null), h("span.narrow-took", {"aria-hidden": "true"}, row.took));
      fill(took, row.took);
      const [spoken, lane] = when.children;
      fill(spoken, `from ${moment(new Date(row.from).toISOString())}${row.isOpen ? ", unfinished" : ""}`);
      const bar = lane.firstElementChild;
      bar.className = `${row.style} ${row.isOpen ? "open" : ""}`;
      const from = place(row.from);
      bar.style.setProperty("--from", `${from}%`);
      bar.style.setProperty("--width", `${Math.max(0, place(row.to) - from)}%`);
      return line;
    });
    const left = model.rows.length - limit;
    more.hidden = left <= 0;
    more.textContent = `Show ${Math.min(left, moreRows)} more`;
  }
  return {element, show};
}
