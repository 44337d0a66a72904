// What stands around every screen: navigation, status, colours, keyboard.
import {h, fill} from "./dom.js";
import {session} from "./api.js";
import {onChange, state, staleSince} from "./connection.js";
import {moment} from "./format.js";

/** @typedef {{path: string, name: string}} Entry */

export const main = h("main", {id: "main", tabindex: "-1"});
const links = h("div");
const connection = h("span", {role: "status", "aria-label": "Connection", class: "connection"});
const stale = h("p", {class: "stale", hidden: true});

/** @type {Entry[]} */
let entries = [];

/**
 * The screens of the present user, by section.
 * @returns {[string, Entry[]][]}
 */
function sections() {
  const own = [
    {path: "/console/jobs", name: "Jobs"}, {path: "/console/start", name: "Start a job"},
    {path: "/console/account", name: "Account"},
  ];
  const operations = [
    {path: "/console/overview", name: "Overview"}, {path: "/console/fleet", name: "Fleet"},
    {path: "/console/providers", name: "Providers"}, {path: "/console/costs", name: "Costs"},
  ];
  return session.admin && session.scopes.includes("admin:read") ? [["Yours", own], ["Operations", operations]] : [["Yours", own]];
}

/** @param {(path: string) => void} go */
export function build(go) {
  const colours = h("button", {type: "button", class: "quiet", onclick: nextColours});
  const navigation = h("nav", {id: "navigation", "aria-label": "Main"}, links);
  const menu = h("button", {type: "button", class: "quiet menu", "aria-expanded": "false", "aria-controls": "navigation",
    onclick: () => setMenu(menu.getAttribute("aria-expanded") !== "true")}, "Menu");

  /** @param {boolean} isOpen */
  function setMenu(isOpen) {
    menu.setAttribute("aria-expanded", String(isOpen));
    document.body.classList.toggle("menu-open", isOpen);
  }

  function nextColours() {
    const order = ["Auto", "Light", "Dark"];
    const next = order[(order.indexOf(localStorage.getItem("colours") ?? "Auto") + 1) % 3];
    localStorage.setItem("colours", next);
    showColours();
  }

  function showColours() {
    const chosen = localStorage.getItem("colours") ?? "Auto";
    colours.textContent = `Colours: ${chosen}`;
    if (chosen === "Auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen.toLowerCase();
  }

  function showConnection() {
    const word = state();
    connection.textContent = word;
    connection.dataset.state = word.toLowerCase();
    const since = staleSince();
    stale.hidden = since === null;
    if (since !== null) stale.textContent = `Shown as of ${moment(new Date(since).toISOString())}`;
  }

  showColours();
  showConnection();
  onChange(showConnection);
  setInterval(() => { if (!document.hidden && state() !== "Live") showConnection(); }, 2000);

  document.body.append(
    h("a", {class: "skip", href: "#main", onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      main.focus();
    }}, "Skip to content"),
    h("header", {class: "banner"}, menu, h("a", {class: "mark", href: "/console/jobs"}, "Dossier"),
      session.simulated ? h("span", {class: "tag"}, "Simulated models") : null,
      h("span", {class: "space"}), connection,
      h("button", {type: "button", class: "quiet", onclick: () => goTo(go)}, "Go to"), colours,
      session.user ? h("a", {class: "user", href: "/console/account"}, h("bdi", {}, session.user.subject)) : null),
    navigation, h("div", {class: "page"}, stale, main),
    h("div", {id: "announcements", role: "status", class: "hidden-text"}));

  navigation.addEventListener("click", () => setMenu(false));
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      goTo(go);
      return;
    }
    if (event.key === "Escape") setMenu(false);
    const target = event.target;
    const isTyping = target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem("keys") === "off") return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "/") {
      const filter = main.querySelector("[role=search] input, [role=search] select");
      if (filter instanceof HTMLElement) {
        event.preventDefault();
        filter.focus();
      }
    } else if (event.key === "?") keyboard();
  });
}

/**
 * Shows where the present screen stands.
 * @param {string} path
 */
export function mark(path) {
  const all = sections();
  entries = all.flatMap(([, list]) => list);
  fill(links, all.map(([name, list]) => [
    h("h2", {}, name),
    h("ul", {}, list.map((entry) => h("li", {}, h("a", {
      href: entry.path, "aria-current": path === entry.path || (path.startsWith(`${entry.path}/`)) ? "page" : null,
    }, entry.name)))),
  ]));
}

/** @param {(path: string) => void} go */
function goTo(go) {
  if (document.querySelector("dialog[open]")) return;
  const before = document.activeElement;
  const list = h("ul", {role: "list"});
  const input = h("input", {type: "text", id: "go-to", autocomplete: "off", autofocus: true, oninput: show});

  function found() {
    const text = input.value.trim();
    const matches = entries.filter((entry) => entry.name.toLowerCase().includes(text.toLowerCase()));
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) {
      return [{path: `/console/jobs/${text.toLowerCase()}`, name: `Job ${text}`}];
    }
    return matches;
  }

  function show() {
    fill(list, found().map((entry) => h("li", {}, h("a", {href: entry.path, onclick: () => dialog.close()}, entry.name))));
    if (list.childElementCount === 0) fill(list, h("li", {}, "No screen has this name, and it is no id of a job."));
  }

  const dialog = h("dialog", {"aria-labelledby": "go-to-title", class: "go"},
    h("form", {method: "dialog", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const first = found()[0];
      if (!first) return;
      dialog.close();
      go(first.path);
    }}, h("h2", {id: "go-to-title"}, "Go to"), h("label", {for: "go-to"}, "A screen, or the id of a job"), input, list,
    h("button", {type: "button", onclick: () => dialog.close()}, "Close")));
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  document.body.append(dialog);
  show();
  dialog.showModal();
}

function keyboard() {
  const before = document.activeElement;
  const keys = [["/", "the filter of a list"], ["Ctrl K", "go to a screen or a job"], ["?", "this list"], ["Esc", "closes what is open"]];
  const isOn = h("input", {type: "checkbox", id: "keys", checked: localStorage.getItem("keys") !== "off",
    onchange: () => localStorage.setItem("keys", isOn.checked ? "on" : "off")});
  const dialog = h("dialog", {"aria-labelledby": "keyboard-title"}, h("h2", {id: "keyboard-title"}, "Keyboard"),
    h("dl", {class: "terms"}, keys.map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
    h("p", {}, isOn, " ", h("label", {for: "keys"}, "Single keys are shortcuts")),
    h("button", {type: "button", onclick: () => dialog.close()}, "Close"));
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}
