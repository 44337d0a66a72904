// The page of one job: its state, model calls, money and details.

import { APIError, request } from "../api.js";
import { bdi, fill, h, setText } from "../dom.js";
import { LEDGER, clock, count, dollars, duration, plural, words } from "../format.js";
import { badge, card, failure, loading, note, progressBar, terms, updateProgress } from "../parts.js";
import { jobName, kindTitles } from "../rows.js";

/**
 * @param {string} caption
 * @param {string[]} heads
 * @param {(string | Node)[][]} rows
 */
function table(caption, heads, rows) {
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": caption },
    h("table", {}, h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, ...heads.map((name, place) =>
        h("th", { scope: "col", class: place > 0 && "number" }, name)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell, place) =>
        h("td", { class: place > 0 && "number" }, cell)))))));
}

/** @param {any} job */
function callsCard(job) {
  /** @type {any[]} */
  const calls = job.model_calls;
  if (calls.length === 0) return card("Model calls", h("p", { class: "inside" }, "No model has been asked."));
  return card("Model calls", table("Model calls", ["Model", "State", "Read", "Written", "Cost", "Took"], calls.map((call) => [
    h("strong", {}, bdi(call.model)), words(call.state),
    count(call.input_tokens + call.cache_read_tokens + call.cache_write_tokens), count(call.output_tokens),
    dollars(call.cost_micro_dollars),
    call.ended_at ? duration(Date.parse(call.ended_at) - Date.parse(call.started_at)) : "–"])));
}

/** @param {any} job */
function moneyCard(job) {
  /** @type {any[]} */
  const entries = job.ledger;
  if (entries.length === 0) return card("Money", h("p", { class: "inside" }, "This job moves no credits."));
  return card("Money", table("Ledger", ["Entry", "Amount", "Remaining after", "At"], entries.map((entry) => [
    LEDGER[entry.type] ?? words(entry.type), plural(entry.amount, "credit"), count(entry.after.remaining),
    clock(entry.at, Date.now())])));
}

/** @param {any} job */
function whyNote(job) {
  if (job.status === "failed" && job.error) {
    const facts = [job.error.code, job.request_id].filter(Boolean).join(" · ");
    return card("Why", note("fail", "Failed.", bdi(job.error.user_message), facts));
  }
  if (job.why && job.status !== "cancelled") {
    return card("Why", note(job.status === "pending" ? "wait" : "run", job.status === "pending" ? "Waiting." : "Running.",
      bdi(job.why.sentence), job.why.code));
  }
  return null;
}

/**
 * @param {Page} page
 * @returns {View}
 */
