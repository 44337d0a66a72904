/** The page of a job: why it does not move, its progress, its time, and its money. */
import { read, session, write } from "../api.js";
import { fill, h, outside } from "../dom.js";
import { follow } from "../events.js";
import { ago, clock, count, dollars, duration, plural, shortID, time, words } from "../format.js";
import { poll } from "../live.js";
import { badge, card, confirm, copy, failure, note, progress, skeleton, staleNote, statuses } from "../parts.js";
import { drawing } from "./waterfall.js";

/** @typedef {import("../main.js").Page} Page */

const entries = { hold: "Held", settle: "Charged", release: "Given back", grant: "Granted" };
const spokenEvery = 10_000;

/** @param {Page} page @returns {import("../main.js").Screen} */
export function jobScreen(page) {
  const asOperator = session.may("admin:read");
  const path = `/api/v1/${asOperator ? "admin/" : ""}jobs/${page.id}`;
  const controller = new AbortController();
  /** @type {any} */ let job = null;
  /** @type {any} */ let receipt = null;
  /** @type {any} */ let credits = null;
  /** @type {any} */ let kind = null;
  /** @type {any} */ let error = null;
  /** @type {number | null} */ let readAt = null;
  let [busy, said, saidAt, last] = [false, "", 0, ""];
  const isOwn = () => !asOperator || String(job.user?.id) === String(session.now.user?.id);

  const title = h("h1", { class: "name" }, "Job");
  const status = h("span", {});
  const meta = h("p", { class: "meta" });
  const actions = h("div", { class: "actions" });
  const notes = h("div", {});
  const why = h("div", {});
  const phrase = h("p", { class: "phrase" });
  const bar = h("div", {});
  const tiles = h("dl", { class: "tiles" });
  const progressCard = card("Progress", [h("div", { class: "inside" }, phrase, bar), tiles]);
  const waterfall = asOperator ? drawing() : null;
  const callRows = h("tbody", {});
  const calls = card("Model calls", [h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Table of model calls" },
    h("table", {}, h("thead", {}, h("tr", {}, ["Model", "Read", "Written", "Cost", "Ended"].map((name, index) =>
      h("th", { scope: "col", class: index ? "number" : "" }, name)))), callRows))]);
  const ledgerRows = h("tbody", {});
  const balance = h("p", { class: "inside quiet-text" });
  const money = card("Money", [h("table", { class: "ledger" }, h("caption", { class: "visually-hidden" }, "Ledger"),
    h("thead", { class: "visually-hidden" }, h("tr", {}, ["Entry", "At", "Credits"].map((name) => h("th", { scope: "col" }, name)))),
    ledgerRows), balance]);
  const details = h("dl", { class: "details" });
  const raw = h("pre", { tabindex: 0, role: "group", "aria-label": "JSON of the job" });
  const rawCard = card("Raw JSON", [raw], h("button", { type: "button", class: "quiet", onclick: () =>
    copy(raw.textContent, page.announce, "the JSON") }, "Copy"));
  const body = h("div", { class: "stack", hidden: true }, why, progressCard, waterfall?.element,
    h("div", { class: "two" }, asOperator && calls, money), card("Details", [details]), rawCard);
  const element = h("div", { class: "screen" }, h("p", { class: "crumbs" }, h("a", { href: "/console/jobs" }, "Jobs")),
    h("div", { class: "title" }, h("div", { class: "name-and-status" }, title, status), actions), meta, notes, body);

  async function load(/** @type {AbortSignal} */ signal) {
    try {
      const found = (await read(path, signal)).data;
      if (!kind) kind = await read("/api/v1/kinds", signal).then((all) =>
        all.data.find((/** @type {any} */ one) => one.kind === found.kind) ?? { title: found.kind, stages: [] });
      if (!asOperator) receipt = (await read(`${path}/receipt`, signal)).data;
      job = found;
      if (isOwn()) credits = (await read("/api/v1/credits", signal)).data;
      [readAt, error] = [Date.now(), null];
    } catch (problem) {
      if (signal.aborted) return false;
      error = problem;
    }
    const text = JSON.stringify([job?.status, job?.attempt, job?.progress]);
    const hasChanged = text !== last;
    last = text;
    draw();
    return hasChanged;
  }

  function onEvent(/** @type {any} */ event) {
    if (!job) return;
    const isStep = event.status !== job.status || event.attempt !== job.attempt;
    job = { ...job, ...event };
    speak();
    if (isStep) live.again(); else draw();
  }

  function speak() {
    const words = job.status === "processing" ? job.current_step : statuses[job.status]?.[0];
    if (!words || words === said) return;
    if (job.status === "processing" && Date.now() - saidAt < spokenEvery) return;
    [said, saidAt] = [words, Date.now()];
    page.announce(words);
  }

  function draw() {
    fill(notes, !job && !error ? skeleton("the job", 9) : null, error ? failure(error, live.again) : null,
      error && readAt ? staleNote(readAt) : null);
    body.hidden = !job;
    if (!job) return;
    const name = job.subject ?? kind.title;
    fill(title, outside(name));
    page.retitle(String(name));
    fill(status, badge(job.status));
    fill(meta, job.subject && h("span", {}, outside(kind.title)), h("span", {}, `asked for ${ago(Date.now() - time(job.created_at))}`),
      job.user && h("span", {}, "by user ", outside(job.user.subject)),
      h("span", {}, h("span", { class: "mono" }, shortID(job.id)), " ",
        h("button", { type: "button", class: "link", "data-key": "id", onclick: () => copy(job.id, page.announce, "the id") }, "Copy id")));
    fill(actions, buttons());
    drawWhy();
    drawProgress();
    waterfall?.show(job, new Map(kind.stages.map((/** @type {any} */ stage) => [stage.name, stage.says])));
    fill(callRows, (job.model_calls ?? []).length ? job.model_calls.map(callRow)
      : h("tr", {}, h("td", { colspan: 5, class: "quiet-text" }, "No model was asked.")));
    drawMoney();
    drawDetails();
    fill(raw, JSON.stringify(job, null, 2));
  }

  function buttons() {
    const isOver = ["completed", "failed", "cancelled"].includes(job.status);
    const mayWrite = asOperator ? session.may("admin:write") : true;
    return [
      job.kind === "research" && job.status === "completed" && isOwn()
        && h("a", { class: "button first", "data-key": "report", href: `/console/reports/${job.id}` }, "Read the report"),
      mayWrite && !isOver && h("button", { type: "button", "data-key": "cancel", disabled: busy, onclick: cancel }, "Cancel"),
      mayWrite && ["failed", "cancelled"].includes(job.status)
        && h("button", { type: "button", class: "first", "data-key": "retry", disabled: busy, onclick: () => act("retry") }, "Retry"),
      h("button", { type: "button", class: "quiet", "data-key": "curl", onclick: () => copy(curl(), page.announce, "the command") }, "Copy as curl"),
    ];
  }

  function curl() {
    const user = session.now.auth === "jwt" ? ` -H "Authorization: Bearer $DOSSIER_TOKEN"`
      : session.now.auth === "development" ? ` -H 'X-User-ID: ${String(job.user?.subject ?? session.now.user.subject).replaceAll("'", "'\\''")}'` : "";
    return `curl -s ${location.origin}${path}${user}`;
  }

  async function cancel() {
    if (await confirm("Cancel this job?", "Its work ends, and its credits are given back.", "Cancel the job", "Keep it")) act("cancel");
  }

  async function act(/** @type {"cancel" | "retry"} */ action) {
    busy = true;
    draw();
    try {
      await write("POST", `${path}/${action}`);
      page.announce(action === "cancel" ? "The job is cancelled" : "The job starts again");
      startStream();
    } catch (problem) {
      error = problem;
    }
    busy = false;
    draw();
    live.again();
  }

  function drawWhy() {
    why.hidden = !["pending", "processing", "failed", "cancelled"].includes(job.status) || !(job.why || job.error);
    const reason = job.why;
    if (job.status === "failed") {
      fill(why, h("section", { "aria-labelledby": "why" }, h("h2", { id: "why", class: "visually-hidden" }, "Why"),
        note("fail", "Failed.", outside(job.error?.user_message ?? reason?.sentence ?? ""),
          [job.error?.code, job.request_id].filter(Boolean).join(" · "),
          reason && h("p", { class: "quiet-text" }, outside(reason.sentence)))));
      return;
    }
    const sentence = reason?.sentence;
    fill(why, sentence && job.status !== "completed" ? h("section", { "aria-labelledby": "why" },
      h("h2", { id: "why", class: "visually-hidden" }, "Why"),
      note(statuses[job.status][1], `${statuses[job.status][0]}.`, outside(sentence),
        [reason.code, reason.until && `until ${clock(reason.until)}`].filter(Boolean).join(" · "))) : null);
  }

  function drawProgress() {
    const end = job.completed_at ? time(job.completed_at) : Date.now();
    const word = statuses[job.status]?.[0] ?? job.status;
    fill(phrase, job.status === "processing" ? outside(job.current_step ?? word) : word);
    fill(bar, progress(job.progress, statuses[job.status]?.[1] ?? "off", "Progress of the job"));
    const waited = (job.waits ?? []).reduce((/** @type {number} */ sum, /** @type {any} */ wait) =>
      sum + ((wait.until ? time(wait.until) : end) - time(wait.from)), 0);
    const used = job.model_calls ?? [];
    const tokens = used.reduce((/** @type {number} */ sum, /** @type {any} */ call) =>
      sum + call.input_tokens + call.output_tokens + call.cache_read_tokens + call.cache_write_tokens, 0);
    const ledger = job.ledger ?? receipt?.entries ?? [];
    const held = ledger.at(-1);
    const tile = (/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ unit = "") =>
      h("div", {}, h("dt", {}, name), h("dd", {}, value, unit && h("span", { class: "unit" }, ` ${unit}`)));
    fill(tiles, tile("Took", duration(end - time(job.created_at)), job.completed_at ? "" : "so far"),
      asOperator && tile("Of it waiting", duration(waited)),
      tile("Attempts", count(job.attempt), job.max_attempts ? `of ${job.max_attempts}` : ""),
      asOperator && tile("Model calls", count(used.length), tokens ? `${count(tokens)} tokens` : ""),
      asOperator && tile("Spent on models", dollars(job.cost_micro_dollars)),
      tile("Credits", held ? count(held.amount) : "–", held ? entries[/** @type {"hold"} */ (held.type)]?.toLowerCase() ?? held.type : "none"));
  }

  function callRow(/** @type {any} */ call) {
    return h("tr", {}, h("th", { scope: "row" }, outside(call.model), " ", h("span", { class: "quiet-text" }, outside(call.provider))),
      h("td", { class: "number" }, count(call.input_tokens + call.cache_read_tokens + call.cache_write_tokens)),
      h("td", { class: "number" }, count(call.output_tokens)), h("td", { class: "number" }, dollars(call.cost_micro_dollars)),
      h("td", { class: "number" }, call.ended_at ? clock(call.ended_at) : call.state));
  }

  function drawMoney() {
    const ledger = job.ledger ?? receipt?.entries ?? [];
    fill(ledgerRows, ledger.length ? ledger.map((/** @type {any} */ entry) => h("tr", {},
      h("th", { scope: "row" }, h("span", { class: `ring ${entry.type}`, "aria-hidden": "true" }),
        entries[/** @type {"hold"} */ (entry.type)] ?? words(entry.type)),
      h("td", { class: "quiet-text" }, clock(entry.at)), h("td", { class: "number" }, plural(entry.amount, "credit"))))
      : h("tr", {}, h("td", { colspan: 3, class: "quiet-text" }, "No credit was taken.")));
    fill(balance, credits ? `Balance: ${plural(credits.remaining, "credit")} left, ${credits.held} held.` : null);
  }

  function drawDetails() {
    const names = ["lane", "deadline", "epoch", "worker", "bundle", "request_id", "trace_id", "created_at", "started_at", "completed_at"];
    fill(details, names.filter((name) => job[name] !== undefined && job[name] !== null).map((name) =>
      h("div", {}, h("dt", {}, words(name)), h("dd", { class: "mono" }, job[name]))));
  }

  let streaming = false;
  async function startStream() {
    if (streaming || (asOperator && job && !isOwn())) return;
    streaming = true;
    await follow([page.id], onEvent, controller.signal);
    streaming = false;
  }

  const live = poll(async (signal) => {
    const hasChanged = await load(signal);
    if (job && !job.completed_at) startStream();
    return hasChanged || Boolean(job && job.status === "processing");
  });
  draw();
  return { title: "Job", element, close() { controller.abort(); live.close(); } };
}
