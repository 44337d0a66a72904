// Signing in with an access token, where users have tokens.
import {h, fill} from "../dom.js";
import {send, session, Refusal} from "../api.js";

/** @param {Page} page */
export default function signIn(page) {
  const problem = h("p", {class: "problem", role: "alert", id: "token-problem"});
  const token = h("input", {id: "token", type: "password", autocomplete: "off", required: true, "aria-describedby": "token-problem"});
  const button = h("button", {type: "submit", class: "first"}, "Sign in");
  const form = h("form", {class: "narrow", onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    button.disabled = true;
    problem.textContent = "";
    try {
      await send("POST", "/console/session", {body: {token: token.value.trim()}});
      const to = page.query.get("to") ?? "";
      location.assign(/^\/console\/[^/\\]/.test(to) ? to : "/console/jobs");
    } catch (error) {
      fill(problem, error instanceof Refusal ? error.reason || error.message : "The service does not answer.");
      token.setAttribute("aria-invalid", "true");
      token.focus();
    } finally {
      button.disabled = false;
    }
  }}, h("label", {for: "token"}, "Access token"), token, problem, button,
  h("p", {class: "faint"}, "It comes from your sign-in provider, or from the command ",
    h("code", {}, "dossier token issue USER --role viewer"), "."));
  return {title: "Sign in", element: h("div", {}, h("h1", {}, "Sign in"),
    session.auth === "gateway" ? h("p", {}, "The gateway in front of this service did not say who you are.") : form)};
}
