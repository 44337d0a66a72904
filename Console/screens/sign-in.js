/** "Sign in" with an access token, where users have tokens. */
import { ApiError, write } from "../api.js";
import { fill, h } from "../dom.js";

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function signInScreen(page) {
  const error = h("p", { class: "field-error", id: "token-error", role: "alert" });
  const field = h("input", { id: "token", type: "password", autocomplete: "off", spellcheck: "false", "aria-describedby": "token-error" });
  const button = h("button", { class: "first" }, "Sign in");
  const form = h("form", { class: "sign-in", onsubmit: submit }, h("h1", {}, "Sign in"),
    h("p", { class: "quiet-text" }, "With a token of your identity provider, or one of ", h("code", {}, "dossier token issue"), "."),
    h("div", { class: "field" }, h("label", { for: "token" }, "Access token"), field, error), button);

  async function submit(/** @type {Event} */ event) {
    event.preventDefault();
    button.disabled = true;
    fill(error);
    try {
      await write("POST", "/console/session", { token: field.value.trim() });
      const to = page.query.get("to") ?? "";
      location.assign(/^\/console\/(?!\/)/.test(to) && !to.includes("\\") ? to : "/console/jobs");
    } catch (problem) {
      fill(error, problem instanceof ApiError ? problem.message : "This could not be sent.");
      button.disabled = false;
      field.focus();
    }
  }
  return { title: "Sign in", element: h("div", { class: "screen" }, form) };
}
