// One job: why it does not move, its progress, its time, its model calls, its money and its input.
import {clean, closer, dialog, fill, h, refill} from "../dom.js";
import {curl, get, kindTitle, kindTitles, may, phrases, post, session, subject, Refusal} from "../api.js";
import {watch} from "../events.js";
import {repeat} from "../live.js";
import {between, count, dollars, duration, moment, movements, plural, states, words} from "../format.js";
import {ago, announce, card, confirm, copy, failure, grid, loading, note, progress, second, status, terms, tiles, value, worker} from "../parts.js";
import {waterfall} from "../timeline.js";
import {ledger} from "./users.js";

/** @param {any} job */
const isLive = (job) => job.status === "pending" || job.status === "processing";

/** @param {Page} page */
export function job(page) {
  const path = encodeURIComponent(page.id);
  const isOperator = may("admin:read");
  /** @type {any} */
  let job = null;
  /** @type {any} */
  let receipt = null;
  /** @type {any} */
  let credits = null;
  /** What the job was asked with; `undefined` until it is read.
   * @type {any} */
  let input;
  /** @type {any} */
  let result;
  let whole = "";
  let moneyOf = "";
  let timeOf = "";
  let spoken = "";
  let spokenAt = 0;
  const isOwn = () => job.user === undefined || job.user.id === session.user?.id;

  const heading = h("div.head");
  const meta = h("p.meta");
  const [problem, refusal] = [h("div"), h("div")];
  const why = h("div", {hidden: true});
  const progressPart = h("div");
  const time = isOperator ? waterfall() : null;
  const calls = h("div");
  const money = h("div");
  const content = h("div");
  const details = h("div");
  const raw = h("pre", {tabindex: "0", role: "group", "aria-label": "JSON of the job"});
  const body = h("div.stack", {hidden: true}, why, card("Progress", {class: "flush"}, progressPart), time?.element,
    h("div.uneven", isOperator ? card("Model calls", {class: "flush"}, calls) : null, card("Money", {class: "flush"}, money)),
    card("Input", {actions: [h("button", {onclick: () => copy(input
      ? curl("POST", "jobs", {kind: job.kind, input}) : curl("GET", `${isOwn() ? "" : "admin/"}jobs/${page.id}`), "curl")}, "Copy as curl"),
    isOperator ? h("button", {onclick: () => copy(`dossier prompts case --from-job ${page.id}`, "case")}, "Copy as case") : null]},
    content), isOperator ? card("Details", {}, details) : null,
    card("Raw JSON", {actions: [h("button", {onclick: () => copy(whole, "JSON")}, "Copy JSON")]},
      h("details", h("summary", "Show it"), raw)));
  const element = h("div.stack", h("p.crumbs", h("a", {href: "/console/jobs"}, "Jobs")), heading, meta, refusal, problem, body);
  fill(heading, h("h1", "Job"));
  fill(problem, loading("the job"));

  const reading = repeat(async (signal) => {
    const [found] = await Promise.all([get(`${isOperator ? "admin/" : ""}jobs/${path}`, signal), kindTitles()]);
    job = found;
    const isMine = isOwn();
    const state = `${found.status} ${found.attempt}`;
    if (isMine && state !== moneyOf) {
      [receipt, credits] = await Promise.all([isOperator ? null : get(`jobs/${path}/receipt`, signal), get("credits", signal)]);
      moneyOf = state;
    }
    if (isMine && input === undefined) input = await get(`jobs/${path}/input`, signal).catch(() => undefined);
    return found;
  }, () => {
    fill(problem);
    draw();
    changes.show(isLive(job) ? [page.id] : []);
  }, (error) => {
    if (!job || error instanceof Refusal) fill(problem, failure(error, () => reading.again()));
    body.hidden = !job;
  }, () => job && !isLive(job) ? 15_000 : 2000);

  const changes = watch((next) => {
    if (!job) return;
    const isStep = next.status !== job.status || next.attempt !== job.attempt || next.current_step !== job.current_step;
    const {blocked_by, ...rest} = job;
    job = {...rest, ...next};
    draw();
    if (isStep) reading.again();
  });

  // Bars and lengths grow between two reads.
  const clock = setInterval(() => { if (job && isLive(job) && !document.hidden) draw(); }, 1000);

  function draw() {
    const name = subject(job);
    speak();
    body.hidden = false;
    refill(heading, [name, job.status, job.kind, input !== undefined], () => [
      h("h1", h("bdi", name)), status(job.status), h("span.space"), h("div.actions", actions())]);
    refill(meta, [job.id, job.kind], () => [job.subject ? h("span", kindTitle(job.kind)) : null,
      h("span", "asked for ", ago(job.created_at)),
      job.user ? h("span", "by ", h("a", {href: `/console/credits?user=${job.user.id}`}, h("bdi", job.user.subject))) : null,
      h("span", h("code", {title: job.id}, `${job.id.slice(0, 8)}…${job.id.slice(-4)}`), " ",
        h("button.link", {key: "copy-id", onclick: () => copy(job.id, "id")}, "Copy id"))]);
    refill(why, [job.status, job.error, job.why, job.blocked_by], reason);
    why.hidden = why.childElementCount === 0;
    drawProgress();
    const drawn = JSON.stringify([job.attempts, job.waits, job.steps, job.model_calls]);
    if (isLive(job) || drawn !== timeOf) time?.show(job, phrases[job.kind] ?? {});
    timeOf = isLive(job) ? "" : drawn;
    refill(calls, job.model_calls, () => job.model_calls?.length ? callTable(job.model_calls, path) : h("p.remark", "No model was asked."));
    refill(money, [job.ledger, receipt, credits, job.cost_micro_dollars], moneyPart);
    refill(content, [input, result, isOwn()], inputPart);
    refill(details, job, detailPart);
    whole = JSON.stringify(job, null, 2);
    const text = clean(whole);
    if (raw.textContent !== text) raw.textContent = text;
  }

  function reason() {
    if (job.status === "failed" && job.error) {
      return card("Why", {class: "bare"}, note("It failed.", [job.error.user_message, " ", h("span.faint", job.error.message)], "fail",
        [job.error.code, job.request_id && `request ${job.request_id}`].filter(Boolean).join(" · ")));
    }
    if (job.why && job.status !== "completed" && job.why.code !== "running") {
      const tone = ["worker_silent", "no_worker", "no_capable_worker", "failed"].includes(job.why.code)
        ? "fail" : job.why.code === "cancelled" ? "off" : "wait";
      return card("Why", {class: "bare"}, note(`${words(job.why.code)}.`, job.why.sentence, tone,
        job.why.until ? `until ${moment(job.why.until)}` : null));
    }
    if (!job.blocked_by) return null;
    return card("Why", {class: "bare"}, note("It waits.", `${words(job.blocked_by.reason)}.`, "wait",
      job.blocked_by.until ? `until ${moment(job.blocked_by.until)}` : null));
  }

  function drawProgress() {
    const now = new Date().toISOString();
    const end = job.completed_at ?? now;
    const waited = (job.waits ?? []).reduce((/** @type {number} */ sum, /** @type {any} */ wait) =>
      sum + between(wait.from, wait.until ?? end), 0);
    const used = job.model_calls ?? [];
    const tokens = used.reduce((/** @type {number} */ sum, /** @type {any} */ call) =>
      sum + call.input_tokens + call.output_tokens + call.cache_read_tokens + call.cache_write_tokens, 0);
    const last = (job.ledger ?? receipt?.entries ?? []).at(-1);
    const {word, tone} = states[job.status] ?? {word: job.status, tone: "off"};
    const share = job.status === "completed" ? 1 : job.progress / 100;
    const unit = (/** @type {any} */ text) => text ? h("span.unit", ` ${text}`) : null;
    /** @type {[string, any][]} */
    const cells = [["Took", [duration(between(job.created_at, end)), unit(isLive(job) && "so far")]],
      ...(isOperator ? /** @type {[string, any][]} */ ([["Of it waiting", duration(waited)]]) : []),
      ["Attempts", [count(job.attempt), unit(job.max_attempts && `of ${job.max_attempts}`)]],
      ...(isOperator ? /** @type {[string, any][]} */ ([["Model calls", [count(used.length), unit(tokens && `${count(tokens)} tokens`)]],
        ["Spent on models", dollars(job.cost_micro_dollars)]]) : []),
      ["Credits", last ? [count(last.amount), unit((movements[last.type] ?? last.type).toLowerCase())] : "–"]];
    refill(progressPart, [job.status, job.current_step, share, cells.map(([, cell]) => String(cell?.[0] ?? cell)), tokens, last?.type], () => [
      h("div.inside", h("p.phrase", job.status === "processing" ? job.current_step ?? "At work" : word),
        h("div.row", progress("Progress of the job", share, tone), h("span.number.faint", `${Math.round(share * 100)} %`))),
      tiles(cells)]);
  }

  function moneyPart() {
    const entries = job.ledger ?? receipt?.entries ?? [];
    return [entries.length ? ledger(entries) : h("p.remark", "It moved no credits."),
      h("p.remark", [receipt?.sentence, isOperator ? `Its model calls cost ${dollars(job.cost_micro_dollars)}.` : null,
        credits ? `You have ${plural(credits.remaining, "credit")} left${credits.held ? `, ${credits.held} held` : ""}.` : null]
        .filter(Boolean).join(" "))];
  }

  function inputPart() {
    if (input !== undefined) {
      return [input === null ? h("p.faint", "It is kept no more.") : value("", input),
        result == null ? null : h("details", h("summary", "Result"), value("", result))];
    }
    if (isOwn()) return h("p.faint", "It cannot be read now.");
    return [h("p", "It is another user's. That you look is written into the audit."),
      worker("Show input and result", async () => {
        try {
          const whole = await get(`admin/jobs/${path}?content=true`);
          [input, result] = [whole.input, whole.result ?? null];
          draw();
        } catch (error) {
          fill(refusal, failure(error));
        }
      }, {key: "content"})];
  }

  function detailPart() {
    return terms([["Id", h("code", job.id)], ["User", h("bdi", job.user.subject)], ["Lane", words(job.lane)],
      ["Asked for", moment(job.created_at)], ["Deadline", moment(job.deadline)], ["Epoch", count(job.epoch)],
      ["Worker", job.worker ? h("a", {href: `/console/jobs?worker=${encodeURIComponent(job.worker)}`}, h("code", job.worker)) : "–"],
      ["Prompts", h("a", {href: `/console/prompts/${job.bundle}`}, h("code", job.bundle.slice(0, 12)))],
      ["Request", h("code", job.request_id ?? "–")], ["Trace", h("code", job.trace_id ?? "–")],
      ["Deliveries", job.deliveries?.length ? job.deliveries.map((/** @type {any} */ one) => `${words(one.status)} ${one.type}`).join(", ") : "None"]]);
  }

  function actions() {
    const mayWrite = isOwn() || may("admin:write");
    const base = isOwn() ? `jobs/${path}` : `admin/jobs/${path}`;
    return [
      job.status === "completed" && isOwn() ? h("a.button.first", {key: "read",
        href: `/console/${job.kind === "research" ? "reports" : "results"}/${job.id}`},
      job.kind === "research" ? "Read the report" : "Read the result") : null,
      isLive(job) && mayWrite ? worker("Cancel", async () => {
        if (await confirm("Cancel this job?", "What it has done is lost, and its credit is given back.",
          "Cancel the job", "Keep it")) await act(`${base}/cancel`, "The job is cancelled");
      }, {key: "cancel"}) : null,
      (job.status === "failed" || job.status === "cancelled") && mayWrite
        ? worker("Retry", () => act(`${base}/retry`, "The job waits for another attempt"), {key: "retry", class: "first"}) : null,
      input && isOwn() ? h("a.button.quiet", {key: "again", href: `/console/start?kind=${encodeURIComponent(job.kind)}&again=${job.id}`}, "Start again") : null,
    ];
  }

  /** @param {string} write @param {string} done */
  async function act(write, done) {
    fill(refusal);
    try {
      await post(write);
      announce(done);
    } catch (error) {
      fill(refusal, failure(error));
    }
    reading.again();
  }

  /** Says each new phrase, every ten seconds at most, and the end. */
  function speak() {
    const phrase = isLive(job) ? job.current_step ?? "" : `The job is ${job.status}`;
    if (phrase === "" || phrase === spoken || (isLive(job) && Date.now() - spokenAt < 10_000)) return;
    if (spoken !== "" || isLive(job)) announce(phrase);
    [spoken, spokenAt] = [phrase, Date.now()];
  }

  return {element, close() {
    clearInterval(clock);
    changes.close();
    reading.stop();
  }};
}

