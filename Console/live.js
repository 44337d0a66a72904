// Reading again while a screen is visible, and the screens and lists that are no more than that.
import {closer, dialog, fill, h} from "./dom.js";
import {send, Refusal} from "./api.js";
import {leastPause} from "./events.js";
import {failure, grid, link, loading} from "./parts.js";

/**
 * Reads at once, and again and again until it is stopped: every `fast` milliseconds, and every ten seconds when nothing has
 * changed for a minute; less often while more tabs are visible, and never while the page is hidden.
 * @param {(signal: AbortSignal) => Promise<any>} read
 * @param {(value: any) => void} show called when the value differs from the last one
 * @param {(error: unknown) => void} fail
 * @param {number | (() => number)} [fast]
 * @returns {{stop: () => void, again: () => void}}
 */
export function repeat(read, show, fail, fast = 2000) {
  const controller = new AbortController();
  let last = "";
  let changedAt = Date.now();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isReading = false;
  let isWanted = false;

  async function turn() {
    clearTimeout(timer);
    if (controller.signal.aborted || isReading || document.hidden) return;
    [isReading, isWanted] = [true, false];
    let wait = 0;
    let hasFailed = false;
    try {
      const value = await read(controller.signal);
      const text = JSON.stringify(value);
      if (!controller.signal.aborted && text !== last) {
        last = text;
        changedAt = Date.now();
        show(value);
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      last = "";
      wait = error instanceof Refusal ? error.seconds * 1000 : 0;
      hasFailed = wait === 0;
      fail(error);
    } finally {
      isReading = false;
    }
    const pause = isWanted ? 0 : hasFailed ? 1500 : Math.max(typeof fast === "function" ? fast() : fast, leastPause(), wait,
      Date.now() - changedAt > 60_000 ? 10_000 : 0);
    if (!controller.signal.aborted) timer = setTimeout(turn, pause);
  }

  document.addEventListener("visibilitychange", turn, {signal: controller.signal});
  addEventListener("online", turn, {signal: controller.signal});
  turn();
  return {
    stop() {
      clearTimeout(timer);
      controller.abort();
    },
    again() {
      last = "";
      isWanted = true;
      turn();
    },
  };
}

/**
 * A screen that shows one read, and reads it again. What was read stays below an error.
 * @param {string} title
 * @param {(signal: AbortSignal) => Promise<any>} read
 * @param {(found: any, act: (work: () => Promise<any>) => Promise<void>) => Child} draw
 * @param {number} [fast]
 * @returns {OpenScreen}
 */
export function watched(title, read, draw, fast) {
  const [problem, refusal] = [h("div.late"), h("div")];
  const content = h("div.stack", loading(title.toLowerCase()));
  let isShown = false;

  /** @param {unknown} error */
  function fail(error) {
    if (!isShown) fill(content);
    fill(problem, failure(error, () => reading.again()));
  }

  const reading = repeat(read, (found) => {
    isShown = true;
    fill(problem);
    fill(content, draw(found, async (work) => {
      fill(refusal);
      await work().catch((error) => fill(refusal, failure(error)));
      reading.again();
    }));
  }, fail, fast);
  return {element: h("div", h("h1", title), refusal, content, problem), close: () => reading.stop()};
}

/** Gives the focus to the place that the address names, once the screen is there. */
export const toPlace = () => document.getElementById(decodeURIComponent(location.hash.slice(1)))?.focus();

/**
 * A part that is read once for each query. It shows what it waits for, and what went wrong.
 * @param {HTMLElement} content
 * @param {string} what
 * @param {(query: URLSearchParams, signal: AbortSignal) => Promise<Child>} work gives what to show
 * @param {() => Child} [head] what stands above until then
 */
export function opened(content, what, work, head = () => null) {
  let controller = new AbortController();

  /** @param {URLSearchParams} query */
  async function show(query) {
    controller.abort();
    controller = new AbortController();
    const {signal} = controller;
    fill(content, head(), loading(what));
    try {
      const made = await work(query, signal);
      if (!signal.aborted) fill(content, made);
    } catch (error) {
      if (!signal.aborted) fill(content, head(), failure(error, () => show(query)));
    }
  }
  return {show, close: () => controller.abort()};
}

/**
 * @typedef {object} Listing
 * @property {HTMLElement} element
 * @property {(query: URLSearchParams) => void} show
 * @property {() => void} again
 * @property {() => void} stop
 */

/**
 * A list by pages, with the way to older rows and back.
 * @param {string} caption
 * @param {import("./parts.js").Cell[]} columns
 * @param {(query: URLSearchParams) => string} source the address of the list in the API
 * @param {() => HTMLElement} none what stands there when the list is empty
 * @returns {Listing}
 */
export function listing(caption, columns, source, none) {
  const list = h("div");
  const problem = h("div.late");
  const foot = h("div.row");
  /** @type {{stop: () => void, again: () => void} | null} */
  let reading = null;
  let isShown = false;

  /** @param {URLSearchParams} query */
  function show(query) {
    reading?.stop();
    isShown = false;
    fill(problem);
    fill(list, loading(caption.toLowerCase()));
    const address = source(query);
    const cursor = query.get("cursor");
    reading = repeat((signal) => send("GET", `/api/v1/${address}${address.includes("?") ? "&" : "?"}per_page=50${cursor
      ? `&cursor=${encodeURIComponent(cursor)}` : ""}`, {signal}), (answer) => {
      isShown = true;
      fill(problem);
      fill(list, answer.data.length ? grid(caption, columns, answer.data) : none());
      const next = answer.pagination?.next_cursor;
      fill(foot, cursor ? link(place(query, null), "Newest", {class: "button"}) : null,
        next ? link(place(query, next), "Older", {class: "button"}) : null);
    }, (error) => {
      if (!isShown) fill(list);
      fill(problem, failure(error, () => reading?.again()));
    }, 5000);
  }
  return {element: h("div.stack", list, problem, foot), show, again: () => reading?.again(), stop: () => reading?.stop()};
}

/**
 * The present address with another cursor.
 * @param {URLSearchParams} query
 * @param {string | null} cursor
 */
function place(query, cursor) {
  const next = new URLSearchParams(query);
  if (cursor) next.set("cursor", cursor);
  else next.delete("cursor");
  return `${location.pathname}${next.size ? `?${next}` : ""}`;
}

/**
 * Text fields that filter a list, by their names in the address. A change applies at once.
 * @param {string} name
 * @param {Page} page
 * @param {[string, string][]} fields name in the address, label
 */
export function searchForm(name, page, fields) {
  const inputs = fields.map(([key, label]) => h("input", {id: `search-${key}`, onchange: change,
    value: page.query.get(key) ?? "", "aria-label": label, placeholder: label}));

  function change() {
    const next = new URLSearchParams();
    for (const [index, [key]] of fields.entries()) if (inputs[index].value.trim()) next.set(key, inputs[index].value.trim());
    page.go(`${page.path}${next.size ? `?${next}` : ""}`);
  }
  return h("form", {role: "search", "aria-label": name, class: "row", onsubmit: () => {
    change();
  }}, inputs);
}

/**
 * Things in groups that can be opened, with a filter by which those open that have what fits.
 * @param {string} name
 * @param {(one: any) => string} group
 * @param {(one: any) => string} text what the filter looks into
 * @param {(group: string, items: any[]) => Child} draw
 */
export function grouped(name, group, text, draw) {
  /** @type {any[]} */
  let all = [];
  const list = h("div");
  const search = h("input", {id: "group-filter", "aria-label": name, placeholder: "Filter", oninput: fit});

  function fit() {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = all.filter((one) => words.every((/** @type {string} */ word) => text(one).toLowerCase().includes(word)));
    fill(list, [...new Set(found.map(group))].map((name) => {
      const items = found.filter((one) => group(one) === name);
      return h("details.group", {open: search.value !== "" || items.some((one) => one.isOpen)}, h("summary", {key: name}, h("strong", name), ` ${items.length}`), draw(name, items));
    }));
  }
  return {element: h("form.stack", {role: "search", "aria-label": name}, search, list), show(/** @type {any[]} */ items) {
    all = items;
    fit();
  }};
}

/** @param {string} label @param {HTMLElement} input */
export function field(label, input) {
  return h("div.field", h("label", {for: input.id}, label), input);
}

/**
 * A dialog with fields, and what its button does.
 * @param {string} title
 * @param {string} act
 * @param {any[]} fields
 * @param {() => Promise<void>} work
 * @param {string} [keep] the button that does nothing
 */
export function formDialog(title, act, fields, work, keep = "Cancel") {
  const problem = h("p.problem", {role: "alert"});
  const button = h("button", {type: "submit", class: "first"}, act);
  dialog({"aria-labelledby": "form-title"}, (/** @type {HTMLDialogElement} */ dialog) => h("form", {class: "stack",
    onsubmit: async () => {
      button.disabled = true;
      try {
        await work();
        dialog.close();
      } catch (error) {
        fill(problem, reason(error));
      } finally {
        button.disabled = false;
      }
    }}, h("h2", {id: "form-title"}, title), fields, problem, h("div.row", button, closer(dialog, keep))));
}

/** @param {unknown} error */
export const reason = (error) => error instanceof Refusal ? error.reason || error.message : "The service does not answer.";
