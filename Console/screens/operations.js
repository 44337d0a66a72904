/** The operators' screens of the service as a whole: what needs a person, the workers, and the providers of models. */
import { read, session, write } from "../api.js";
import { fill, h, outside } from "../dom.js";
import { ago, clock, count, dollars, duration, plural, time, words } from "../format.js";
import { poll } from "../live.js";
import { card, confirm, empty, failure, note, skeleton, staleNote } from "../parts.js";

/** A screen that shows one address of operators and reads it again.
 * @param {string} name @param {string} path @param {(data: any, again: () => void, fail: (error: any) => void) => any[]} parts
 * @returns {(page: import("../main.js").Page) => import("../main.js").Screen} */
function watched(name, path, parts) {
  return () => {
    const notes = h("div", {});
    const content = h("div", { class: "stack" });
    /** @type {number | null} */ let readAt = null;
    let last = "";
    const show = (/** @type {any} */ error) => fill(notes, error ? failure(error, () => live.again()) : null, error && staleNote(readAt));
    const live = poll(async (signal) => {
      try {
        const { data } = await read(path, signal);
        readAt = Date.now();
        fill(content, parts(data, () => live.again(), show));
        show(null);
        const text = JSON.stringify({ ...data, at: null });
        const hasChanged = text !== last;
        last = text;
        return hasChanged;
      } catch (error) {
        if (signal.aborted) return false;
        if (readAt === null) fill(content);
        show(error);
        return true;
      }
    });
    fill(content, skeleton(name.toLowerCase()));
    return { title: name, element: h("div", { class: "screen" }, h("div", { class: "title" }, h("h1", {}, name)), notes, content), close: live.close };
  };
}

/** @param {string} caption @param {string[]} heads @param {any[][]} rows @param {number} [firstNumber] */
function table(caption, heads, rows, firstNumber = 1) {
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": `Table of ${caption}` }, h("table", {},
    h("caption", { class: "visually-hidden" }, caption),
    h("thead", {}, h("tr", {}, heads.map((head, index) => h("th", { scope: "col", class: index >= firstNumber ? "number" : "" }, head)))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, index) =>
      index ? h("td", { class: index >= firstNumber ? "number" : "" }, cell) : h("th", { scope: "row" }, cell)))))));
}

export const overviewScreen = watched("Overview", "/api/v1/admin/overview", (data) => {
  const lanes = Object.entries(data.queues);
  const sum = (/** @type {string} */ member) => lanes.reduce((all, [, lane]) => all + lane[member], 0);
  const oldest = Math.max(-1, ...lanes.map(([, lane]) => lane.oldest_ready_seconds ?? -1));
  const { hour, day } = data.ended;
  const tile = (/** @type {string} */ name, /** @type {any} */ value, /** @type {string} */ unit = "") =>
    h("div", {}, h("dt", {}, name), h("dd", {}, value, unit && h("span", { class: "unit" }, ` ${unit}`)));
  const codes = Object.entries(day.by_code).sort((a, b) => b[1] - a[1]);
  return [
    h("section", { "aria-labelledby": "alerts", class: "stack" }, h("h2", { id: "alerts", class: "visually-hidden" }, "Alerts"),
      data.alerts.length ? data.alerts.map((/** @type {any} */ alert) => note("fail", "Look at this.", outside(alert.sentence),
        [alert.code, alert.since && `since ${clock(alert.since)}`].filter(Boolean).join(" · "))) : h("p", { class: "quiet-text" }, "Nothing needs you")),
    card("Now", [h("dl", { class: "tiles" }, tile("Ready", count(sum("ready"))), tile("Oldest ready", oldest < 0 ? "–" : duration(oldest * 1000)),
      tile("Running", count(sum("running")), `of ${count(data.workers.places)} places`), tile("Failed in the hour", count(hour.failed)),
      data.pickup_ms && tile("Pickup p99", duration(data.pickup_ms.p99 ?? NaN)),
      tile("Spend today", dollars(data.spend.today_micro_dollars), data.spend.cap_micro_dollars ? `of ${dollars(data.spend.cap_micro_dollars)}` : ""))]),
    card("Queues", [table("Queues", ["Lane", "Ready", "Scheduled", "Waiting", "Blocked", "Running"], lanes.map(([lane, counts]) =>
      [words(lane), ...["ready", "scheduled", "waiting", "blocked", "running"].map((member) => count(counts[member]))]))]),
    h("div", { class: "pair" },
      card("Ended", [table("Ended", ["Within", "Completed", "Failed", "Cancelled"], [["Hour", hour], ["Day", day]].map(([name, ends]) =>
        [name, count(ends.completed), count(ends.failed), count(ends.cancelled)]))]),
      card("Failures by code", [codes.length ? table("Failures by code", ["Code", "Hour", "Day"], codes.map(([code, number]) => [
        h("a", { href: `/console/jobs?status=failed&code=${encodeURIComponent(code)}` }, code), count(hour.by_code[code] ?? 0), count(number)]))
        : h("p", { class: "inside quiet-text" }, "No job failed in the last day.")])),
  ];
});

