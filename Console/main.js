// Starts the console: what stands around every screen, and the screen of the present address.
import {closer, dialog, fill, h, placed, placeOf, refocus} from "./dom.js";
import {connection as state, get, may, onChange, readSession, session, staleSince} from "./api.js";
import {moment, relative} from "./format.js";
import {failure, loading, terms} from "./parts.js";

/** The screens by their addresses: the module of each, and its function there.
 * @type {Record<string, string>} */
const screens = {
  jobs: "jobs jobs", "jobs/*": "job job", start: "start start", "reports/*": "reports report", compare: "reports compare",
  "results/*": "learning result", "filings/*": "filings filing", news: "learning news", cards: "learning cards", account: "users account", "sign-in": "users signIn",
  credits: "users credits", overview: "operators overview", fleet: "operators fleet", providers: "operators providers",
  costs: "operators costs", prompts: "prompts prompts", "prompts/*": "prompts bundle", audit: "operators audit",
  suite: "prompts suite", "suite/*": "prompts one", "operations/*": "operators operation", service: "service service", webhooks: "service webhooks",
};

/** @type {{path: string, screen: OpenScreen} | null} */
let current = null;
let address = "";
let turn = 0;

/**
 * @param {string} path
 * @param {boolean} [replace]
 */
function go(path, replace = false) {
  if (!replace) history.replaceState({y: scrollY, ...placeOf(document.activeElement)}, "");
  history[replace ? "replaceState" : "pushState"](null, "", path);
  show(!replace);
}

/** @param {boolean} isNew whether the focus goes to the screen */
async function show(isNew) {
  const path = location.pathname;
  const query = new URLSearchParams(location.search);
  address = path + location.search;
  if (path === "/console/" || path === "/console") return go("/console/jobs", true);
  if (current?.path === path && current.screen.update) return current.screen.update(query);
  const mine = ++turn;
  current?.screen.close?.();
  current = null;
  mark(path);
  fill(main, loading("the screen"));
  /** @type {OpenScreen} */
  let screen;
  try {
    const [first, second, ...rest] = path.slice("/console/".length).split("/");
    const route = second ? `${first}/*` : first;
    const [module, name] = (!rest.length || first === "suite") && Object.hasOwn(screens, route) ? screens[route].split(" ") : [];
    screen = module
      ? (await import(`./screens/${module}.js`))[name]({path, query, id: [second ?? "", ...rest].map(decodeURIComponent).join("/"), go})
      : {element: h("div", h("h1", "There is no such page"),
        h("p", h("a", {href: "/console/jobs"}, "Show the jobs")))};
  } catch (error) {
    // A module is there no more, when the service has another version.
    screen = {element: error instanceof TypeError && /module/i.test(error.message)
      ? h("div.empty", {role: "alert"}, h("h1", "A newer version is here"),
        h("button", {onclick: () => location.reload()}, "Reload"))
      : h("div", h("h1", "This screen failed"), failure(error))};
  }
  if (mine !== turn) return screen.close?.();
  current = {path, screen};
  fill(main, screen.element);
  if (isNew) {
    main.focus({preventScroll: true});
    scrollTo(0, 0);
  }
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.origin !== location.origin || !link.pathname.startsWith("/console/")) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
// A place within the screen is no other screen.
addEventListener("popstate", async ({state}) => {
  if (address === location.pathname + location.search) return;
  await show(false);
  refocus(null);
  // Back where one was, once the screen is as long again.
  const here = address;
  let link;
  for (let tries = 60; state && here === address && tries-- && (state.y > scrollY || (state.name && !link));) {
    if (state.y > scrollY) scrollTo(0, state.y);
    link = placed(state);
    await new Promise((done) => setTimeout(done, 50));
  }
  const now = document.activeElement;
  if (link && now instanceof HTMLElement && now.tabIndex < 0) link.focus({preventScroll: true});
});

// What stands around every screen

/** @typedef {{path: string, name: string}} Entry */

const main = h("main", {id: "main", tabindex: "-1"});
const links = h("div");
new MutationObserver(() => {
  document.title = `${main.querySelector("h1")?.textContent ?? ""} · Dossier`;
}).observe(main, {childList: true, subtree: true, characterData: true});
const connection = h("span", {role: "status", "aria-label": "Connection", class: "connection"});
const stale = h("p.stale", {hidden: true});
const newer = h("p.stale", {role: "status", hidden: true});

/** @type {Entry[]} */
let entries = [];

/**
 * The screens of the present user, by section.
 * @returns {[string, Entry[]][]}
 */
function sections() {
  const entry = (/** @type {string} */ name, path = name.toLowerCase()) => ({path: `/console/${path}`, name});
  const own = [entry("Start a job", "start"), entry("Jobs"), entry("News"), entry("Recall cards", "cards"), entry("Webhooks"), entry("Account")];
  const operations = [entry("Overview"), entry("Fleet"), entry("Providers"), entry("Credits"), entry("Costs"), entry("Prompts"),
    entry("Prompt suite", "suite"), entry("Audit"), entry("API and health", "service")];
  return session.admin && session.scopes.includes("admin:read") ? [["Yours", own], ["Operations", operations]] : [["Yours", own]];
}

