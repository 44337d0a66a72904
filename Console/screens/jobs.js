// The list of jobs with its filter: one's own, or everybody's for operators.
import {h, fill, reconcile} from "../dom.js";
import {get, kinds, kindTitles, may, send, subject} from "../api.js";
import {watch} from "../events.js";
import {repeat} from "../live.js";
import {between, count, dollars, duration, moment, states, words} from "../format.js";
import {filters} from "./filter.js";
import {actions, pauseNotes} from "./operators.js";
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
  const pauses = h("div");
  const bulk = h("div", {class: "actions"});
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

  const chosen = () => (query.get("status") ?? "").split(",").filter((name) => name in states);

  function show() {
    isAll = isOperator && query.get("scope") !== "mine";
    filter.show(query, isAll);
    fill(scopes, isOperator ? [["all", "Everybody's"], ["mine", "Yours"]].map(([name, label]) =>
      h("a", {key: name, href: `/console/jobs?scope=${name}`, "aria-current": (name === "all") === isAll ? "true" : null}, label)) : null);
    const {status, cursor, ...members} = Object.fromEntries(filter.parameters(query, isAll));
    fill(bulk, isAll && may("admin:write") && (chosen().length || Object.keys(members).length) ? actions(chosen(), members, page.go, (id) => {
      const job = shown.find((one) => one.id === id);
      return job ? `${subject(job)} · ${job.user.subject}` : id;
    }) : null);
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
    }, () => 2000 * Math.max(1, chosen().length));
  }

  /**
   * A page of the list. The API takes one status: for several ones, each is read, and the newest of all are shown.
   * @param {AbortSignal} signal
   * @returns {Promise<{data: any[], older: [string, string] | null}>}
   */
  async function read(signal) {
    const parameters = filter.parameters(query, isAll);
    parameters.set("per_page", String(perPage));
    const statuses = chosen();
    const path = `/api/v1/${isAll ? "admin/jobs" : "jobs"}`;
    if (statuses.length < 2) {
      if (statuses.length) parameters.set("status", statuses[0]);
      const answer = await send("GET", `${path}?${parameters}`, {signal});
      const next = answer.pagination?.next_cursor;
      return {data: answer.data, older: next ? ["cursor", next] : null};
    }
    const answers = await Promise.all(statuses.map((name) => {
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
      h("a", {class: "button first", href: "/console/start"}, "Start a job")), filter.element, pauses, bulk, problem,
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
