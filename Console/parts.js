// Parts that several screens share: badges, progress, and the states of a list or a panel.

import { APIError } from "./api.js";
import { bdi, h, icon } from "./dom.js";
import { STATUSES } from "./format.js";

/** @type {Record<string, string>} */
const SHAPES = {
  pending: "M5 1a4 4 0 1 0 0 8a4 4 0 1 0 0-8M5 3v2.2h1.8",
  processing: "M2 1l7 4-7 4z",
  completed: "M1 5.5l2.7 2.7L9 2",
  failed: "M2 2l6 6M8 2l-6 6",
  cancelled: "M1.5 5h7",
};

/**
 * The badge of a job's status: a shape and a word.
 * @param {string} status
 */
export function badge(status) {
  const entry = STATUSES.find((each) => each.status === status);
  return h("span", { class: `badge ${entry?.tone ?? "off"}` },
    icon(SHAPES[status] ?? "", { filled: status === "processing" }), entry?.word ?? status);
}

/**
 * A bar of progress with its number. `updateProgress` changes it in place.
 * @param {string} name
 */
export function progressBar(name) {
  return h("span", { class: "progress" },
    h("span", { class: "track", role: "progressbar", "aria-label": name, "aria-valuemin": 0, "aria-valuemax": 100 },
      h("span", { class: "fill" })),
    h("span", { class: "amount" }));
}

/**
 * @param {HTMLElement} bar
 * @param {number} percent
 * @param {string} status
 */
export function updateProgress(bar, percent, status) {
  const track = bar.querySelector(".track");
  const fill = bar.querySelector(".fill");
  const amount = bar.querySelector(".amount");
  if (!track || !(fill instanceof HTMLElement) || !amount) return;
  track.setAttribute("aria-valuenow", String(percent));
  fill.style.setProperty("--part", `${percent}%`);
  fill.dataset.tone = STATUSES.find((each) => each.status === status)?.tone ?? "off";
  amount.textContent = `${percent} %`;
}

/**
 * The state of a list or panel before its first answer; it is shown after 150 ms.
 * @param {string} what
 */
export function loading(what) {
  return h("div", { class: "skeleton", role: "status" }, h("span", { class: "unseen" }, `Loading ${what} …`),
    h("span", { class: "bar" }), h("span", { class: "bar" }), h("span", { class: "bar" }));
}

/**
 * The state of a list without rows.
 * @param {string} heading
 * @param {string} sentence
 * @param {Node | null} action
 */
export function empty(heading, sentence, action) {
  return h("div", { class: "empty" }, h("h2", {}, heading), h("p", {}, sentence), action);
}

/**
 * The state of a list or panel whose read failed.
 * @param {unknown} error
 * @param {() => void} again
 */
export function failure(error, again) {
  if (error instanceof APIError && error.status === 403 && error.code === "AUTH_1004") {
    return h("div", { class: "empty", role: "alert" }, h("h2", {}, "You may not see this"),
      h("p", {}, `Your sign-in lacks the scope ${error.details.required ?? ""}.`));
  }
  if (error instanceof APIError && error.status === 404) {
    return h("div", { class: "empty", role: "alert" }, h("h2", {}, "Not found"), h("p", {}, bdi(error.message)));
  }
  const known = error instanceof APIError;
  if (!known) console.error(error);
  const facts = known ? [error.code, error.requestID].filter(Boolean).join(" · ") : "";
  return h("div", { class: "empty error", role: "alert" },
    h("p", {}, bdi(known ? error.message : "This screen failed.")),
    facts !== "" && h("p", { class: "code" }, facts),
    known ? h("button", { type: "button", class: "button", onclick: again }, "Try again")
      : h("button", { type: "button", class: "button", onclick: () => location.reload() }, "Reload"));
}

/**
 * A note with a lead word, as for the reason of a failure.
 * @param {string} tone
 * @param {string} lead
 * @param {Node | string} sentence
 * @param {string} facts
 */
export function note(tone, lead, sentence, facts = "") {
  return h("div", { class: `note ${tone}` }, h("p", {}, h("strong", {}, lead), " ", sentence),
    facts !== "" && h("p", { class: "code" }, facts));
}

/**
 * A card with a heading; it is a region of that name.
 * @param {string} name
 * @param {...(Node | string | null | false)} children
 */
export function card(name, ...children) {
  const id = `card-${name.toLowerCase().replace(/[^a-z]+/g, "-")}`;
  return h("section", { class: "card", "aria-labelledby": id },
    h("div", { class: "head" }, h("h2", { id }, name)), ...children);
}

/**
 * A list of terms with their values.
 * @param {[string, Node | string][]} entries
 */
export function terms(entries) {
  return h("dl", { class: "terms" }, ...entries.flatMap(([term, value]) => [h("dt", {}, term), h("dd", {}, value)]));
}
