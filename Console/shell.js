// The frame around the screens: banner, navigation, connection, colours, keyboard help.

import { connection } from "./api.js";
import { h, icon } from "./dom.js";

const COLOURS = /** @type {const} */ (["Auto", "Light", "Dark"]);

const MARK = "M3 1.5h9l5 5v12H3zM7 15v-4M10 15V8M13 15v-5";

/** @param {string} name */
function paint(name) {
  if (name === "Auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name.toLowerCase();
}

function coloursButton() {
  let place = Math.max(0, COLOURS.findIndex((each) => each === localStorage.getItem("colours")));
  const word = h("span", {});
  const button = h("button", { type: "button", class: "quiet" }, word);
  const show = () => {
    const name = COLOURS[place] ?? "Auto";
    word.textContent = name;
    button.setAttribute("aria-label", `Colours: ${name}`);
    paint(name);
  };
  button.addEventListener("click", () => {
    place = (place + 1) % COLOURS.length;
    localStorage.setItem("colours", COLOURS[place] ?? "Auto");
    show();
  });
  show();
  return button;
}

function connectionStatus() {
  const word = h("span", {});
  const status = h("div", { role: "status", "aria-label": "Connection", class: "connection" },
    h("span", { class: "dot", "aria-hidden": "true" }), word);
  const show = () => {
    word.textContent = connection.word;
    status.dataset.state = connection.word;
  };
  connection.addEventListener("change", show);
  addEventListener("online", show);
  addEventListener("offline", show);
  show();
  return status;
}

/** Whether single keys are shortcuts. */
function hasKeys() {
  return localStorage.getItem("single-keys") !== "off";
}

function keyboardDialog() {
  const box = h("input", { type: "checkbox", id: "single-keys" });
  box.addEventListener("change", () => localStorage.setItem("single-keys", box.checked ? "on" : "off"));
  /** @type {[string, string][]} */
  const keys = [["/", "Go to the filter"], ["?", "Show this list"], ["Esc", "Close a dialog or the menu"]];
  const dialog = h("dialog", { "aria-labelledby": "keyboard-title" },
    h("h2", { id: "keyboard-title" }, "Keyboard"),
    h("dl", { class: "terms" },
      ...keys.flatMap(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)])),
    h("p", {}, h("label", {}, box, " Single keys are shortcuts")),
    h("form", { method: "dialog" }, h("button", { class: "button" }, "Close")));
  const open = () => {
    box.checked = hasKeys();
    if (!dialog.open) dialog.showModal();
  };
  return { dialog, open };
}

/** @param {KeyboardEvent} event */
function isTyping(event) {
  const target = event.target;
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), select, textarea");
}

/**
 * Builds the frame.
 * @param {{group: string, path: string, name: string}[]} entries
 */
export function makeShell(entries) {
  const main = h("main", { id: "main", tabindex: -1 });
  const announcer = h("div", { role: "status", "aria-label": "Announcements", class: "unseen" });
  const groups = [...new Set(entries.map((entry) => entry.group))];
  const nav = h("nav", { "aria-label": "Main", id: "navigation", class: "rail" }, ...groups.map((group) =>
    h("div", {}, h("p", { class: "group" }, group), h("ul", {}, ...entries.filter((each) => each.group === group)
      .map((each) => h("li", {}, h("a", { href: each.path }, each.name)))))));
  const menu = h("button", {
    type: "button", class: "quiet menu", "aria-label": "Menu", "aria-expanded": "false", "aria-controls": "navigation",
  }, icon("M2 4h12M2 8h12M2 12h12", { box: 16, name: "icon large" }));
  /** @param {boolean} open */
  const drawer = (open) => {
    document.body.classList.toggle("drawer", open);
    menu.setAttribute("aria-expanded", String(open));
  };
  menu.addEventListener("click", () => {
    const open = menu.getAttribute("aria-expanded") !== "true";
    drawer(open);
    if (open) nav.querySelector("a")?.focus();
  });
  const keyboard = keyboardDialog();
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.body.classList.contains("drawer")) {
      drawer(false);
      menu.focus();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !hasKeys()) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "?") keyboard.open();
    if (event.key === "/") {
      const field = main.querySelector("[role=search] input:not([type=checkbox]), [role=search] select, [role=search] input");
      if (field instanceof HTMLElement) {
        event.preventDefault();
        field.focus();
      }
    }
  });
  document.body.append(
    h("a", { href: "#main", class: "skip", onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      main.focus();
    } }, "Skip to content"),
    h("header", { class: "banner" }, menu,
      h("a", { href: "/console/", class: "brand" }, icon(MARK, { box: 20, name: "mark" }), "Dossier"),
      h("div", { class: "tools" }, connectionStatus(),
        h("button", { type: "button", class: "quiet keys", "aria-label": "Keyboard", onclick: keyboard.open }, "?"),
        coloursButton())),
    nav, main, announcer, keyboard.dialog);
  return {
    main,
    /** @param {string} text */
    announce: (text) => { announcer.textContent = text; },
    /** @param {string} path */
    arrive: (path) => {
      drawer(false);
      for (const link of nav.querySelectorAll("a")) {
        const here = path === link.pathname || path.startsWith(`${link.pathname}/`);
        if (here) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
    },
  };
}