export function jobScreen(page) {
  const id = decodeURIComponent(page.path.split("/").at(-1) ?? "");
  const operator = page.session.admin && page.session.scopes.includes("admin:read");
  const name = h("bdi", {}, "Job");
  const status = h("span", { class: "status-place" });
  const facts = h("p", { class: "facts" });
  const why = h("div", {});
  const phrase = h("p", { class: "phrase" });
  const bar = progressBar("Progress");
  const figures = h("dl", { class: "tiles" });
  const cards = h("div", {});
  const raw = h("pre", { tabindex: 0, role: "group", "aria-label": "Raw JSON" });
  const state = h("div", {});
  const content = h("div", { hidden: true }, why,
    card("Progress", h("div", { class: "inside" }, phrase, bar), figures), cards,
    card("Raw JSON", h("details", {}, h("summary", {}, "Show the answer of the API"), raw)));
  const copy = h("button", { type: "button", class: "quiet" }, "Copy id");
  copy.addEventListener("click", async () => {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(id);
      page.announce("The id is copied");
    } else {
      getSelection()?.selectAllChildren(place);
    }
  });
  const place = h("code", {}, id);
  const cancel = h("button", { type: "button", class: "button", hidden: true }, "Cancel");
  const retry = h("button", { type: "button", class: "button", hidden: true }, "Retry");
  /** @type {Map<string, string>} */
  let titles = new Map();
  /** @type {any} */
  let shown = null;
  let text = "";

  const mayWrite = (/** @type {any} */ job) => page.session.scopes.includes("admin:write")
    || !job.user || job.user.subject === page.session.user?.subject;

  /** @param {"cancel" | "retry"} act */
  const write = async (act) => {
    const own = !shown.user || shown.user.subject === page.session.user?.subject;
    const button = act === "cancel" ? cancel : retry;
    button.disabled = true;
    try {
      await request(`/api/v1/${own ? "" : "admin/"}jobs/${id}/${act}`, { method: "POST", body: own ? undefined : {} });
      page.announce(act === "cancel" ? "The job is cancelled" : "The job starts again");
      fill(state);
    } catch (error) {
      fill(state, failure(error, () => write(act)));
    }
    button.disabled = false;
    await reads.now();
    if (button.hidden) page.main.focus({ preventScroll: true });
  };
  const keep = h("button", { class: "button", value: "keep", autofocus: true }, "Keep it");
  const dialog = h("dialog", { "aria-labelledby": "cancel-title" }, h("h2", { id: "cancel-title" }, "Cancel this job?"),
    h("p", {}, "Its credits are given back. What it has done so far is lost."),
    h("form", { method: "dialog", class: "buttons" }, keep,
      h("button", { class: "button danger", value: "cancel" }, "Cancel the job")));
  dialog.addEventListener("close", () => { if (dialog.returnValue === "cancel") write("cancel"); });
  cancel.addEventListener("click", () => {
    dialog.returnValue = "";
    dialog.showModal();
  });
  retry.addEventListener("click", () => write("retry"));

  /** @param {any} job */
  const draw = (job) => {
    const now = Date.now();
    setText(name, jobName(job, titles));
    document.title = `${name.textContent} · Dossier`;
    if (shown?.status !== job.status) fill(status, badge(job.status));
    fill(facts, job.subject && h("span", {}, titles.get(job.kind) ?? job.kind), h("span", {}, "asked for ", clock(job.created_at, now)),
      job.user && h("span", {}, "by user ", bdi(job.user.subject)), h("span", {}, place, " ", copy));
    fill(why, whyNote(job));
    const ended = ["completed", "failed", "cancelled"].includes(job.status);
    setText(phrase, job.current_step ?? badge(job.status).textContent ?? "");
    updateProgress(bar, job.progress, job.status);
    const until = job.completed_at ? Date.parse(job.completed_at) : now;
    const started = job.started_at ? Date.parse(job.started_at) : until;
    const ledger = job.ledger ?? [];
    const settled = ledger.at(-1);
    /** @type {[string, string][]} */
    const tiles = [[ended ? "Took" : "So far", duration(until - Date.parse(job.created_at))],
      ["Before its first start", duration(started - Date.parse(job.created_at))],
      ["Attempts", job.max_attempts ? `${job.attempt} of ${job.max_attempts}` : String(job.attempt)]];
    if (job.model_calls) tiles.push(["Model calls", count(job.model_calls.length)],
      ["Spent on models", dollars(job.cost_micro_dollars)]);
    tiles.push(["Credits", settled ? `${settled.amount} ${(LEDGER[settled.type] ?? "").toLowerCase()}` : "none"]);
    fill(figures, ...tiles.map(([term, value]) => h("div", {}, h("dt", {}, term), h("dd", {}, value))));
    /** @type {[string, Node | string][]} */
    const details = [];
    for (const member of ["lane", "priority", "deadline", "epoch", "worker", "bundle", "request_id", "trace_id"]) {
      const value = job[member];
      if (value === null || value === undefined) continue;
      details.push([words(member), member === "deadline" ? clock(value, now) : h("code", {}, String(value))]);
    }
    fill(cards, job.model_calls && callsCard(job), job.ledger && moneyCard(job),
      details.length > 0 && card("Details", h("div", { class: "inside" }, terms(details))));
    setText(raw, JSON.stringify(job, null, 2));
    cancel.hidden = ended || !mayWrite(job);
    retry.hidden = !["failed", "cancelled"].includes(job.status) || !mayWrite(job);
    content.hidden = false;
    shown = job;
  };

  const load = async () => {
    if (titles.size === 0) titles = await kindTitles();
    if (operator) return (await request(`/api/v1/admin/jobs/${encodeURIComponent(id)}`, { signal: page.signal })).data;
    const own = (await request(`/api/v1/jobs/${encodeURIComponent(id)}`, { signal: page.signal })).data;
    const receipt = (await request(`/api/v1/jobs/${encodeURIComponent(id)}/receipt`, { signal: page.signal })).data;
    return { ...own, ledger: receipt.entries };
  };
  const reads = page.every(async () => {
    try {
      const job = await load();
      const next = JSON.stringify(job);
      const changed = next !== text;
      text = next;
      if (shown === null) fill(state);
      if (changed || !job.completed_at) {
        if (shown && shown.status !== job.status) page.announce(badge(job.status).textContent ?? "");
        draw(job);
      }
      return changed;
    } catch (error) {
      if (page.signal.aborted) return false;
      if (shown === null || !(error instanceof APIError) || error.status !== 0) fill(state, failure(error, reads.now));
      return false;
    }
  });
  const skeleton = setTimeout(() => { if (shown === null) fill(state, loading("the job")); }, 150);
  page.signal.addEventListener("abort", () => clearTimeout(skeleton));
  reads.now();
  return { title: "Job", element: h("div", {}, h("p", { class: "trail" }, h("a", { href: "/console/jobs" }, "Jobs")),
    h("div", { class: "title" }, h("h1", {}, name), status, h("div", { class: "buttons" }, retry, cancel)), facts, state,
    content, dialog) };
}
