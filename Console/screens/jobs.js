// The list of jobs: one's own, or everybody's for operators.
import {h, fill, reconcile} from "../dom.js";
import {send, get, may} from "../api.js";
import {repeat} from "../live.js";
import {count, dollars, duration, between, moment, states, words} from "../format.js";
import {status, table, progress, loading, empty, failure} from "../parts.js";

/** @type {Record<string, string>} */
const kinds = {};

/** Titles of kinds by name, read once. */
export async function kindTitles() {
  if (Object.keys(kinds).length === 0) {
    for (const kind of await get("kinds")) kinds[kind.kind] = kind.title;
  }
  return kinds;
}

/**
 * What a job is about.
 * @param {any} job
 */
export function subject(job) {
  return job.subject ?? kinds[job.kind] ?? words(job.kind);
}

/**
 * What a job does or waits for.
 * @param {any} job
 */
export function doing(job) {
  if (job.error) return job.error.user_message;
  if (job.status === "processing") return job.current_step ?? "At work";
  if (job.why) return job.why.sentence;
  if (job.blocked_by) return job.blocked_by.until ? `Waits until ${moment(job.blocked_by.until)}` : "Waits for its turn";
  return "";
}

/** @param {Page} page */
export default function jobs(page) {
  let query = page.query;
  const isOperator = may("admin:read");
  const list = h("div");
  const problem = h("div");
  const foot = h("div", {class: "row"});
  const scopes = h("div", {class: "tabs"});
  /** @type {{element: HTMLElement, body: HTMLElement} | null} */
  let rows = null;
  /** @type {{stop: () => void, again: () => void} | null} */
  let reading = null;

  const boxes = Object.entries(states).map(([name, state]) => h("label", {class: "check"},
    h("input", {type: "checkbox", name: "status", value: name, onchange: change}), state.word));
  const kind = h("select", {id: "filter-kind", onchange: change}, h("option", {value: ""}, "Every kind"));
  const user = h("input", {id: "filter-user", type: "text", autocomplete: "off", onchange: change});
  const users = h("p", {class: "row", hidden: true}, h("label", {for: "filter-user"}, "User"), user);
  const form = h("form", {role: "search", "aria-label": "Filter jobs", class: "filter",
    onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); change(); }},
  h("fieldset", {}, h("legend", {class: "hidden-text"}, "Status"), boxes),
  h("label", {for: "filter-kind", class: "hidden-text"}, "Kind"), kind,
  users);

  function scope() {
    return isOperator && query.get("scope") !== "mine" ? "all" : "mine";
  }

  function change() {
    const next = new URLSearchParams(query);
    const chosen = boxes.map((box) => box.querySelector("input")).filter((input) => input?.checked)
      .map((input) => input?.value ?? "");
    for (const [name, value] of [["status", chosen.length === 1 ? chosen[0] : ""], ["kind", kind.value], ["user", user.value.trim()]]) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    next.delete("cursor");
    page.go(`/console/jobs${next.size ? `?${next}` : ""}`);
  }

  /**
   * One status at a time: choosing another one leaves the first.
   * @param {Event} event
   */
  function single(event) {
    for (const box of boxes) {
      const input = box.querySelector("input");
      if (input && input !== event.target && event.target instanceof HTMLInputElement && event.target.checked) input.checked = false;
    }
  }
  form.addEventListener("change", single, true);

  function show() {
    const isAll = scope() === "all";
    for (const box of boxes) {
      const input = box.querySelector("input");
      if (input) input.checked = input.value === query.get("status");
    }
    kind.value = query.get("kind") ?? "";
    user.value = query.get("user") ?? "";
    users.hidden = !isAll;
    fill(scopes, isOperator ? [["all", "Everybody's"], ["mine", "Yours"]].map(([name, label]) =>
      h("a", {key: name, href: `/console/jobs?scope=${name}`, "aria-current": name === scope() ? "true" : null}, label)) : null);
    rows = null;
    fill(list, loading("the jobs"));
    const parameters = new URLSearchParams();
    for (const name of isAll ? ["status", "kind", "user", "code", "why", "worker", "bundle", "cursor"] : ["status", "kind", "cursor"]) {
      const value = query.get(name);
      if (value) parameters.set(name, value);
    }
    parameters.set("per_page", "25");
    reading?.stop();
    reading = repeat(async (signal) => {
      await kindTitles();
      return send("GET", `/api/v1/${isAll ? "admin/jobs" : "jobs"}?${parameters}`, {signal});
    }, (answer) => fillRows(answer, isAll), (error) => {
      // What was read stays on the screen below the error.
      if (!rows) fill(list);
      fill(problem, failure(error, () => reading?.again()));
    });
  }

  /**
   * @param {any} answer
   * @param {boolean} isAll
   */
  function fillRows(answer, isAll) {
    if (problem.childElementCount) fill(problem);
    if (kind.options.length === 1) {
      for (const [name, title] of Object.entries(kinds)) kind.append(h("option", {value: name}, title));
      kind.value = query.get("kind") ?? "";
    }
    if (answer.data.length === 0) {
      rows = null;
      const isFiltered = ["status", "kind", "user", "code", "why", "cursor"].some((name) => query.has(name));
      fill(list, isFiltered
        ? empty("No job fits", "The filter leaves none.", h("a", {class: "button", href: "/console/jobs"}, "Show all jobs"))
        : empty("No jobs yet", "A job is a report, an explanation or an analysis.",
          h("a", {class: "button first", href: "/console/start"}, "Start a job")));
    } else {
      if (!rows) {
        rows = table("Jobs", [{name: "Status"}, {name: "Job", class: "main"}, ...(isAll ? [{name: "User", class: "third"}] : []),
          {name: "Progress", class: "third"}, {name: "Attempt", class: "number fourth"},
          ...(isAll ? [{name: "Cost", class: "number fourth"}] : []), {name: "Asked for", class: "number second-hidden"}]);
        fill(list, rows.element);
      }
      reconcile(rows.body, answer.data, (/** @type {any} */ job) => job.id, (job, row) => jobRow(job, row, isAll));
    }
    const next = answer.pagination?.next_cursor;
    const link = new URLSearchParams(query);
    if (next) link.set("cursor", next);
    const first = new URLSearchParams(query);
    first.delete("cursor");
    fill(foot, query.has("cursor") ? h("a", {key: "newest", href: `/console/jobs${first.size ? `?${first}` : ""}`}, "Newest") : null,
      next ? h("a", {key: "older", href: `/console/jobs?${link}`}, "Older") : null);
  }

  show();
  return {
    title: "Jobs",
    element: h("div", {}, h("div", {class: "head"}, h("h1", {}, "Jobs"), scopes, h("span", {class: "space"}),
      h("a", {class: "button first", href: "/console/start"}, "Start a job")), form, problem, list, foot),
    update(/** @type {URLSearchParams} */ next) {
      query = next;
      show();
    },
    close: () => reading?.stop(),
  };
}

