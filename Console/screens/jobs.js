/** "Jobs": the user's own, or everybody's for operators. */
import { read, session } from "../api.js";
import { fill, h, outside, reconcile } from "../dom.js";
import { ago, count, dollars, duration, plural, time } from "../format.js";
import { poll } from "../live.js";
import { badge, empty, failure, progress, skeleton, staleNote, statuses } from "../parts.js";

/** @typedef {import("../main.js").Page} Page */

const filters = ["status", "kind", "user", "code", "why", "worker", "bundle"];
const pageSize = 50;

/** @param {Page} first @returns {import("../main.js").Screen} */
export function jobsScreen(first) {
  let page = first;
  /** @type {any[]} */ let rows = [];
  /** @type {any[]} */ let waiting = [];
  /** @type {any} */ let pagination = null;
  /** @type {Map<string, any>} */ let kinds = new Map();
  /** @type {number | null} */ let readAt = null;
  /** @type {any} */ let error = null;
  let isFresh = true;
  let last = "";

  const scope = () => (session.may("admin:read") && page.query.get("scope") !== "mine" ? "all" : "mine");
  const selected = () => page.query.getAll("status");
  const table = h("tbody", {});
  const frame = h("div", { class: "table-frame" },
    h("table", { class: "jobs" }, h("caption", { class: "visually-hidden" }, "Jobs"),
      h("thead", {}, h("tr", {}, [["Status"], ["Job"], ["User", "user"], ["Progress", "progress-cell"],
        ["Attempt", "number attempt"], ["Cost", "number cost"], ["Asked for", "number asked"]].map(([name, style]) =>
        h("th", { scope: "col", class: style }, name)))), table));
  const notes = h("div", {});
  const news = h("div", { class: "news" });
  const foot = h("nav", { class: "pager", "aria-label": "Pages" });
  const form = filterForm();
  const element = h("div", { class: "screen" },
    h("div", { class: "title" }, h("h1", {}, "Jobs"),
    h("a", { class: "button first", href: "/console/start" }, "Start a job")), form.element, notes, news, frame, foot);

  /** The addresses that are read: one for each status that is chosen, since the API takes one. */
  function addresses() {
    const query = new URLSearchParams({ per_page: String(pageSize) });
    for (const name of filters) {
      const value = name === "status" ? null : page.query.get(name);
      if (value && (scope() === "all" || name === "kind")) query.set(name, value);
    }
    if (scope() === "all") for (const [name, member] of [["from", "created_from"], ["to", "created_to"]]) {
      const value = page.query.get(name);
      if (value) query.set(member, value);
    }
    const cursor = page.query.get("cursor");
    if (cursor && selected().length < 2) query.set("cursor", cursor);
    const path = scope() === "all" ? "/api/v1/admin/jobs" : "/api/v1/jobs";
    const wanted = selected().length ? selected() : [null];
    return wanted.map((status) => {
      const one = new URLSearchParams(query);
      if (status) one.set("status", status);
      return `${path}?${one}`;
    });
  }

  async function load(/** @type {AbortSignal} */ signal) {
    const asked = page;
    try {
      if (!kinds.size) kinds = new Map((await read("/api/v1/kinds", signal)).data.map((/** @type {any} */ k) => [k.kind, k]));
      const bodies = await Promise.all(addresses().map((path) => read(path, signal)));
      if (asked !== page) return true;
      const found = bodies.flatMap((body) => body.data).sort((a, b) => (a.id < b.id ? 1 : -1));
      pagination = bodies.length === 1 ? bodies[0].pagination : { has_next: false,
        isCut: bodies.some((body) => body.pagination.has_next) };
      take(found);
      [readAt, error] = [Date.now(), null];
    } catch (problem) {
      if (signal.aborted) return false;
      error = problem;
    }
    const text = JSON.stringify([rows.map((row) => [row.id, row.status, row.progress]), waiting.length]);
    const hasChanged = text !== last;
    last = text;
    draw();
    return hasChanged;
  }

  /** Keeps rows in their places: new ones wait for the button. */
  function take(/** @type {any[]} */ found) {
    if (isFresh || !rows.length) {
      [rows, waiting, isFresh] = [found, [], false];
      return;
    }
    const newest = rows[0].id;
    const byID = new Map(found.map((row) => [row.id, row]));
    const oldest = found.at(-1)?.id ?? "";
    waiting = found.filter((row) => row.id > newest);
    rows = rows.map((row) => byID.get(row.id) ?? (row.id < oldest ? row : null)).filter(Boolean);
  }

  function draw() {
    const isFirst = readAt === null;
    frame.hidden = !rows.length;
    frame.classList.toggle("without-users", scope() !== "all");
    if (isFirst && !error) fill(notes, skeleton("jobs"));
    else if (error) fill(notes, failure(error, live.again), staleNote(readAt));
    else if (!rows.length) fill(notes, nothing());
    else fill(notes);
    fill(news, waiting.length
      ? h("button", { type: "button", "data-key": "new", onclick: showNew }, `Show ${plural(waiting.length, "new job")}`) : null);
    reconcile(table, rows, (row) => row.id, () => h("tr", {}), (element, row) => drawRow(element, row));
    fill(foot, pager());
    form.show();
  }

  function showNew() {
    page.announce(plural(waiting.length, "new job"));
    [rows, waiting] = [[...waiting, ...rows], []];
    draw();
    /** @type {HTMLElement | null} */ (table.querySelector("a"))?.focus();
  }

  function nothing() {
    const isFiltered = [...filters, "from", "to"].some((name) => page.query.get(name));
    if (isFiltered) return empty("No job fits", "Other filters may find some.",
      h("a", { class: "button", href: "/console/jobs" }, "Show all jobs"));
    return empty("No jobs yet", "A job appears here as soon as the service has accepted it.",
      h("a", { class: "button first", href: "/console/start" }, "Start a job"));
  }

  function pager() {
    const link = (/** @type {string} */ name, /** @type {string | null} */ cursor) => {
      const query = new URLSearchParams(page.query);
      if (cursor) query.set("cursor", cursor); else query.delete("cursor");
      return h("a", { href: `/console/jobs?${query}`, "data-key": name }, name);
    };
    return [page.query.get("cursor") && link("Newest", null),
      pagination?.has_next && pagination.next_cursor && link("Older", pagination.next_cursor),
      pagination?.isCut && h("span", { class: "small" },
        `The newest ${pageSize} of each status are shown. One status alone leads to its older jobs.`)];
  }

  function drawRow(/** @type {Element} */ element, /** @type {any} */ row) {
    const title = kinds.get(row.kind)?.title ?? row.kind;
    const doing = row.status === "processing" ? row.current_step : row.error?.user_message ?? row.why?.sentence;
    const second = [row.subject ? title : null, doing, row.subject || doing ? null : row.id].filter(Boolean).join(" · ");
    fill(element, h("td", {}, badge(row.status)),
      h("td", { class: "name" },
        h("a", { href: `/console/jobs/${row.id}`, "data-key": row.id, class: "line" }, outside(row.subject ?? title)),
        h("span", { class: "line second" }, outside(second))),
      h("td", { class: "user" }, row.user ? outside(row.user.subject) : ""),
      h("td", { class: "progress-cell" }, progressOf(row)),
      h("td", { class: "number attempt" }, row.attempt ? count(row.attempt) : "–"),
      h("td", { class: "number cost" }, dollars(row.cost_micro_dollars)),
      h("td", { class: "number asked" }, ago(Date.now() - time(row.created_at))));
  }

  function filterForm() {
    const boxes = Object.entries(statuses).map(([status, [word]]) => {
      const box = h("input", { type: "checkbox", name: "status", value: status });
      return { box, label: h("label", { class: "chip" }, box, word) };
    });
    const kind = h("select", { id: "filter-kind", name: "kind" });
    const user = h("input", { type: "text", id: "filter-user", name: "user", placeholder: "all", autocomplete: "off" });
    const mine = h("select", { id: "filter-scope", name: "scope" },
      h("option", { value: "all" }, "Everybody’s"), h("option", { value: "mine" }, "Mine"));
    const forOperators = session.may("admin:read");
    const userField = h("div", { class: "field" }, h("label", { for: "filter-user" }, "User"), user);
    const form = h("form", { role: "search", "aria-label": "Filter jobs", class: "filter" },
      h("fieldset", {}, h("legend", {}, "Status"), h("div", { class: "chips" }, boxes.map(({ label }) => label))),
      h("div", { class: "field" }, h("label", { for: "filter-kind" }, "Kind"), kind),
      forOperators && h("div", { class: "field" }, h("label", { for: "filter-scope" }, "Jobs of"), mine),
      forOperators && userField);
    boxes[0].box.setAttribute("data-filter", "");
    function apply() {
      const query = new URLSearchParams();
      if (forOperators && mine.value === "mine") query.set("scope", "mine");
      for (const { box } of boxes) if (box.checked) query.append("status", box.value);
      for (const field of [kind, user]) if (field.value.trim()) query.set(field.name, field.value.trim());
      for (const name of ["code", "why", "worker", "bundle", "from", "to"]) {
        const value = page.query.get(name);
        if (value) query.set(name, value);
      }
      page.go(`/console/jobs${query.size ? `?${query}` : ""}`, true);
    }
    let timer = 0;
    form.addEventListener("submit", (/** @type {Event} */ event) => { event.preventDefault(); clearTimeout(timer); apply(); });
    form.addEventListener("change", () => { clearTimeout(timer); apply(); });
    user.addEventListener("input", () => { clearTimeout(timer); timer = window.setTimeout(apply, 250); });
    return { element: form, show() {
      const names = [...kinds.values()];
      const value = page.query.get("kind") ?? "";
      if (value && !kinds.has(value)) names.push({ kind: value, title: value });
      fill(kind, h("option", { value: "" }, "All kinds"), names.map((one) => h("option", { value: one.kind }, one.title)));
      if (document.activeElement !== kind) kind.value = value;
      if (document.activeElement !== user) user.value = page.query.get("user") ?? "";
      mine.value = scope();
      userField.hidden = scope() !== "all";
      for (const { box } of boxes) box.checked = selected().includes(box.value);
    } };
  }

  const live = poll(load);
  draw();
  return { title: "Jobs", element, close: live.close, update(next) {
    page = next;
    [isFresh, rows, readAt] = [true, [], null];
    live.again();
    draw();
  } };
}

/** @param {any} row */
function progressOf(row) {
  const until = time(row.blocked_by?.until ?? row.why?.until);
  switch (row.status) {
    case "processing": return progress(row.progress, "run", "Progress");
    case "pending": return h("span", { class: "quiet-text" },
      until > Date.now() ? `starts in ${duration(until - Date.now())}` : row.attempt ? `at ${row.progress} %` : "not started");
    case "completed": return h("span", { class: "quiet-text" },
      `took ${duration(time(row.completed_at) - time(row.created_at))}`);
    default: return h("span", { class: "quiet-text" },
      `after ${duration(time(row.completed_at) - time(row.created_at))}`);
  }
}
