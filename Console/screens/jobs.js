// The list of jobs with its filter: one's own, or everybody's for operators.
import {h, fill, reconcile} from "../dom.js";
import {kinds, kindTitles, may, send, subject} from "../api.js";
import {watch} from "../events.js";
import {repeat} from "../live.js";
import {between, count, dollars, duration, moment, states, words} from "../format.js";
import {ago, status, table, progress, loading, empty, failure} from "../parts.js";

const perPage = 25;

/** What a job does, waits for or failed of.
 * @param {any} job */
function doing(job) {
  if (job.error && job.status === "failed") return job.error.user_message;
  if (job.status === "processing") return job.current_step ?? "At work";
  if (job.status !== "pending") return "";
  if (job.why) return job.why.sentence;
  if (job.blocked_by) return job.blocked_by.until ? `Waits until ${moment(job.blocked_by.until)}` : "Waits for its turn";
  return "";
}

/** @param {Page} page */
export function jobs(page) {
  let query = page.query;
  const isOperator = may("admin:read");
  const list = h("div");
  const problem = h("div");
  const foot = h("div", {class: "row"});
  const fresh = h("button", {type: "button", class: "fresh", hidden: true, onclick: () => showNew()});
  const scopes = h("div", {class: "tabs"});
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
  /** Where a search that found nothing so far goes on. */
  let further = "";

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
    }, () => 2000 * Math.max(1, (query.get("status") ?? "").split(",").length));
  }

  /**
   * A page of the list. The API takes one status: for several ones, each is read, and the newest of all are shown.
   * @param {AbortSignal} signal
   * @returns {Promise<{data: any[], older: [string, string] | null}>}
   */
  async function read(signal) {
    const parameters = filter.parameters(query, isAll);
    parameters.set("per_page", String(perPage));
    const chosen = (query.get("status") ?? "").split(",").filter((name) => name in states);
    const path = `/api/v1/${isAll ? "admin/jobs" : "jobs"}`;
    if (chosen.length < 2) {
      if (chosen.length) parameters.set("status", chosen[0]);
      const answer = await send("GET", `${path}?${parameters}`, {signal});
      const next = answer.pagination?.next_cursor;
      return {data: answer.data, older: next ? ["cursor", next] : null};
    }
    const answers = await Promise.all(chosen.map((name) => {
      const own = new URLSearchParams(parameters);
      own.set("status", name);
      return send("GET", `${path}?${own}`, {signal});
    }));
    const all = answers.flatMap((answer) => answer.data).sort((one, other) => one.id < other.id ? 1 : -1);
    const data = all.slice(0, perPage);
    const last = data[data.length - 1];
    const hasMore = all.length > data.length || answers.some((answer) => answer.pagination?.next_cursor);
    if (!hasMore || !last) return {data, older: null};
    // The moment before which the next page begins: jobs of the same millisecond are shown twice, and none is left out.
    const isOne = data[0].created_at === last.created_at;
    const moment = isOne ? last.created_at : new Date(Date.parse(last.created_at) + 1).toISOString();
    return {data, older: isAll ? ["to", moment] : ["cursor", last.id]};
  }

  /** @param {{data: any[], older: [string, string] | null}} answer */
  function arrived({data, older}) {
    if (problem.childElementCount) fill(problem);
    filter.setKinds(kinds, query);
    latest = data;
    const isFirst = !query.has("cursor") && !query.has("to");
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
    const newest = new URLSearchParams(back);
    newest.delete("to");
    if (older) back.set(...older);
    further = older && shown.length === 0 ? address(back) : "";
    draw();
    fill(foot, isFirst ? null : h("a", {key: "newest", class: "button", href: address(newest)}, "Newest"),
      older && !further ? h("a", {key: "older", class: "button", href: address(back)}, "Older") : null);
  }

  function showNew() {
    shown = latest;
    fresh.hidden = true;
    draw();
    list.querySelector("a")?.focus();
  }

  function draw() {
    changes.show(shown.filter((job) => !job.completed_at).map((job) => job.id));
    if (shown.length === 0) {
      rows = null;
      fill(list, further
        ? empty("No job fits so far", "Only the latest jobs were searched.", h("a", {class: "button", key: "further", href: further}, "Search further back"))
        : filter.isFiltering(query) ? empty("No job fits", "The filter leaves none.", h("a", {class: "button", key: "all", href: `/console/jobs${isAll ? "" : "?scope=mine"}`}, "Show all jobs"))
        : empty("No jobs yet", "A job is a report, an explanation or an analysis.",
          h("a", {class: "button first", key: "start", href: "/console/start"}, "Start a job")));
      return;
    }
    if (!rows) {
      rows = table("Jobs", [{name: "Status"}, {name: "Job", class: "main"}, ...(isAll ? [{name: "User", class: "third"}] : []),
        {name: "Progress", class: "third"}, {name: "Attempt", class: "number fourth"},
        ...(isAll ? [{name: "Cost", class: "number fourth"}] : []), {name: "Asked for", class: "number second-hidden"}]);
      fill(list, rows.element);
    }
    reconcile(rows.body, shown, (job) => job.id, (job, row) => jobRow(job, row, isAll));
  }

  show();
  return {
    title: "Jobs",
    element: h("div", {}, h("div", {class: "head"}, h("h1", {}, "Jobs"), scopes, h("span", {class: "space"}),
      h("a", {class: "button first", href: "/console/start"}, "Start a job")), filter.element, problem,
    fresh, list, foot),
    update(/** @type {URLSearchParams} */ next) {
      query = next;
      show();
    },
    close() {
      changes.close();
      reading?.stop();
    },
  };
}