export const fleetScreen = watched("Fleet", "/api/v1/admin/workers", (data, again, fail) => {
  if (!data.length) return [empty("No workers", "No worker has given a sign of life. Jobs wait until one starts.")];
  const mayWrite = session.may("admin:write");
  const act = async (/** @type {any} */ worker, /** @type {string} */ action) => {
    if (action === "drain" && !await confirm("Drain this worker?", "It claims no more jobs, and hands back the ones that it cannot finish soon.",
      "Drain it", "Keep it")) return;
    try { await write("POST", `/api/v1/admin/workers/${worker.id}/${action}`, {}); again(); } catch (error) { fail(error); }
  };
  return [card("Workers", [table("Workers", ["Host", "State", "Places", "Sign of life", "Kinds", ...(mayWrite ? ["Act"] : [])], data.map((/** @type {any} */ worker) => {
    const silent = (Date.now() - time(worker.last_beat_at)) / 1000;
    const state = !worker.alive ? ["Silent", "fail"] : worker.draining ? ["Draining", "wait"] : ["Alive", "done"];
    return [[outside(worker.host), h("span", { class: "line second mono" }, worker.id.slice(0, 8), worker.version && ` ${worker.version}`)],
      h("span", { class: `badge tone-${state[1]}` }, state[0]), places(worker),
      h("span", { class: `tone-text tone-${silent > 12 ? "fail" : silent > 6 ? "wait" : "off"}` }, ago(silent * 1000)),
      h("span", { title: worker.kinds.join(", ") }, plural(worker.kinds.length, "kind")),
      ...(mayWrite ? [worker.draining
        ? h("button", { type: "button", "data-key": worker.id, onclick: () => act(worker, "resume") }, "Resume ", outside(worker.host))
        : h("button", { type: "button", "data-key": worker.id, onclick: () => act(worker, "drain") }, "Drain ", outside(worker.host))] : [])];
  }), 6)])];
});

/** @param {any} worker */
function places(worker) {
  const words = `${count(worker.busy)} of ${count(worker.places)}`;
  if (worker.places > 40) return words;
  return [h("span", { class: "places", "aria-hidden": "true" }, Array.from({ length: worker.places }, (_, index) =>
    h("span", { class: index < worker.busy ? "busy" : "" }))), h("span", { class: "small" }, words)];
}

const breakers = { closed: ["Closed", "done"], half_open: ["Half open", "wait"], open: ["Open", "fail"] };

export const providersScreen = watched("Providers", "/api/v1/admin/providers", (data) => {
  const used = data.filter((/** @type {any} */ one) => one.configured);
  const unused = data.filter((/** @type {any} */ one) => !one.configured);
  const rows = used.map((/** @type {any} */ one) => {
    const [word, tone] = breakers[/** @type {"open"} */ (one.breaker.state)] ?? [words(one.breaker.state), "off"];
    const until = time(one.blocked_until);
    const blocked = until > Date.now() ? `blocked until ${clock(one.blocked_until)}, ${duration(until - Date.now())} to go` : "not blocked";
    return [[outside(one.name), h("span", { class: "line second" }, blocked)], h("span", { class: `badge tone-${tone}` }, word),
      h("div", { class: "stack" }, one.budgets.filter((/** @type {any} */ budget) => budget.fill !== null).map((/** @type {any} */ budget) =>
        h("div", {}, h("span", { class: "small" }, outside(budget.name), ` ${Math.round(budget.fill * 100)} %`),
          h("span", { class: "meter tone-run", role: "meter", "aria-label": `Fill of ${budget.name}`, "aria-valuemin": 0, "aria-valuemax": 100,
            "aria-valuenow": Math.round(budget.fill * 100) }, h("span", { class: "fill", vars: { "--value": `${budget.fill * 100}%` } }))))),
      count(one.in_flight), one.silent_seconds === null ? "–" : duration(one.silent_seconds * 1000),
      `${count(one.hour.ok)} / ${count(one.hour.failed)}`, `${duration(one.hour.p50_ms ?? NaN)} / ${duration(one.hour.p99_ms ?? NaN)}`,
      dollars(one.today_micro_dollars)];
  });
  const errors = used.filter((/** @type {any} */ one) => one.last_error);
  return [
    card("Providers", [used.length ? table("Providers", ["Provider", "Breaker", "Budgets", "In flight", "Silent", "Ok / failed", "p50 / p99", "Today"], rows, 3)
      : h("p", { class: "inside quiet-text" }, "No provider is configured.")]),
    errors.map((/** @type {any} */ one) => note("fail", `${one.name}.`, outside(one.last_error.message),
      [one.last_error.code, clock(one.last_error.at)].join(" · "))),
    unused.length ? h("p", { class: "quiet-text" }, `Not configured: ${unused.map((/** @type {any} */ one) => one.name).join(", ")}.`) : null,
  ];
});

