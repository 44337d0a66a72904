/** "Account": credits, plan, ledger, and the way out. */
import { read, session, write } from "../api.js";
import { fill, h, outside } from "../dom.js";
import { count, words } from "../format.js";
import { card, empty, failure, skeleton } from "../parts.js";

const names = { hold: "Held", settle: "Charged", release: "Given back", grant: "Granted" };

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function accountScreen(page) {
  const controller = new AbortController();
  const content = h("div", { class: "stack" });
  const element = h("div", { class: "screen" }, h("div", { class: "title" }, h("h1", {}, "Account"), signOut()), content);

  async function load() {
    fill(content, skeleton("the account"));
    try {
      const cursor = page.query.get("cursor");
      const [me, ledger] = await Promise.all([read("/api/v1/users/me", controller.signal),
        read(`/api/v1/credits/ledger?per_page=20${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`, controller.signal)]);
      content.replaceChildren(...parts(me.data, ledger));
    } catch (error) {
      if (!controller.signal.aborted) fill(content, failure(error, load));
    }
  }

  /** @param {any} me @param {any} ledger */
  function parts(me, ledger) {
    const tile = (/** @type {string} */ name, /** @type {any} */ value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
    const next = ledger.pagination?.next_cursor;
    return [
      card("Credits", [h("dl", { class: "tiles" }, tile("Remaining", count(me.credits.remaining)), tile("Held", count(me.credits.held)),
        tile("Used", count(me.credits.used)), tile("Plan", outside(me.plan.title)), tile("User", outside(me.subject)))]),
      session.now.auth === "development" && actAs(),
      card("Ledger", [ledger.data.length ? h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Table of the ledger" },
        h("table", {}, h("caption", { class: "visually-hidden" }, "Ledger"),
          h("thead", {}, h("tr", {}, ["Entry", "Job", "Credits", "Remaining", "At"].map((name, index) =>
            h("th", { scope: "col", class: index > 1 ? "number" : "" }, name)))),
          h("tbody", {}, ledger.data.map((/** @type {any} */ entry) => h("tr", {},
            h("th", { scope: "row" }, h("span", { class: `ring ${entry.type}`, "aria-hidden": "true" }), names[/** @type {"hold"} */ (entry.type)] ?? words(entry.type)),
            h("td", {}, entry.job_id ? h("a", { href: `/console/jobs/${entry.job_id}` }, entry.kind ?? "job") : outside(entry.source ?? "–")),
            h("td", { class: "number" }, count(entry.amount)), h("td", { class: "number" }, count(entry.after?.remaining)),
            h("td", { class: "number" }, new Date(entry.at).toLocaleString("en-GB")))))))
        : empty("No entries yet", "The ledger has a line for each credit that is held, charged or given back.")]),
      h("nav", { class: "pager", "aria-label": "Pages of the ledger" }, page.query.get("cursor") && h("a", { href: "/console/account" }, "Newest"),
        next && h("a", { href: `/console/account?cursor=${encodeURIComponent(next)}` }, "Older")),
    ].filter(Boolean);
  }

  function actAs() {
    const field = h("input", { id: "act-as", type: "text", autocomplete: "off", placeholder: "1" });
    field.value = sessionStorage.getItem("subject") ?? "";
    return card("Development", [h("form", { class: "inside act-as", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (field.value.trim()) sessionStorage.setItem("subject", field.value.trim()); else sessionStorage.removeItem("subject");
      location.reload();
    } }, h("div", { class: "field" }, h("label", { for: "act-as" }, "Act as user"), field), h("button", {}, "Act"))]);
  }

  function signOut() {
    if (session.now.auth !== "jwt") return null;
    return h("button", { type: "button", onclick: async () => {
      await write("DELETE", "/console/session");
      location.assign("/console/sign-in");
    } }, "Sign out");
  }

  load();
  return { title: "Account", element, close: () => controller.abort(), update(next) { page = next; load(); } };
}