/** @param {any[]} calls @param {string} path of the job */
function callTable(calls, path) {
  return [grid("Model calls", [
    ["Model", "main", (call) => [h("strong", h("bdi", call.model)), second([words(call.step), call.provider,
      call.state === "ok" ? "" : words(call.state).toLowerCase(), call.hedge ? "beside another" : "", call.simulated ? "simulated" : ""].filter(Boolean).join(" · "))]],
    ["Read", "number extra", (call) => [count(call.input_tokens + call.cache_write_tokens + call.cache_read_tokens),
      call.cache_read_tokens ? second(`${count(call.cache_read_tokens)} cached`) : null]],
    ["Written", "number third", (call) => count(call.output_tokens)],
    ["Took", "number third", (call) => duration(between(call.started_at, call.ended_at ?? new Date().toISOString()))],
    ["Cost", "number", (call) => dollars(call.cost_micro_dollars)],
    ["Act", "", (call) => h("button.quiet", {key: call.id, "aria-label": `Request to ${call.model} for ${words(call.step)}`, onclick: () => asked(path, call)}, "Request")]], calls),
  h("p.remark", "That you look is written into the audit.")];
}

/**
 * Shows what a model was asked.
 * @param {string} path of the job
 * @param {any} call
 */
function asked(path, call) {
  const content = h("div.stack", loading("the request"));
  const text = (/** @type {string} */ name, /** @type {string} */ content) => content && [h("h3", name),
    h("pre.whole-text", {tabindex: "0", role: "group", "aria-label": name}, content)];
  dialog({"aria-labelledby": "request-title", class: "wide-dialog"}, h("h2", {id: "request-title"}, `What ${call.model} was asked`), content, closer);
  get(`admin/jobs/${path}/calls/${encodeURIComponent(call.id)}/request`).then(({prompt, exact, request: {system, messages, ...rest}}) => fill(content,
    h("p.faint", `By the prompt ${prompt}. ${exact ? "It is the request that the journal names."
      : "Made again; the journal has no answer to compare it with."}`), text("Instructions", system.stable + system.varying),
    messages.map((/** @type {any} */ one) => text(words(one.role), one.parts.map((/** @type {any} */ part) => part.text ?? `[${Object.keys(part)[0]}]`).join(""))),
    text("Settings", JSON.stringify(rest, null, 2))), (error) => fill(content, failure(error)));
}