/**
 * @param {any} job
 * @param {HTMLElement | null} row
 * @param {boolean} isAll
 */
function jobRow(job, row, isAll) {
  const text = JSON.stringify(job);
  if (row?.dataset.text === text) return row;
  const took = between(job.created_at, job.completed_at);
  const made = h("tr", {}, h("td", {}, status(job.status)),
    h("td", {class: "main"}, h("a", {key: job.id, class: "name", href: `/console/jobs/${job.id}`}, h("bdi", {}, subject(job))),
      h("span", {class: "second"}, [job.subject ? kinds[job.kind] ?? words(job.kind) : job.id, doing(job)]
        .filter(Boolean).join(" · "))),
    isAll ? h("td", {class: "third"}, h("bdi", {}, job.user.subject)) : null,
    h("td", {class: "third"}, job.status === "processing"
      ? progress(`Progress of ${subject(job)}`, job.progress / 100, "run")
      : Number.isNaN(took) ? "" : h("span", {class: "whole"}, `took ${duration(took)}`)),
    h("td", {class: "number fourth"}, count(job.attempt)),
    isAll ? h("td", {class: "number fourth"}, dollars(job.cost_micro_dollars)) : null,
    h("td", {class: "number second-hidden"}, moment(job.created_at)));
  made.dataset.text = text;
  if (!row) return made;
  const isFocused = row.contains(document.activeElement);
  row.replaceChildren(...made.childNodes);
  row.dataset.text = text;
  if (isFocused) row.querySelector("a")?.focus({preventScroll: true});
  return row;
}
