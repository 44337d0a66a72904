// Rows of jobs, and the names that they show.

import { request } from "./api.js";
import { fill, h, setText } from "./dom.js";
import { ago, clock, dollars, progressWords } from "./format.js";
import { badge, progressBar, updateProgress } from "./parts.js";

/** @type {[string, string][]} */
const COLUMNS = [["Status", "status"], ["Job", "job"], ["User", "user"], ["Progress", "progress-cell"],
  ["Attempt", "attempt"], ["Cost", "cost"], ["Asked for", "asked-for"]];

/**
 * The name of a job: its subject, else the title of its kind.
 * @param {Job} job
 * @param {Map<string, string>} titles
 */
export function jobName(job, titles) {
  return job.subject || titles.get(job.kind) || job.kind;
}

/**
 * What a job does, waits for or failed of.
 * @param {Job} job
 */
function stateSentence(job) {
  if (job.status === "failed") return job.error?.user_message ?? "";
  if (job.status === "processing") return job.current_step ?? "";
  return job.status === "pending" ? job.why?.sentence ?? "" : "";
}

/** @returns {Promise<Map<string, string>>} */
export async function kindTitles() {
  const { data } = await request("/api/v1/kinds");
  return new Map(data.map((/** @type {{kind: string, title: string}} */ each) => [each.kind, each.title]));
}

/**
 * A table of jobs around its rows.
 * @param {string} caption
 * @param {HTMLElement} body
 */
export function jobsTable(caption, body) {
  return h("table", { class: "jobs" }, h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, ...COLUMNS.map(([name, kind]) => h("th", { scope: "col", class: kind }, name)))), body);
}

/** @returns {HTMLTableRowElement} */
export function makeJobRow() {
  return h("tr", {}, h("td", { class: "status" }), h("td", { class: "job" }, h("a", {}, h("bdi", {})),
  h("span", { class: "second" }, h("bdi", {}))), h("td", { class: "user" }, h("bdi", {})),
h("td", { class: "progress-cell" }), h("td", { class: "attempt" }), h("td", { class: "cost" }),
h("td", { class: "asked-for" }, h("time", {})));
}

/**
 * Brings a row in line with its job; only what differs is written.
 * @param {HTMLElement} row
 * @param {Job} job
 * @param {Map<string, string>} titles
 */
export function updateJobRow(row, job, titles) {
  const [status, name, owner, progress, attempt, cost, asked] = [...row.children];
  if (!status || !name || !owner || !progress || !attempt || !cost || !asked) return;
  if (row.dataset.status !== job.status) {
    fill(status, badge(job.status));
    fill(progress, job.status === "processing" ? progressBar(`Progress of ${jobName(job, titles)}`) : null);
    row.dataset.status = job.status;
  }
  const link = name.querySelector("a");
  if (link) {
    const href = `/console/jobs/${encodeURIComponent(job.id)}`;
    if (link.getAttribute("href") !== href) link.href = href;
  }
  const [title, second] = name.querySelectorAll("bdi");
  if (title) setText(title, jobName(job, titles));
  const parts = [job.subject ? titles.get(job.kind) ?? job.kind : "", stateSentence(job)];
  const sentence = parts.filter((part) => part !== "").join(" · ");
  const kind = jobName(job, titles) === job.kind ? "" : job.kind;
  if (second) setText(second, sentence === "" ? kind : sentence);
  const person = owner.querySelector("bdi");
  if (person) setText(person, job.user?.subject ?? "");
  const bar = progress.querySelector(".progress");
  if (bar instanceof HTMLElement) updateProgress(bar, job.progress, job.status);
  else setText(progress, progressWords(job, Date.now()));
  setText(attempt, job.attempt === 0 ? "–"
    : job.max_attempts ? `${job.attempt} of ${job.max_attempts}` : String(job.attempt));
  setText(cost, dollars(job.cost_micro_dollars));
  const moment = asked.querySelector("time");
  if (moment) {
    moment.dateTime = job.created_at;
    moment.title = clock(job.created_at, Date.now());
    setText(moment, ago(job.created_at, Date.now()));
  }
}
