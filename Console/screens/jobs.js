// The list of jobs with its filter: one's own, or everybody's for operators.
import {h, fill, reconcile} from "../dom.js";
import {get, kinds, kindTitle, kindTitles, may, send, subject} from "../api.js";
import {watch} from "../events.js";
import {field, repeat} from "../live.js";
import {between, count, dollars, duration, moment, states, timed, words} from "../format.js";
import {actions, pauseNotes} from "./operators.js";
import {ago, status, table, progress, loading, empty, failure, link} from "../parts.js";

const perPage = 25;

/** What a job does, waits for or failed of.
 * @param {any} job */
function doing(job) {
  if (job.error && job.status === "failed") return job.error.user_message;
  if (job.status === "processing") return job.current_step ?? "At work";
  if (job.status !== "pending") return "";
  if (job.why) return timed(job.why.sentence);
  if (job.blocked_by) return job.blocked_by.until ? `Waits until ${moment(job.blocked_by.until)}` : "Waits for its turn";
  return "";
}

/** @param {Page} page */
export function jobs(page) {
  let query = page.query;
  const isOperator = may("admin:read");
  const [list, problem, pauses] = [h("div"), h("div.late"), h("div")];
  const foot = h("div.row");
  const bulk = h("div.actions");
  const fresh = h("button.fresh", {hidden: true, onclick: () => showNew()});
  const scopes = h("div.tabs");
  const filter = filters(page, isOperator);
  /** @type {{element: HTMLElement, body: HTMLElement} | null} */
  let rows = null;
  /** @type {{stop: () => void, again: () => void} | null} */
  let reading = null;
  /** The jobs on the screen, in their order. Rows never jump: new jobs come by the button.
   * @type {any[]} */
  let shown = [];
  /** @type {any[]} */
  let latest = [];
  let isAll = false;
  /** Where a search that found nothing so far goes on, and the moment to which it came. */
  let further = "";
  let searchedTo = "";
  /** The chosen jobs of the list.
   * @type {Set<string>} */
  const selected = new Set();

  const changes = watch((next) => {
    const place = shown.findIndex((job) => job.id === next.id);
    if (place < 0) return;
    const {blocked_by, ...rest} = shown[place];
    const hasMoved = rest.status !== next.status || rest.attempt !== next.attempt;
    shown[place] = {...rest, ...next};
    draw();
    // Its money and its reason come with the list.
    if (hasMoved && isAll) reading?.again();
  });

  function show() {
    isAll = isOperator && query.get("scope") !== "mine";
    filter.show(query, isAll);
    fill(scopes, isOperator ? [["all", "Everybody's"], ["mine", "Yours"]].map(([name, label]) =>
      h("a", {key: name, href: `/console/jobs?scope=${name}`, "aria-current": (name === "all") === isAll ? "true" : null}, label)) : null);
    selected.clear();
    drawActions();
    if (isAll) {
      Promise.all([get("admin/pauses"), kindTitles()]).then(([all]) => fill(pauses, pauseNotes(all.filter((/** @type {any} */ one) =>
        [one.kind, null].includes(query.get("kind")) || one.lane))), () => {});
    } else fill(pauses);
    [rows, shown, latest] = [null, [], []];
    fresh.hidden = true;
    fill(list, loading("the jobs"));
    reading?.stop();
    reading = repeat(async (signal) => {
      await kindTitles();
      return read(signal);
    }, arrived, (error) => {
      // What was read stays on the screen below the error.
      if (!rows) fill(list);
      fill(problem, failure(error, () => reading?.again()));
    });
  }

  const maySelect = () => isAll && may("admin:write");

  /** What may be done to the chosen jobs, or to all that match. */
  function drawActions() {
    const {cursor, status = "", ...members} = Object.fromEntries(filter.parameters(query, isAll));
    fill(bulk, maySelect() && (selected.size || status || Object.keys(members).length) ? actions(status.split(",").filter(Boolean), members, shown.filter((job) => selected.has(job.id)), page.go, (id) => {
      const job = shown.find((one) => one.id === id);
      return job ? `${subject(job)} · ${job.user.subject}` : id;
    }) : null);
  }

  /** A page of the list.
   * @param {AbortSignal} signal */
  function read(signal) {
    const parameters = filter.parameters(query, isAll);
    parameters.set("per_page", String(perPage));
    return send("GET", `/api/v1/${isAll ? "admin/jobs" : "jobs"}?${parameters}`, {signal});
  }

  /** @param {{data: any[], pagination: any}} answer */
  function arrived({data, pagination}) {
    if (problem.childElementCount) fill(problem);
    filter.setKinds(kinds, query);
    latest = data;
    const isFirst = !query.has("cursor");
    if (shown.length === 0) shown = data;
    else {
      const byID = new Map(data.map((job) => [job.id, job]));
      shown = shown.map((job) => byID.get(job.id) ?? job);
    }
    const known = new Set(shown.map((job) => job.id));
    const unseen = isFirst ? data.filter((job) => !known.has(job.id) && job.id > shown[0]?.id).length : 0;
    fresh.hidden = unseen === 0;
    fresh.textContent = `Show ${unseen >= perPage ? `${perPage} or more` : unseen} new ${unseen === 1 ? "job" : "jobs"}`;
    const back = new URLSearchParams(query);
    back.delete("cursor");
    const newest = address(back);
    const older = pagination.next_cursor;
    if (older) back.set("cursor", older);
    further = older && shown.length === 0 ? address(back) : "";
    searchedTo = pagination.searched_to ?? "";
    draw();
    fill(foot, isFirst ? null : link(newest, "Newest", {class: "button", key: "newest"}),
      older && !further ? link(address(back), "Older", {class: "button", key: "older"}) : null);
  }

  function showNew() {
    shown = latest;
    fresh.hidden = true;
    draw();
    list.querySelector("a")?.focus();
  }

  function draw() {
    changes.show(shown.filter((job) => !job.completed_at).map((job) => job.id));
    bulk.hidden = shown.length === 0;
    if (shown.length === 0) {
      rows = null;
      fill(list, further
        ? empty("No job fits so far", searchedTo ? `Searched back to ${moment(searchedTo)}.` : "Only the latest jobs were searched.",
          link(further, "Search further back", {class: "button", key: "further"}))
        : filter.parameters(query, isAll).size ? empty("No job fits", "The filter leaves none.", h("a.button", {key: "all", href: `/console/jobs${isAll ? "" : "?scope=mine"}`}, "Show all jobs"))
        : empty("No jobs yet", "A job is a report, an explanation or an analysis.",
          h("a.button.first", {key: "start", href: "/console/start"}, "Start a job")));
      return;
    }
    if (!rows) {
      rows = table("Jobs", [{name: "Status"}, {name: "Job", class: "main"}, ...(isAll ? [{name: "User", class: "third"}] : []),
        {name: "Progress", class: "third"}, {name: "Attempt", class: "number fourth"},
        ...(isAll ? [{name: "Cost", class: "number fourth"}] : []), {name: "Asked for", class: "number extra"}]);
      fill(list, rows.element);
    }
    reconcile(rows.body, shown, (job) => job.id, (job, row) => jobRow(job, row, isAll, maySelect() ? chooser(job) : null));
  }

  /** The box by which a job is chosen.
   * @param {any} job */
  const chooser = (job) => h("label.pick", h("input", {type: "checkbox", checked: selected.has(job.id), "aria-label": `Select ${subject(job)}`,
    onchange: (/** @type {any} */ event) => {
      if (event.target.checked) selected.add(job.id);
      else selected.delete(job.id);
      drawActions();
    }}));

  show();
  return {element: h("div", h("div.head", h("h1", "Jobs"), scopes, h("span.space"),
      h("a.button.first", {href: "/console/start"}, "Start a job")), filter.element, pauses, bulk,
    fresh, list, problem, foot),
  update(/** @type {URLSearchParams} */ next) {
    query = next;
    show();
  }, close() {
    filter.stop();
    changes.close();
    reading?.stop();
  }};
}

