/** What surrounds every screen: head, navigation, colours, connection, and the dialogs of the keyboard. */
import { connection, connectionState, session } from "./api.js";
import { fill, h } from "./dom.js";

/** @typedef {{name: string, path: string, needs?: string}} Entry */

/** @type {{title: string, entries: Entry[]}[]} */
export const navigation = [
  { title: "Yours", entries: [
    { name: "Start a job", path: "/console/start" }, { name: "Jobs", path: "/console/jobs" },
    { name: "Account", path: "/console/account" },
  ] },
  { title: "Operations", entries: [
    { name: "Overview", path: "/console/overview", needs: "admin:read" }, { name: "Fleet", path: "/console/fleet", needs: "admin:read" },
    { name: "Providers", path: "/console/providers", needs: "admin:read" },
  ] },
];

const colours = ["Auto", "Light", "Dark"];

/** Builds the shell.
 * @param {(path: string) => void} go
 * @returns {{main: HTMLElement, announce: (text: string) => void, place: (path: string) => void}} */
export function shell(go) {
  const main = h("main", { id: "main", tabindex: "-1" });
  const spoken = h("div", { role: "status", "aria-live": "polite", "aria-label": "Announcements", class: "visually-hidden" });
  const state = h("span", { role: "status", "aria-label": "Connection", class: "connection" });
  const showState = () => {
    const name = connectionState();
    state.dataset.state = name;
    fill(state, h("span", { class: "dot", "aria-hidden": "true" }), name);
  };
  connection.addEventListener("change", showState);
  addEventListener("online", showState);
  addEventListener("offline", showState);
  showState();

  const rail = h("nav", { class: "rail", "aria-label": "Main" }, links());
  const drawer = h("dialog", { class: "drawer", "aria-label": "Menu" },
    h("button", { type: "button", class: "quiet", onclick: () => drawer.close() }, "Close"),
    h("nav", { "aria-label": "Menu" }, links()));
  drawer.addEventListener("click", (/** @type {Event} */ event) => {
    if (/** @type {Element} */ (event.target).closest("a") || event.target === drawer) drawer.close();
  });
  const mark = h("svg", { viewBox: "0 0 24 24", class: "mark", "aria-hidden": "true" },
    h("path", { d: "M5 2.5h9l5 5v14H5zM9 17v-4M12 17v-7M15 17v-2" }));
  document.body.append(
    h("a", { class: "skip", href: "#main", onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      main.focus();
    } }, "Skip to content"),
    h("header", { class: "head" },
      h("button", { type: "button", class: "quiet menu", "aria-label": "Menu", onclick: () => drawer.showModal() },
        h("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, h("path", { d: "M1 3h14M1 8h14M1 13h14" }))),
      h("a", { class: "home", href: "/console/jobs" }, mark, "Dossier"), h("span", { class: "space" }), state, colourButton()),
    h("div", { class: "frame" }, rail, main), spoken, drawer);
  shortcuts(go);
  return {
    main,
    announce(text) { spoken.textContent = text; },
    place(path) {
      for (const link of document.querySelectorAll("nav a")) {
        if (path.startsWith(/** @type {HTMLAnchorElement} */ (link).pathname)) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
    },
  };
}

/** @returns {Entry[]} */
function visibleEntries() {
  return navigation.flatMap((group) => group.entries).filter((entry) => !entry.needs || session.may(entry.needs));
}

function links() {
  return navigation.map((group) => {
    const entries = group.entries.filter((entry) => visibleEntries().includes(entry));
    return entries.length
      ? [h("h2", {}, group.title), h("ul", {}, entries.map((entry) => h("li", {}, h("a", { href: entry.path }, entry.name))))]
      : [];
  });
}

function colourButton() {
  const button = h("button", { type: "button", class: "quiet colours" });
  const show = () => {
    const name = localStorage.getItem("colours") ?? "Auto";
    button.setAttribute("aria-label", `Colours: ${name}`);
    fill(button, name);
    if (name === "Auto") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.dataset.theme = name.toLowerCase();
  };
  button.addEventListener("click", () => {
    const name = localStorage.getItem("colours") ?? "Auto";
    localStorage.setItem("colours", colours[(colours.indexOf(name) + 1) % colours.length]);
    show();
  });
  show();
  return button;
}

/** @param {(path: string) => void} go */
function shortcuts(go) {
  document.addEventListener("keydown", (event) => {
    const inField = event.target instanceof Element && event.target.matches("input:not([type=checkbox]), textarea, select");
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      goTo(go);
      return;
    }
    if (inField || event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem("single-keys") === "off") return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "/") {
      const field = /** @type {HTMLElement | null} */ (document.querySelector("[data-filter]"));
      if (field) event.preventDefault();
      field?.focus();
    }
    if (event.key === "?") keyboard();
  });
}

/** @param {any} dialog */
function open(dialog) {
  const from = /** @type {HTMLElement | null} */ (document.activeElement);
  dialog.addEventListener("close", () => { dialog.remove(); from?.focus(); });
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {(path: string) => void} go */
function goTo(go) {
  if (document.querySelector("dialog[open]")) return;
  const field = h("input", { type: "text", id: "go-to", list: "screens", autocomplete: "off", autofocus: true });
  const hint = h("p", { class: "small", role: "status" }, "The name of a screen, or the id of a job.");
  const dialog = h("dialog", { "aria-labelledby": "go-to-title" },
    h("h2", { id: "go-to-title" }, "Go to"),
    h("form", { method: "dialog", onsubmit: (/** @type {Event} */ event) => {
      const text = field.value.trim();
      const screen = visibleEntries().find((entry) => entry.name.toLowerCase().startsWith(text.toLowerCase()));
      const path = /^[0-9a-f-]{36}$/i.test(text) ? `/console/jobs/${text.toLowerCase()}` : text && screen?.path;
      if (!path) {
        event.preventDefault();
        fill(hint, "No screen has this name, and it is no id of a job.");
        return;
      }
      dialog.addEventListener("close", () => go(path));
    } },
    h("label", { for: "go-to" }, "Screen or id"), field,
    h("datalist", { id: "screens" }, visibleEntries().map((entry) => h("option", { value: entry.name }))), hint,
    h("div", { class: "actions" }, h("button", { type: "button", onclick: () => dialog.close() }, "Close"),
      h("button", { class: "first" }, "Go"))));
  open(dialog);
}

function keyboard() {
  const keys = [["Ctrl or ⌘ K", "Go to a screen or a job"], ["/", "The filter"], ["?", "This list"], ["Esc", "Close a dialog"]];
  const box = h("input", { type: "checkbox", id: "single-keys" });
  box.checked = localStorage.getItem("single-keys") !== "off";
  box.addEventListener("change", () => localStorage.setItem("single-keys", box.checked ? "on" : "off"));
  const dialog = h("dialog", { "aria-labelledby": "keyboard-title" },
    h("h2", { id: "keyboard-title" }, "Keyboard"),
    h("dl", { class: "keys" }, keys.map(([key, act]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, act)])),
    h("p", {}, box, " ", h("label", { for: "single-keys" }, "Shortcuts of a single key")),
    h("div", { class: "actions" }, h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Close")));
  open(dialog);
}
