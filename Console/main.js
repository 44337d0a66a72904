/** The console's start: reads the session, builds the shell, and shows the screen of each address. */
import { read, session, signedOut } from "./api.js";
import { fill, h } from "./dom.js";
import { failure } from "./parts.js";
import { shell } from "./shell.js";
import { jobsScreen } from "./screens/jobs.js";
import { jobScreen } from "./screens/job.js";
import { accountScreen } from "./screens/account.js";
import { fleetScreen, overviewScreen, providersScreen } from "./screens/operations.js";
import { reportScreen } from "./screens/report.js";
import { signInScreen } from "./screens/sign-in.js";
import { startScreen } from "./screens/start.js";

/** @typedef {{title: string, element: HTMLElement, update?: (page: Page) => void, close?: () => void}} Screen */
/** @typedef {{path: string, query: URLSearchParams, id: string, announce: (text: string) => void,
 *   retitle: (title: string) => void, go: (path: string, replace?: boolean) => void}} Page */

/** @type {[RegExp, (page: Page) => Screen][]} */
const screens = [
  [/^\/console\/overview$/, overviewScreen],
  [/^\/console\/fleet$/, fleetScreen],
  [/^\/console\/providers$/, providersScreen],
  [/^\/console\/start$/, startScreen],
  [/^\/console\/account$/, accountScreen],
  [/^\/console\/sign-in$/, signInScreen],
  [/^\/console\/jobs$/, jobsScreen],
  [/^\/console\/jobs\/([0-9a-f-]{36})$/, jobScreen],
  [/^\/console\/reports\/([0-9a-f-]{36})$/, reportScreen],
];

/** @type {Screen | null} */
let current = null;
let currentPath = "";
/** @type {ReturnType<typeof shell>} */
let frame;

/** @param {string} path @param {boolean} [replace] */
function go(path, replace = false) {
  if (replace) history.replaceState(history.state, "", path);
  else {
    history.replaceState({ y: scrollY }, "");
    history.pushState({ y: 0 }, "", path);
  }
  show(false);
}

/** @param {boolean} isReturn Whether Back or Forward led here. */
function show(isReturn) {
  if (["/console", "/console/"].includes(location.pathname)) {
    history.replaceState(null, "", "/console/jobs");
  }
  const path = location.pathname.replace(/\/$/, "");
  const found = screens.map(([pattern, make]) => ({ make, match: pattern.exec(path) })).find(({ match }) => match);
  /** @type {Page} */
  const page = { path, query: new URLSearchParams(location.search), id: found?.match?.[1] ?? "", announce: frame.announce,
    retitle(title) { document.title = `${title} · Dossier`; }, go };
  frame.place(path);
  if (path === currentPath && current?.update) {
    current.update(page);
    return;
  }
  current?.close?.();
  currentPath = path;
  try {
    current = found ? found.make(page) : missing();
  } catch (error) {
    current = { title: "This screen failed", element: h("div", {}, h("h1", {}, "Dossier"), failure(error, () => show(false))) };
  }
  page.retitle(current.title);
  frame.main.replaceChildren(current.element);
  frame.main.focus({ preventScroll: true });
  scrollTo(0, isReturn ? history.state?.y ?? 0 : 0);
}

/** @returns {Screen} */
function missing() {
  return { title: "There is no such page", element: h("div", { class: "screen" },
    h("h1", {}, "There is no such page"), h("p", {}, "The address has no screen. ", h("a", { href: "/console/jobs" }, "Jobs"))) };
}

/** Links of the console change the address without loading a page. */
function onClick(/** @type {MouseEvent} */ event) {
  const link = event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest("a[href]")) : null;
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || !link.pathname.startsWith("/console") || link.target || link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

async function start() {
  try {
    session.now = (await read("/console/session")).data;
  } catch (error) {
    fill(document.body, h("main", { class: "screen" }, h("h1", {}, "Dossier"), failure(error, () => location.reload())));
    return;
  }
  frame = shell(go);
  if (session.now.auth === "jwt" && !session.now.signed_in && location.pathname !== "/console/sign-in") {
    history.replaceState(null, "", `/console/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
  }
  signedOut.addEventListener("change", () => {
    if (session.now.auth === "jwt" && location.pathname !== "/console/sign-in") {
      go(`/console/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`, true);
    }
  });
  history.scrollRestoration = "manual";
  document.addEventListener("click", onClick);
  addEventListener("popstate", () => show(true));
  show(false);
}

start();