/** @param {(path: string) => void} go */
function build(go) {
  const colours = h("button.quiet", {onclick: nextColours});
  const navigation = h("nav", {id: "navigation", "aria-label": "Main"}, links);
  const menu = h("button.quiet.menu", {"aria-expanded": "false", "aria-controls": "navigation",
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
    fill(colours, h("span.wide-text", "Colours: "), chosen);
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

  /** Whether the service has other files now, as after an update. */
  async function look() {
    lookedAt = Date.now();
    const text = await fetch("/console/").then((answer) => answer.ok ? answer.text() : "", () => "");
    if (!text || text.includes(new URL(".", import.meta.url).pathname) || !newer.hidden) return;
    newer.hidden = false;
    fill(newer, "A newer version of the console is here. ", h("button", {onclick: () => location.reload()}, "Reload"));
  }
  let lookedAt = Date.now();
  let wasLive = true;

  showColours();
  showConnection();
  onChange(() => {
    showConnection();
    const isLive = state() === "Live";
    if (isLive && !wasLive) look();
    wasLive = isLive;
  });
  setInterval(() => { if (!document.hidden && state() !== "Live") showConnection(); }, 2000);
  setInterval(() => {
    if (document.hidden) return;
    if (Date.now() - lookedAt > 600_000) look();
    for (const time of main.querySelectorAll("time")) {
      const text = relative(Date.now() - Date.parse(time.dateTime));
      if (time.textContent !== text) time.textContent = text;
    }
  }, 1000);

  document.body.append(
    h("a.skip", {href: "#main", onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      main.focus();
    }}, "Skip to content"),
    h("header.banner", menu, h("a.mark", {href: "/console/jobs"}, h("img", {src: new URL("icon.svg", import.meta.url).href, alt: "", width: 20, height: 20}), "Dossier"),
      session.simulated ? h("span.tag", "Simulated models") : null,
      h("span.space"), connection,
      h("button", {class: "quiet go-to", onclick: () => goTo(go)}, "Go to"), colours,
      session.user ? h("a.user", {href: "/console/account"}, h("bdi", session.user.subject)) : null),
    navigation, h("div.page", newer, stale, main),
    h("div", {id: "announcements", role: "status", class: "spoken"}));

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
function mark(path) {
  const all = sections();
  entries = all.flatMap(([, list]) => list);
  fill(links, all.map(([name, list]) => [
    h("h2", name),
    h("ul", list.map((entry) => h("li", h("a", {
      href: entry.path, "aria-current": `${path.replace(/^\/console\/(reports|results|filings|compare|operations)/, "/console/jobs")}/`.startsWith(`${entry.path}/`) ? "page" : null,
    }, entry.name)))),
  ]));
}

/** @param {(path: string) => void} go */
function goTo(go) {
  if (document.querySelector("dialog[open]")) return;
  const list = h("ul", {role: "list"});
  const input = h("input", {id: "go-to", autofocus: true, oninput: show});
  /** @type {any[]} */
  let bundles = [];
  if (may("admin:read")) get("admin/bundles?per_page=200").then((all) => {
    bundles = all;
    show();
  }, () => {});

  function found() {
    const text = input.value.trim();
    const matches = entries.filter((entry) => entry.name.toLowerCase().includes(text.toLowerCase()));
    if (matches.length) return matches;
    const id = text.toLowerCase();
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return [{path: `/console/jobs/${id}`, name: `Job ${id}`}];
    if (/^\d{10}-\d\d-\d{6}$/.test(id)) return [{path: `/console/filings/${id}`, name: `Filing ${id}`}];
    if (may("admin:read")) {
      const known = /^[0-9a-f]{6,}$/.test(id) ? bundles.filter((one) => one.hash.startsWith(id)) : [];
      if (known.length) return known.map(({hash}) => ({path: `/console/prompts/${hash}`, name: `Bundle ${hash.slice(0, 16)}`}));
      if (/^\d+$/.test(id)) return [{path: `/console/credits?user=${id}`, name: `User ${id}`}];
      if (id) return [{path: `/console/credits?q=${encodeURIComponent(text)}`, name: `Users whose name begins with ${text}`}];
    }
    return matches;
  }

  function show() {
    fill(list, found().map((entry) => h("li", h("a", {href: entry.path, onclick: () => box.close()}, entry.name))));
    if (list.childElementCount === 0) fill(list, h("li", "No screen has this name, and it is no id of a job."));
  }

  const box = dialog({"aria-labelledby": "go-to-title", class: "go"},
    h("form", {method: "dialog", class: "stack", onsubmit: () => {
      const first = found()[0];
      if (!first) return;
      box.close();
      go(first.path);
    }}, h("h2", {id: "go-to-title"}, "Go to"), h("label", {for: "go-to"}, "A screen, or an id"), input, list), closer);
  show();
  input.focus();
}

function keyboard() {
  const keys = [["/", "the filter of a list"], ["Ctrl K", "go to a screen, a job, a user, a bundle or a filing"], ["?", "this list"], ["Esc", "closes what is open"]];
  const isOn = h("input", {type: "checkbox", id: "keys", checked: localStorage.getItem("keys") !== "off",
    onchange: () => localStorage.setItem("keys", isOn.checked ? "on" : "off")});
  dialog({"aria-labelledby": "keyboard-title"}, h("h2", {id: "keyboard-title"}, "Keyboard"),
    terms(keys.map(([key, what]) => [h("kbd", key), what])),
    h("p", isOn, " ", h("label", {for: "keys"}, "Single keys are shortcuts")), closer);
}

try {
  await readSession();
} catch (error) {
  console.error(error);
}
build((path) => go(path));
if (!session.signed_in && session.auth !== "development" && location.pathname !== "/console/sign-in") {
  go(`/console/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`, true);
} else show(false);
