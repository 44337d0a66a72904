// The list of jobs: of the user, or of everybody for operators.

import { APIError, address, request } from "../api.js";
import { fill, h, reconcile, setText } from "../dom.js";
import { STATUSES, clock, plural } from "../format.js";
import { jobsTable, kindTitles, makeJobRow, updateJobRow } from "../rows.js";
import { empty, failure, loading, note } from "../parts.js";

const PER_PAGE = 30;
// What is shown counts as stale from this age on, in milliseconds.
const STALE = 10_000;

/**
 * @param {Page} page
 * @returns {View}
 */
export function jobsScreen(page) {
  let query = page.query;
  /** @type {Map<string, string>} */
  let titles = new Map();
  /** @type {Job[]} */
  let shown = [];
  /** @type {Job[]} */
  let newest = [];
  let text = "";
  let readAt = 0;
  let generation = 0;
  const mayAll = page.session.admin && page.session.scopes.includes("admin:read");
  const all = () => mayAll && query.get("scope") !== "mine";
  const isFiltered = () => ["status", "kind", "user", "code", "why", "worker", "bundle", "from", "to"]
    .some((name) => query.has(name));

  /** @param {Record<string, string | null>} changes */
  const target = (changes) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === "") next.delete(name);
      else next.set(name, value);
    }
    return address("/console/jobs", Object.fromEntries(next));
  };
  /** @param {Record<string, string | null>} changes */
  const apply = (changes) => page.navigate(target({ ...changes, cursor: null }));

  const boxes = STATUSES.map(({ status, word }) => {
    const box = h("input", { type: "checkbox", value: status });
    box.addEventListener("change", () => apply({ status: box.checked ? status : null }));
    return { box, label: h("label", { class: "chip" }, box, word) };
  });
  const kinds = h("select", { id: "filter-kind" }, h("option", { value: "" }, "All kinds"));
  kinds.addEventListener("change", () => apply({ kind: kinds.value }));
  const user = h("input", { id: "filter-user", type: "text", placeholder: "all", autocomplete: "off", maxlength: 200 });
  user.addEventListener("change", () => apply({ user: user.value.trim() }));
  const userField = h("div", { class: "field" }, h("label", { for: "filter-user" }, "User"), user);
  const scopes = h("select", { id: "filter-scope" }, h("option", { value: "all" }, "Everybody"),
    h("option", { value: "mine" }, "Mine"));
  scopes.addEventListener("change", () => apply({ scope: scopes.value, user: null }));
  const filters = h("form", { role: "search", "aria-label": "Filter jobs", class: "filters",
    onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
  h("fieldset", {}, h("legend", {}, "Status"), ...boxes.map(({ label }) => label)),
  h("div", { class: "field" }, h("label", { for: "filter-kind" }, "Kind"), kinds),
  mayAll && h("div", { class: "field" }, h("label", { for: "filter-scope" }, "Jobs of"), scopes),
  mayAll && userField);

  const body = h("tbody", {});
  const table = jobsTable("Jobs", body);
  const frame = h("div", { class: "frame" }, table);
  const state = h("div", {});
  const fresh = h("button", { type: "button", class: "button fresh", hidden: true });
  fresh.addEventListener("click", () => {
    shown = newest;
    draw();
    page.main.focus({ preventScroll: true });
  });
  const stale = h("div", { hidden: true });
  const older = h("a", { class: "button", hidden: true }, "Older");
  const first = h("a", { class: "button", hidden: true }, "Newest");

  const draw = () => {
    const known = new Map(newest.map((job) => [job.id, job]));
    shown = shown.map((job) => known.get(job.id) ?? job);
    const there = new Set(shown.map((job) => job.id));
    const added = newest.filter((job) => !there.has(job.id)).length;
    fresh.hidden = added === 0;
    setText(fresh, `Show ${plural(added, "new job")}`);
    table.classList.toggle("all", all());
    reconcile(body, shown, (job) => job.id, makeJobRow, (row, job) => updateJobRow(row, job, titles));
    frame.hidden = shown.length === 0;
    if (shown.length > 0) fill(state);
    else if (isFiltered()) {
      fill(state, empty("No job fits", "No job fits all of these filters.",
        h("a", { class: "button", href: address("/console/jobs", { scope: query.get("scope") }) }, "Show all jobs")));
    } else {
      fill(state, empty("No jobs yet", "Jobs appear here as soon as the API accepts them.", null));
    }
  };

  const skeleton = setTimeout(() => { if (readAt === 0) fill(state, loading("jobs")); }, 150);
  page.signal.addEventListener("abort", () => clearTimeout(skeleton));

  const read = async () => {
    const started = generation;
    const filter = { status: query.get("status"), kind: query.get("kind"), per_page: PER_PAGE,
      cursor: query.get("cursor") };
    const path = all() ? address("/api/v1/admin/jobs", { ...filter, user: query.get("user"), code: query.get("code"),
      why: query.get("why"), worker: query.get("worker"), bundle: query.get("bundle"),
      created_from: query.get("from"), created_to: query.get("to") }) : address("/api/v1/jobs", filter);
    try {
      if (titles.size === 0) {
        titles = await kindTitles();
        for (const [kind, title] of titles) kinds.append(h("option", { value: kind }, title));
        kinds.value = query.get("kind") ?? "";
      }
      const answer = await request(path, { signal: page.signal });
      if (started !== generation) return false;
      const begins = readAt === 0;
      readAt = Date.now();
      stale.hidden = true;
      const next = JSON.stringify(answer.data);
      const changed = next !== text;
      text = next;
      newest = answer.data;
      if (begins || shown.length === 0) shown = newest;
      const cursor = answer.pagination?.next_cursor;
      older.hidden = !answer.pagination?.has_next || !cursor;
      if (cursor) older.href = target({ cursor });
      draw();
      return changed;
    } catch (error) {
      if (page.signal.aborted || started !== generation) return false;
      if (readAt === 0) {
        frame.hidden = true;
        fill(state, failure(error, reads.now));
      } else if (!(error instanceof APIError) || error.status !== 0) {
        fill(stale, failure(error, reads.now));
        stale.hidden = false;
      } else if (Date.now() - readAt > STALE) {
        fill(stale, note("wait", "Not up to date.", `Shown as of ${clock(new Date(readAt).toISOString(), Date.now())}.`));
        stale.hidden = false;
      }
      return false;
    }
  };
  const reads = page.every(read);

  const showFilters = () => {
    for (const { box } of boxes) box.checked = query.get("status") === box.value;
    kinds.value = query.get("kind") ?? "";
    user.value = query.get("user") ?? "";
    scopes.value = all() ? "all" : "mine";
    userField.hidden = !all();
    first.hidden = !query.has("cursor");
    first.href = target({ cursor: null });
  };
  showFilters();
  frame.hidden = true;
  reads.now();
  const element = h("div", {}, h("div", { class: "title" }, h("h1", {}, "Jobs")), filters, stale, fresh, frame, state,
    h("p", { class: "pages" }, first, older));
  return { title: "Jobs", element, update: (next) => {
    query = next;
    generation += 1;
    readAt = 0;
    text = "";
    shown = [];
    showFilters();
    reads.now();
  } };
}