/** @param {URLSearchParams} query */
const address = (query) => `/console/jobs${query.size ? `?${query}` : ""}`;

/** @param {any} job @param {HTMLElement | null} row @param {boolean} isAll @param {HTMLElement | null} box */
function jobRow(job, row, isAll, box) {
  const text = JSON.stringify(job);
  if (row?.dataset.text === text) return row;
  const made = h("tr", h("td.state", box, status(job.status)),
    h("td.main", h("a", {key: job.id, class: "name", href: `/console/jobs/${job.id}`}, h("bdi", subject(job))),
      h("span.second", [job.subject ? kindTitle(job.kind) : job.id.slice(0, 8), doing(job)]
        .filter(Boolean).join(" · "))),
    isAll ? h("td.third", h("bdi.short", job.user.subject)) : null,
    h("td.third", pace(job)),
    h("td.number.fourth", job.attempt ? count(job.attempt) : "–"),
    isAll ? h("td.number.fourth", job.cost_micro_dollars ? dollars(job.cost_micro_dollars) : "–") : null,
    h("td.number.extra", ago(job.created_at)));
  made.dataset.text = text;
  if (!row) return made;
  const focused = row.contains(document.activeElement) ? document.activeElement?.localName : "";
  row.replaceChildren(...made.childNodes);
  row.dataset.text = text;
  if (focused) /** @type {HTMLElement | null} */ (row.querySelector(focused))?.focus({preventScroll: true});
  return row;
}