/** @param {URLSearchParams} query */
const address = (query) => `/console/jobs${query.size ? `?${query}` : ""}`;

/** @param {any} job @param {HTMLElement | null} row @param {boolean} isAll */
function jobRow(job, row, isAll) {
  const text = JSON.stringify(job);
  if (row?.dataset.text === text) return row;
  const made = h("tr", {}, h("td", {}, status(job.status)),
    h("td", {class: "main"}, h("a", {key: job.id, class: "name", href: `/console/jobs/${job.id}`}, h("bdi", {}, subject(job))),
      h("span", {class: "second"}, [job.subject ? kinds[job.kind] ?? words(job.kind) : job.id.slice(0, 8), doing(job)]
        .filter(Boolean).join(" · "))),
    isAll ? h("td", {class: "third"}, h("bdi", {class: "short"}, job.user.subject)) : null,
    h("td", {class: "third"}, pace(job)),
    h("td", {class: "number fourth"}, job.attempt ? count(job.attempt) : "–"),
    isAll ? h("td", {class: "number fourth"}, job.cost_micro_dollars ? dollars(job.cost_micro_dollars) : "–") : null,
    h("td", {class: "number second-hidden"}, ago(job.created_at)));
  made.dataset.text = text;
  if (!row) return made;
  const isFocused = row.contains(document.activeElement);
  row.replaceChildren(...made.childNodes);
  row.dataset.text = text;
  if (isFocused) row.querySelector("a")?.focus({preventScroll: true});
  return row;
}

/** How far it is, or how long it took.
 * @param {any} job */
function pace(job) {
  if (job.status === "processing") {
    return h("span", {class: "pace"}, progress(`Progress of ${subject(job)}`, job.progress / 100, "run"), h("span", {}, `${job.progress} %`));
  }
  const took = between(job.created_at, job.completed_at);
  if (!Number.isNaN(took)) return h("span", {class: "whole"}, `${job.status === "completed" ? "took" : "after"} ${duration(took)}`);
  return job.blocked_by?.until ? h("span", {class: "whole"}, "starts ", ago(job.blocked_by.until)) : "";
}

const reasons = ["scheduled", "retry", "provider_budget", "provider_blocked", "breaker_open", "batch", "serial", "shared", "slot",
  "no_worker", "no_capable_worker", "queue", "worker_silent", "provider_silent"];

