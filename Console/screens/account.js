// The user's credits, ledger and sign-in.
import {h, fill} from "../dom.js";
import {get, send, session} from "../api.js";
import {count, moment} from "../format.js";
import {card, failure, ledger, loading, terms, worker, empty} from "../parts.js";

/** @param {Page} page */
export default function account(page) {
  const content = h("div", {}, loading("the account"));
  const controller = new AbortController();

  function read() {
    Promise.all([get("users/me", controller.signal), send("GET", "/api/v1/credits/ledger?per_page=50", {signal: controller.signal})])
      .then(([me, entries]) => show(me, entries.data), (error) => {
        if (!controller.signal.aborted) fill(content, failure(error, read));
      });
  }

  /** @param {any} me @param {any[]} entries */
  function show(me, entries) {
    fill(content, card("Credits", {}, h("dl", {class: "tiles"},
      [["Remaining", me.credits.remaining], ["Held", me.credits.held], ["Used", me.credits.used]].map(([name, value]) =>
        h("div", {}, h("dt", {}, name), h("dd", {}, count(value)))))),
    card("User", {}, terms([["Name", h("bdi", {}, me.subject)], ["Plan", me.plan.title], ["Since", moment(me.created_at)],
      ["Period", `${me.period.from.slice(0, 10)} to ${me.period.to.slice(0, 10)}`]]), signIn()),
    card("Movements", {}, entries.length ? ledger(entries) : empty("No movements", "Credits move when a job is asked for.")));
  }

  function signIn() {
    if (session.auth === "development") {
      const input = h("input", {id: "act-as", type: "text", value: sessionStorage.getItem("user") ?? "", autocomplete: "off"});
      return h("form", {class: "row", onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const user = input.value.trim();
        if (user) sessionStorage.setItem("user", user);
        else sessionStorage.removeItem("user");
        location.assign("/console/account");
      }}, h("label", {for: "act-as"}, "Act as user"), input, h("button", {type: "submit"}, "Act"));
    }
    if (session.auth !== "jwt") return null;
    return worker("Sign out", async () => {
      await send("DELETE", "/console/session");
      location.assign("/console/sign-in");
    });
  }

  read();
  return {title: "Account", element: h("div", {}, h("h1", {}, "Account"), content), close: () => controller.abort()};
}
