/** Parts that several screens share. */
import { ApiError } from "./api.js";
import { h, outside } from "./dom.js";
import { clock } from "./format.js";

/** @type {Record<string, [string, string, string]>} */
export const statuses = {
  pending: ["Waiting", "wait", "M5 2.5V5l1.6 1.2M9.2 5A4.2 4.2 0 1 1 .8 5a4.2 4.2 0 0 1 8.4 0Z"],
  processing: ["Running", "run", "M2.5 1.5 8.5 5l-6 3.5Z"],
  completed: ["Completed", "done", "M1.5 5.4 4 7.8l4.6-5.6"],
  failed: ["Failed", "fail", "m2 2 6 6M8 2 2 8"],
  cancelled: ["Cancelled", "off", "M2 5h6"],
};

/** @param {string} status */
export function badge(status) {
  const [word, tone, path] = statuses[status] ?? [status, "off", "M2 5h6"];
  const shape = h("svg", { viewBox: "0 0 10 10", class: "shape", "aria-hidden": "true" }, h("path", { d: path }));
  return h("span", { class: `badge tone-${tone}` }, shape, word);
}

/** @param {number} value 0 to 100 @param {string} tone @param {string} name */
export function progress(value, tone, name) {
  return h("span", { class: "progress" },
    h("span", { class: "track", role: "progressbar", "aria-label": name, "aria-valuenow": value,
      "aria-valuemin": 0, "aria-valuemax": 100 },
    h("span", { class: `bar tone-${tone}`, vars: { "--value": `${value}%` } })),
    h("span", { class: "number", "aria-hidden": "true" }, `${value} %`));
}

/** A note: a lead word, a sentence, and small print.
 * @param {string} tone @param {string} lead @param {any} sentence @param {any} [small] @param {any} [more] */
export function note(tone, lead, sentence, small, more) {
  return h("div", { class: `note tone-${tone}` },
    h("p", {}, h("strong", {}, lead, " "), sentence), small && h("p", { class: "small mono" }, small), more);
}

/** Bars in place of the rows to come, which appear after a moment.
 * @param {string} what @param {number} [rows] */
export function skeleton(what, rows = 6) {
  const bars = Array.from({ length: rows }, (_, row) =>
    h("span", { class: "skeleton-bar", vars: { "--width": ["62%", "78%", "91%"][row % 3] } }));
  return h("div", { class: "skeleton", role: "status" }, h("span", { class: "visually-hidden" }, `Loading ${what}`), bars);
}

/** @param {string} title @param {string} sentence @param {any} [action] */
export function empty(title, sentence, action) {
  return h("div", { class: "empty" }, h("h2", {}, title), h("p", {}, sentence), action);
}

/** The state of a read that failed.
 * @param {any} error @param {() => void} again @returns {HTMLElement} */
export function failure(error, again) {
  if (error instanceof ApiError && error.status === 403) {
    return h("div", { class: "empty", role: "alert" }, h("h2", {}, "You may not see this"),
      h("p", {}, error.message), h("p", { class: "small mono" }, `${error.code} ${error.details.scope ?? ""}`));
  }
  if (error instanceof ApiError && error.status === 404) {
    return h("div", { class: "empty", role: "alert" }, h("h2", {}, "Not found"), h("p", {}, error.message));
  }
  if (!(error instanceof ApiError)) {
    console.error(error);
    return h("div", { class: "empty", role: "alert" }, h("h2", {}, "This screen failed"),
      h("p", {}, "The fault is the console's own, and is written to the browser's console."),
      h("button", { type: "button", onclick: () => location.reload() }, "Reload"));
  }
  return h("div", { class: "empty failure", role: "alert" }, h("h2", {}, "This could not be read"),
    h("p", {}, outside(error.message)),
    h("p", { class: "small mono" }, [error.code, error.requestID].filter(Boolean).join(" · ")),
    h("button", { type: "button", "data-key": "again", onclick: again }, "Try again"));
}

/** @param {string} name @param {any[]} body @param {any} [head] */
export function card(name, body, head) {
  const id = `card-${name.toLowerCase().replaceAll(" ", "-")}`;
  return h("section", { class: "card", "aria-labelledby": id },
    h("div", { class: "card-head" }, h("h2", { id }, name), head), body);
}

/** A note about data that is older than it looks.
 * @param {number | null} readAt */
export function staleNote(readAt) {
  const old = readAt !== null && Date.now() - readAt > 10_000;
  return old ? note("wait", "Not current.", `Shown as of ${clock(readAt)}`) : null;
}

/** Asks before something that cannot be undone; the harmless answer has the focus.
 * @param {string} question @param {string} sentence @param {string} act @param {string} keep
 * @returns {Promise<boolean>} */
export function confirm(question, sentence, act, keep) {
  return new Promise((resolve) => {
    const from = /** @type {HTMLElement | null} */ (document.activeElement);
    const dialog = h("dialog", { "aria-labelledby": "question" },
      h("h2", { id: "question" }, question), h("p", {}, sentence),
      h("div", { class: "actions" },
        h("button", { type: "button", autofocus: true, onclick: () => dialog.close("") }, keep),
        h("button", { type: "button", class: "danger", onclick: () => dialog.close("act") }, act)));
    dialog.addEventListener("close", () => {
      dialog.remove();
      from?.focus();
      resolve(dialog.returnValue === "act");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Copies a text, or selects it where the browser has no clipboard for this address.
 * @param {string} text @param {(words: string) => void} announce @param {string} what */
export async function copy(text, announce, what) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${what}`);
  } catch {
    const area = h("textarea", { class: "copy-text", rows: 6, readonly: true, "aria-label": `Text of ${what}` }, text);
    const dialog = h("dialog", { "aria-label": `Copy ${what}` }, area,
      h("div", { class: "actions" }, h("button", { type: "button", onclick: () => dialog.close() }, "Close")));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    area.select();
  }
}
