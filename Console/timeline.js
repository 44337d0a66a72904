/** One model of a job's time, from its waits, attempts, steps and model calls. It reads neither clock nor page. */
import { count, dollars, duration, time, words } from "./format.js";

/** @typedef {{key: string, name: string, detail: string, level: number, style: string, from: number, to: number,
 *   open: boolean, took: string}} Row */

/** The rows of a job in the order of time.
 * @param {any} job @param {number} now @param {Map<string, string>} says The phrases of the stages.
 * @returns {{rows: Row[], from: number, to: number}} */
export function timeline(job, now, says) {
  const from = time(job.created_at);
  const end = job.completed_at ? time(job.completed_at) : Math.max(now, from);
  /** @type {Row[]} */
  const rows = [];
  const row = (/** @type {any} */ values) => {
    const to = Math.min(values.to ?? end, end);
    const length = to - values.from;
    if (length < 0) console.error("A length in the timeline is negative", values.key, length);
    rows.push({ detail: "", level: 1, open: values.to === null || values.to === undefined, took: duration(length), ...values, to });
  };
  const attempts = job.attempts ?? [];
  const parts = [
    ...(job.waits ?? []).map((/** @type {any} */ wait) => ({ at: time(wait.from), wait })),
    ...attempts.map((/** @type {any} */ attempt) => ({ at: time(attempt.started_at), attempt })),
  ].sort((a, b) => a.at - b.at);
  for (const { wait, attempt } of parts) {
    if (wait) {
      row({ key: `wait ${wait.from} ${wait.code}`, name: `Waiting: ${wait.sentence}`, level: 0, style: "waiting",
        from: time(wait.from), to: wait.until ? time(wait.until) : null });
      continue;
    }
    addAttempt(job, attempt, attempts, says, row);
  }
  return { rows, from, to: end };
}

/** @param {any} job @param {any} attempt @param {any[]} attempts @param {Map<string, string>} says
 * @param {(values: any) => void} row */
function addAttempt(job, attempt, attempts, says, row) {
  const began = time(attempt.started_at);
  const isLost = attempt.outcome === "interrupted";
  const ended = isLost && attempt.last_seen_at ? time(attempt.last_seen_at)
    : attempt.ended_at ? time(attempt.ended_at) : null;
  const isLater = attempts.some((other) => other.epoch < attempt.epoch && other.number === attempt.number);
  const hasFailed = isLost || ["failed", "expired"].includes(attempt.outcome);
  const key = `attempt ${attempt.epoch}`;
  row({ key, name: `Attempt ${attempt.number}${isLater ? ", continued" : ""}`,
    detail: [attempt.outcome, attempt.worker && `worker ${attempt.worker.slice(0, 8)}`].filter(Boolean).join(" · "),
    level: 0, style: `attempt ${hasFailed ? "lost" : ended === null ? "running" : "done"}`, from: began, to: ended });
  const all = job.steps ?? [];
  const phrase = (/** @type {any} */ step) => says.get(step.name) ?? words(step.name);
  const reused = attempt.steps_reused ? all.filter((/** @type {any} */ step) => time(step.at) <= began)
    .slice(-attempt.steps_reused) : [];
  for (const step of reused) {
    row({ key: `${key} journal ${step.sequence}`, name: `${words(step.name)}, from the journal`, style: "journal",
      from: began, to: began, took: "reused" });
  }
  const limit = ended ?? Infinity;
  const own = all.filter((/** @type {any} */ step) => step.started_at
    && time(step.started_at) >= began && time(step.started_at) <= limit);
  const calls = (job.model_calls ?? []).filter((/** @type {any} */ call) => call.epoch === attempt.epoch);
  for (const step of own) {
    row({ key: `${key} step ${step.sequence}`, name: phrase(step), style: "done", from: time(step.started_at), to: time(step.at) });
    for (const call of calls.filter((/** @type {any} */ call) => call.step === step.name)) addCall(call, key, ended, row);
  }
  const last = own.length ? Math.max(...own.map((/** @type {any} */ step) => time(step.at))) : began;
  const rest = calls.filter((/** @type {any} */ call) => !own.some((/** @type {any} */ step) => step.name === call.step));
  const isRunning = attempt.outcome === "running";
  if (isRunning && job.current_step) {
    row({ key: `${key} now`, name: job.current_step, style: "running", from: last, to: null });
  } else if (isLost && ended !== null && ended > last) {
    row({ key: `${key} lost`, name: rest.length ? phrase({ name: rest[0].step }) : "Unfinished work", style: "lost",
      from: last, to: ended });
  }
  for (const call of rest) addCall(call, key, ended, row);
}

/** @param {any} call @param {string} key @param {number | null} ended @param {(values: any) => void} row */
function addCall(call, key, ended, row) {
  const read = call.input_tokens + (call.cache_read_tokens ?? 0) + (call.cache_write_tokens ?? 0);
  const isOver = call.ended_at || ended !== null;
  row({ key: `${key} call ${call.id} ${call.started_at}`, name: call.model, level: 2,
    detail: `${count(read)} → ${count(call.output_tokens)} tokens, ${dollars(call.cost_micro_dollars)}`,
    style: ["failed", "cancelled"].includes(call.state) || (call.state === "running" && ended !== null) ? "lost" : "call",
    from: time(call.started_at), to: isOver ? time(call.ended_at) || ended : null });
}

const cutShare = 0.12;
const mostCut = 0.4;

/** Places moments on a line from 0 to 1. Gaps without work that are longer than a quarter of all work, and 1 s, take
 * 12 % of the line each, 40 % together.
 * @param {{from: number, to: number}[]} work @param {number} from @param {number} to
 * @returns {{place: (moment: number) => number, breaks: {from: number, to: number, length: number}[]}} */
export function scale(work, from, to) {
  const spans = work.filter((span) => span.to >= span.from).sort((a, b) => a.from - b.from);
  const total = spans.reduce((sum, span) => sum + span.to - span.from, 0);
  /** @type {{from: number, to: number}[]} */
  const gaps = [];
  let reached = from;
  for (const span of [...spans, { from: to, to }]) {
    if (span.from - reached > Math.max(total / 4, 1000) && total > 0) gaps.push({ from: reached, to: span.from });
    reached = Math.max(reached, span.to);
  }
  const share = gaps.length ? Math.min(cutShare, mostCut / gaps.length) : 0;
  const cut = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const rest = Math.max(to - from - cut, 1);
  const place = (/** @type {number} */ moment) => {
    const at = Math.min(Math.max(moment, from), to);
    let [shown, line] = [at - from, 0];
    for (const gap of gaps) {
      if (at <= gap.from) break;
      const inside = Math.min(at, gap.to) - gap.from;
      shown -= inside;
      line += share * (inside / (gap.to - gap.from));
    }
    return line + (shown / rest) * (1 - share * gaps.length);
  };
  return { place, breaks: gaps.map((gap) => ({ from: place(gap.from), to: place(gap.to), length: gap.to - gap.from })) };
}
