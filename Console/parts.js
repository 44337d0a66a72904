// The parts that screens are made of.
import {append, closer, dialog, h, outside, refocus, svg} from "./dom.js";
import {Refusal} from "./api.js";
import {moment, relative, states, timed, words} from "./format.js";

/** @type {Record<string, string>} */
const shapes = {
  wait: "M5 1a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5 2.8V5l1.6 1",
  run: "M2.5 1.5 8.5 5l-6 3.5z",
  done: "M1.5 5.4 4 8l4.5-5.6",
  fail: "M2 2l6 6M8 2 2 8",
  off: "M2 5h6",
};

/** A word in its tone, with the shape of the tone or of another one.
 * @param {string} word @param {string} tone @param {string} [shape] */
export function badge(word, tone, shape = tone) {
  return h("span", {class: `badge ${tone}`},
    svg("svg", {viewBox: "0 0 10 10", "aria-hidden": "true", class: `shape ${shape}`}, svg("path", {d: shapes[shape]})), word);
}

/** @param {string} status */
export function status(status) {
  const state = states[status] ?? {word: status, tone: "off"};
  return badge(state.word, state.tone);
}

/** @type {Record<string, string>} */
const tones = {
  fits: "done", mixed: "wait", does_not_fit: "fail", walks_away: "fail", verified: "done", repaired: "wait", passed: "done", failed: "fail",
  stale: "wait", closed: "done", half_open: "wait", open: "fail", delivered: "done", pending: "wait", known: "done", learning: "wait", weak: "fail",
};

/** @param {string} state */
export const tone = (state) => tones[state] ?? "off";

/** A state of the API in words and in its tone.
 * @param {string} state @param {string} [shape] */
export const named = (state, shape) => badge(words(state), tone(state), shape);

let sections = 0;

/**
 * A named region.
 * @param {string} name
 * @param {{class?: string, id?: string, actions?: any[]}} [options]
 * @param {...any} children
 */
export function card(name, options = {}, ...children) {
  const id = `section-${++sections}`;
  return h("section", {class: `card ${options.class ?? ""}`, id: options.id, tabindex: options.id ? "-1" : null, "aria-labelledby": id},
    h("header", h("h2", {id}, name), options.actions ? h("div.actions", options.actions) : null),
    h("div.inside", children));
}

/** @typedef {{name: string, class?: string}} Column */

/**
 * A table with its caption; `body` takes the rows.
 * @param {string} caption
 * @param {Column[]} columns
 * @param {HTMLElement[]} [rows]
 * @returns {{element: HTMLElement, body: HTMLElement}}
 */
export function table(caption, columns, rows = []) {
  const body = h("tbody", rows);
  const element = h("div.scroll", {tabindex: "0", role: "group", "aria-label": `${caption}, table`},
    h("table", h("caption.spoken", caption),
      h("thead", h("tr", columns.map((column) => h("th", {scope: "col", class: column.class}, column.name)))),
      body));
  return {element, body};
}

/**
 * A column of `grid`: its name, a class, and the content of its cells.
 * @typedef {[name: string, style: string, cell: (one: any) => Child]} Cell
 */

/**
 * A table of things, whose main column names them.
 * @param {string} caption
 * @param {Cell[]} columns
 * @param {any[]} items
 * @param {string} [style] `dense` for low rows
 */
export function grid(caption, columns, items, style = "") {
  const {element} = table(caption, columns.map(([name, style]) => ({name, class: style})), items.map((one) =>
    h("tr", columns.map(([, style, cell]) => h(/main/.test(style) ? "th" : "td", {class: style, scope: /main/.test(style) ? "row" : null}, cell(one))))));
  element.className += ` ${style}`;
  return element;
}

/** @param {...Child} text a second line */
export const second = (...text) => h("span.second", text);

/**
 * A link whose focus is kept when its place is filled again.
 * @param {string} address
 * @param {Child} label
 * @param {Record<string, any>} [properties]
 */
export const link = (address, label, properties = {}) => h("a", {key: address, href: address, ...properties}, label);

/**
 * @param {string} lead
 * @param {any} text
 * @param {string} tone
 * @param {any} [foot]
 */
export function note(lead, text, tone, foot) {
  return h("div", {class: `note ${tone}`}, h("p", h("strong", lead), " ", [text].flat().map((one) => typeof one === "string" ? timed(one) : one)),
    foot ? h("p.foot", foot) : null);
}

/**
 * @param {string} name
 * @param {number} share 0 to 1
 * @param {string} tone
 */
export function progress(name, share, tone) {
  const percent = Math.round(Math.max(0, Math.min(1, share)) * 100);
  return h("div", {class: `progress ${tone}`, role: "progressbar", "aria-label": name, "aria-valuenow": percent,
    "aria-valuemin": 0, "aria-valuemax": 100, vars: {"--share": `${percent}%`}}, h("span"));
}

/**
 * @param {string} name
 * @param {number} share 0 to 1
 */
export function meter(name, share) {
  const percent = Math.round(Math.min(1, share) * 100);
  return h("span.meter", {role: "meter", "aria-label": name, "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": percent,
    vars: {"--share": `${percent}%`}}, h("span"));
}