/** Filters that links of other screens set, by their names in the API. */
const linked = ["code", "worker", "bundle", "lane", "from", "to"];

/** @param {Page} page @param {boolean} isOperator */
function filters(page, isOperator) {
  let query = page.query;
  const boxes = Object.entries(states).map(([name, state]) => h("label", {class: "chip"},
    h("input", {type: "checkbox", name: "status", value: name, onchange: change}), state.word));
  const kind = h("select", {id: "filter-kind", onchange: change}, h("option", {value: ""}, "All kinds"));
  const user = h("input", {id: "filter-user", type: "text", autocomplete: "off", placeholder: "all", onchange: change});
  const why = h("select", {id: "filter-why", onchange: change}, h("option", {value: ""}, "Any reason"),
    reasons.map((reason) => h("option", {value: reason}, words(reason))));
  const rest = h("div", {class: "row"});
  const ofOperators = [h("div", {class: "field"}, h("label", {for: "filter-user"}, "User"), user),
    h("div", {class: "field"}, h("label", {for: "filter-why"}, "Waits for"), why)];
  const more = h("div", {class: "filter-fields"}, h("div", {class: "field"}, h("label", {for: "filter-kind"}, "Kind"), kind),
    isOperator ? ofOperators : null);
  const element = h("form", {role: "search", "aria-label": "Filter jobs", class: "filter",
    onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); change(); }},
  h("fieldset", {}, h("legend", {}, "Status"), boxes), more, rest);

  function change() {
    const next = new URLSearchParams(query);
    const chosen = boxes.map((box) => box.querySelector("input")).filter((input) => input?.checked).map((input) => input?.value ?? "");
    for (const [name, value] of [["status", chosen.join(",")], ["kind", kind.value], ["user", user.value.trim()], ["why", why.value]]) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    next.delete("cursor");
    next.delete("to");
    page.go(`/console/jobs${next.size ? `?${next}` : ""}`);
  }

  return {
    element,

    /** @param {URLSearchParams} next @param {boolean} isAll */
    show(next, isAll) {
      query = next;
      const chosen = (query.get("status") ?? "").split(",");
      for (const box of boxes) {
        const input = box.querySelector("input");
        if (input) input.checked = chosen.includes(input.value);
      }
      kind.value = query.get("kind") ?? "";
      user.value = query.get("user") ?? "";
      why.value = query.get("why") ?? "";
      for (const field of ofOperators) field.hidden = !isAll;
      const set = linked.filter((name) => query.has(name) && isAll);
      fill(rest, set.map((name) => {
        const without = new URLSearchParams(query);
        without.delete(name);
        const value = query.get(name) ?? "";
        return h("a", {class: "tag", key: name, href: `/console/jobs${without.size ? `?${without}` : ""}`,
          "aria-label": `Remove the filter ${words(name)} ${value}`},
        `${words(name)}: ${/^\d{4}-/.test(value) ? moment(value) : value.length > 20 ? `${value.slice(0, 12)}…` : value} ×`);
      }));
      rest.hidden = set.length === 0;
    },

    /** @param {Record<string, string>} titles @param {URLSearchParams} now */
    setKinds(titles, now) {
      if (kind.options.length > 1) return;
      for (const [name, title] of Object.entries(titles)) kind.append(h("option", {value: name}, title));
      kind.value = now.get("kind") ?? "";
    },

    /** The members for the API, but the status.
     * @param {URLSearchParams} now @param {boolean} isAll */
    parameters(now, isAll) {
      const found = new URLSearchParams();
      const names = {kind: "kind", cursor: "cursor", ...(isAll ? {user: "user", code: "code", why: "why", worker: "worker", bundle: "bundle",
        lane: "lane", from: "created_from", to: "created_to"} : {})};
      for (const [name, member] of Object.entries(names)) {
        const value = now.get(name);
        if (value) found.set(member, value);
      }
      return found;
    },

    /** @param {URLSearchParams} now */
    isFiltering: (now) => ["status", "kind", "user", "why", "cursor", ...linked].some((name) => now.has(name)),
  };
}
