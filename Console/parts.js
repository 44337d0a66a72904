// The parts that screens are made of.
import {h, svg, append, fill} from "./dom.js";
import {Refusal} from "./api.js";
import {states} from "./format.js";
import * as format from "./format.js";

const shapes = {
  clock: "M5 1a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5 2.8V5l1.6 1",
  triangle: "M2.5 1.5 8.5 5l-6 3.5z",
  tick: "M1.5 5.4 4 8l4.5-5.6",
  cross: "M2 2l6 6M8 2 2 8",
  dash: "M2 5h6",
};

/**
 * A word in its tone, with its shape.
 * @param {string} word
 * @param {string} tone
 * @param {string} shape
 */
export function badge(word, tone, shape) {
  return h("span", {class: `badge ${tone}`},
    svg("svg", {viewBox: "0 0 10 10", "aria-hidden": "true", class: `shape ${shape}`},
      svg("path", {d: /** @type {any} */ (shapes)[shape] ?? shapes.dash})),
    word);
}

/** @param {string} status */
export function status(status) {
  const state = states[status] ?? {word: status, tone: "off", shape: "dash"};
  return badge(state.word, state.tone, state.shape);
}

let sections = 0;

/**
 * A named region.
 * @param {string} name
 * @param {{class?: string, actions?: any[]}} [options]
 * @param {...any} children
 */
export function card(name, options = {}, ...children) {
  const id = `section-${++sections}`;
  return h("section", {class: `card ${options.class ?? ""}`, "aria-labelledby": id},
    h("header", {}, h("h2", {id}, name), options.actions ? h("div", {class: "actions"}, options.actions) : null),
    h("div", {class: "inside"}, children));
}

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {string} [class]
 */

/**
 * A table with its caption; `body` takes the rows.
 * @param {string} caption
 * @param {Column[]} columns
 * @param {HTMLElement[]} [rows]
 * @returns {{element: HTMLElement, body: HTMLElement}}
 */
export function table(caption, columns, rows = []) {
  const body = h("tbody", {}, rows);
  const element = h("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": `${caption}, table`},
    h("table", {}, h("caption", {class: "hidden-text"}, caption),
      h("thead", {}, h("tr", {}, columns.map((column) => h("th", {scope: "col", class: column.class}, column.name)))),
      body));
  return {element, body};
}

/**
 * @param {string} lead
 * @param {any} text
 * @param {string} tone
 * @param {any} [foot]
 */
export function note(lead, text, tone, foot) {
  return h("div", {class: `note ${tone}`}, h("p", {}, h("strong", {}, lead), " ", text),
    foot ? h("p", {class: "foot"}, foot) : null);
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

/** @param {[string, any, string?][]} cells name, value, and a class */
export function tiles(cells) {
  return h("dl", {class: "tiles"}, cells.map(([name, value, tone]) =>
    h("div", {class: tone}, h("dt", {}, name), h("dd", {}, value))));
}

/** @param {[string, any][]} terms */
export function terms(terms) {
  return h("dl", {class: "terms"}, terms.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

// States

/** @param {string} what */
export function loading(what) {
  const element = h("div", {class: "skeleton", role: "status"});
  setTimeout(() => {
    if (element.isConnected && element.childElementCount === 0) {
      append(element, [h("span", {class: "hidden-text"}, `Loading ${what}`), h("i"), h("i"), h("i")]);
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
  return h("div", {class: "empty"}, h("h2", {}, heading), h("p", {}, sentence), action);
}

/**
 * What went wrong, in the service's words.
 * @param {unknown} error
 * @param {() => void} [again]
 */
export function failure(error, again) {
  if (error instanceof Refusal && error.code === "AUTH_1004") {
    return h("div", {class: "empty", role: "alert"}, h("h2", {}, "You may not see this"),
      h("p", {}, `It needs the scope ${error.details.required ?? "of another role"}.`));
  }
  if (error instanceof Refusal && error.status === 404) {
    return h("div", {class: "empty", role: "alert"}, h("h2", {}, "It is not there"), h("p", {}, error.reason || error.message));
  }
  const button = again ? h("button", {type: "button", onclick: again}, "Try again") : null;
  if (error instanceof Refusal) {
    return h("div", {class: "empty left", role: "alert"}, h("h2", {}, error.message), h("p", {}, error.reason),
      h("p", {class: "code"}, [error.code, error.requestID && `request ${error.requestID}`].filter(Boolean).join(" · ")), button);
  }
  if (error instanceof TypeError && /fetch|network/i.test(error.message)) {
    return h("div", {class: "empty left", role: "alert"}, h("h2", {}, "The service does not answer"),
      h("p", {}, "It is asked again every few seconds."), button);
  }
  console.error(error);
  return h("div", {class: "empty left", role: "alert"}, h("h2", {}, "This screen failed"), h("p", {}, String(error)),
    h("button", {type: "button", onclick: () => location.reload()}, "Reload"));
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
    const before = document.activeElement;
    const dialog = h("dialog", {"aria-labelledby": "confirm-title"},
      h("h2", {id: "confirm-title"}, question), h("p", {}, sentence),
      h("div", {class: "row"},
        h("button", {type: "button", autofocus: true, onclick: () => dialog.close("")}, keep),
        h("button", {type: "button", class: "danger", onclick: () => dialog.close("yes")}, act)));
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (before instanceof HTMLElement) before.focus();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * A button that is disabled while its work runs.
 * @param {string} label
 * @param {() => Promise<void>} work
 * @param {Record<string, any>} [properties]
 */
export function worker(label, work, properties = {}) {
  const button = h("button", {type: "button", ...properties, onclick: async () => {
    button.disabled = true;
    try {
      await work();
    } finally {
      button.disabled = false;
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
    const dialog = h("dialog", {}, h("h2", {}, `Copy ${what}`), area,
      h("button", {type: "button", onclick: () => dialog.close()}, "Close"));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    area.select();
  }
}

/** @param {any} entry a row of a ledger */
export function ledgerRow(entry) {
  const sum = Object.entries(entry.effect).filter(([, change]) => change !== 0)
    .map(([name, change]) => `${Number(change) > 0 ? "+" : "−"}${Math.abs(Number(change))} ${name}`).join(", ");
  return h("tr", {}, h("td", {}, format.movements[entry.type] ?? entry.type,
    entry.source ? h("span", {class: "second"}, format.words(entry.source)) : null),
  h("td", {}, sum || "–"), h("td", {class: "number"}, format.count(entry.after.remaining)),
  h("td", {class: "number"}, format.moment(entry.at)));
}

/** @param {any[]} entries */
export function ledger(entries) {
  return table("Ledger", [{name: "What"}, {name: "Change"}, {name: "Remaining", class: "number"},
    {name: "When", class: "number"}], entries.map(ledgerRow)).element;
}

export {fill};