/** @param {[string, any, string?][]} cells name, value, and a class */
export function tiles(cells) {
  return h("dl.tiles", cells.map(([name, value, tone]) =>
    h("div", {class: tone}, h("dt", name), h("dd", value))));
}

/** @param {[string, any][]} terms */
export function terms(terms) {
  return h("dl.terms", terms.map(([name, value]) => [h("dt", name), h("dd", value)]));
}

// States

/** @param {string} what */
export function loading(what) {
  const element = h("div.skeleton", {role: "status"});
  setTimeout(() => {
    if (element.isConnected && element.childElementCount === 0) {
      append(element, [h("span.spoken", `Loading ${what}`), h("i"), h("i"), h("i")]);
    }
  }, 150);
  return element;
}

/**
 * @param {string} heading
 * @param {string} sentence
 * @param {any} [action]
 */
export function empty(heading, sentence, action) {
  return h("div.empty", h("h2", heading), h("p", sentence), action);
}

/**
 * What went wrong, in the service's words.
 * @param {unknown} error
 * @param {() => void} [again]
 */
export function failure(error, again) {
  const box = (/** @type {string} */ heading, /** @type {Child[]} */ ...rest) =>
    h("div.empty.left", {role: "alert"}, h("h2", heading), rest);
  const button = again ? h("button", {onclick: again}, "Try again") : null;
  if (error instanceof Refusal) {
    if (error.code === "AUTH_1004") return box("You may not see this", h("p", `It needs the scope ${error.details.required ?? "of another role"}.`));
    if (error.status === 404) return box("It is not there", h("p", error.reason || error.message));
    return box(error.message, h("p", error.reason),
      h("p.code", [error.code, error.requestID && `request ${error.requestID}`].filter(Boolean).join(" · ")), button);
  }
  if (error instanceof TypeError && /fetch|network/i.test(error.message)) {
    return box("The service does not answer", h("p", "It is asked again every few seconds."), button);
  }
  console.error(error);
  return box("This screen failed", h("p", String(error)), h("button", {onclick: () => location.reload()}, "Reload"));
}

/**
 * Asks before something that cannot be undone.
 * @param {string} question
 * @param {string} sentence
 * @param {string} act
 * @param {string} keep
 * @returns {Promise<boolean>}
 */
export function confirm(question, sentence, act, keep) {
  return new Promise((resolve) => {
    dialog({"aria-labelledby": "confirm-title"}, h("h2", {id: "confirm-title"}, question), h("p", sentence),
      (/** @type {HTMLDialogElement} */ dialog) => {
        dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"));
        return h("div.row", h("button", {autofocus: true, onclick: () => dialog.close("")}, keep),
          h("button.danger", {onclick: () => dialog.close("yes")}, act));
      });
  });
}

/**
 * A button that is disabled while its work runs.
 * @param {string} label
 * @param {() => Promise<void>} work
 * @param {Record<string, any>} [properties]
 */
export function worker(label, work, properties = {}) {
  const button = h("button", {...properties, onclick: async () => {
    button.disabled = true;
    try {
      await work();
    } finally {
      button.disabled = false;
      refocus(button);
    }
  }}, label);
  return button;
}

/**
 * Says something to people who do not see the screen.
 * @param {string} text
 */
export function announce(text) {
  const place = document.getElementById("announcements");
  if (place) place.textContent = text;
}

/**
 * Copies a text, or selects it where copying is not allowed.
 * @param {string} text
 * @param {string} what
 */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} is copied`);
  } catch {
    const area = h("textarea", {readonly: true, "aria-label": what, rows: 4}, text);
    dialog({"aria-labelledby": "copy-title"}, h("h2", {id: "copy-title"}, `Copy ${what}`), area, closer);
    area.select();
  }
}

/**
 * A moment as time from now, which `main.js` keeps up.
 * @param {string | null | undefined} time
 */
export function ago(time) {
  return time ? h("time", {datetime: time, title: moment(time)}, relative(Date.now() - Date.parse(time))) : h("span", "–");
}

/**
 * Any value of the API in words: members as terms, lists of flat objects as tables.
 * @param {string} name
 * @param {any} one
 * @returns {any}
 */
export function value(name, one) {
  if (one == null) return h("span.faint", "–");
  if (typeof one === "string" && /url$/i.test(name) && /^https?:/.test(one)) return outside(one, "Open");
  if (typeof one === "boolean") return one ? "Yes" : "No";
  if (typeof one !== "object") return h("p.text", String(one));
  if (!Array.isArray(one)) {
    return terms(Object.entries(one).map(([member, inner]) => [words(member), value(member, inner)]));
  }
  const isTable = one.length > 0 && one.every((item) => item && typeof item === "object" && !Array.isArray(item)
    && Object.values(item).every((member) => member === null || typeof member !== "object"));
  if (!isTable) return h("ul", one.map((item) => h("li", value("", item))));
  const columns = [...new Set(one.flatMap((item) => Object.keys(item)))].slice(0, 6);
  return table(words(name), columns.map((column) => ({name: words(column)})), one.map((item) => h("tr",
    columns.map((column) => h("td.wrap", value(column, item[column])))))).element;
}