/** How far it is, or how long it took.
 * @param {any} job */
function pace(job) {
  if (job.status === "processing") {
    return h("span.pace", progress(`Progress of ${subject(job)}`, job.progress / 100, "run"), h("span", `${job.progress} %`));
  }
  const took = between(job.created_at, job.completed_at);
  if (!Number.isNaN(took)) return h("span.whole", `${job.status === "completed" ? "took" : "after"} ${duration(took)}`);
  return job.blocked_by?.until ? h("span.whole", "starts ", ago(job.blocked_by.until)) : "";
}

// The filter: what is chosen, as members of the address and of the API

const reasons = ["scheduled", "retry", "paused", "provider_budget", "provider_blocked", "breaker_open", "batch", "serial", "shared", "slot",
  "no_worker", "no_capable_worker", "queue", "worker_silent", "provider_silent"];

/** @param {Page} page @param {boolean} isOperator */
function filters(page, isOperator) {
  let query = page.query;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let [wasTyping, isOwn] = [false, false];
  const statuses = Object.keys(states).map((value) => h("input", {type: "checkbox", name: "status", value, onchange: () => change()}));
  const choice = (/** @type {string} */ all, /** @type {string[]} */ values = []) => h("select", {onchange: () => change()},
    h("option", {value: ""}, all), values.map((value) => h("option", {value}, words(value))));
  const input = (type = "text") => h("input", {type, onchange: () => change(), oninput() {
    clearTimeout(timer);
    timer = setTimeout(() => change(true), 300);
  }});
  const [kind, why] = [choice("All kinds"), choice("Any reason", reasons)];
  /** The name in the address, the label, and the input.
   * @type {[string, string, any][]} */
  const all = [["kind", "Kind", kind], ["q", "Subject", input()], ["user", "User", input()], ["why", "Waits for", why], ["code", "Error code", input()],
    ["worker", "Worker", input()], ["bundle", "Bundle", input()], ["lane", "Lane", choice("Any lane", ["interactive", "background"])], ["from", "From, UTC", input("datetime-local")],
    ["to", "To before, UTC", input("datetime-local")]];
  const fields = all.map(([name, label, input]) => {
    input.id = `filter-${name}`;
    return field(label, input);
  });
  const more = h("details.filter-more", h("summary", "More filters"), h("div.filter-fields", fields.slice(4)));
  const element = h("form", {role: "search", "aria-label": "Filter jobs", class: "filter"},
  h("fieldset", h("legend", "Status"), statuses.map((box) => h("label.chip", box, states[box.value].word))), h("div.filter-fields", fields.slice(0, isOperator ? 4 : 1)), isOperator ? more : null);

  /** @param {boolean} isTyping whether the address is one on the way to another */
  function change(isTyping = false) {
    clearTimeout(timer);
    const next = new URLSearchParams(query);
    const chosen = statuses.filter((box) => box.checked).map((box) => box.value);
    for (const [name, value] of [["status", chosen.join(",")], ...all.map(([name, , input]) => [name, input.value.trim()])]) {
      if (value) next.set(name, isTime(name) ? `${value.slice(0, 16)}:00Z` : value);
      else next.delete(name);
    }
    next.delete("cursor");
    isOwn = true;
    if (address(next) !== location.pathname + location.search) page.go(address(next), isTyping && wasTyping);
    [wasTyping, isOwn] = [isTyping, false];
  }

  return {
    element,
    stop: () => clearTimeout(timer),
    /** @param {URLSearchParams} next @param {boolean} isAll */
    show(next, isAll) {
      query = next;
      const chosen = (query.get("status") ?? "").split(",");
      for (const box of statuses) box.checked = chosen.includes(box.value);
      for (const [index, [name, , input]] of all.entries()) {
        const value = query.get(name) ?? "";
        // What is typed on stays.
        if (!isOwn) input.value = isTime(name) ? value.slice(0, 16) : value;
        if (index) fields[index].hidden = !isAll;
        if (index > 3 && value) more.open = true;
      }
      more.hidden = !isAll;
    },
    /** @param {Record<string, string>} titles @param {URLSearchParams} now */
    setKinds(titles, now) {
      if (kind.options.length > 1) return;
      for (const [name, title] of Object.entries(titles)) kind.append(h("option", {value: name}, title));
      kind.value = now.get("kind") ?? "";
    },
    /** The members for the API.
     * @param {URLSearchParams} now @param {boolean} isAll */
    parameters(now, isAll) {
      return new URLSearchParams(["status", "cursor", ...all.map(([name]) => name).slice(0, isAll ? 10 : 1)].map((name) =>
        [isTime(name) ? `created_${name}` : name, now.get(name) ?? ""]).filter(([, value]) => value));
    },
  };
}

/** @param {string} name */
const isTime = (name) => name === "from" || name === "to";
