// The start of the console and its router. A screen is its URL.

import { APIError, request } from "./api.js";
import { fill, h } from "./dom.js";
import { failure } from "./parts.js";
import { jobScreen } from "./screens/job.js";
import { jobsScreen } from "./screens/jobs.js";
import { makeShell } from "./shell.js";

/** @type {{pattern: RegExp, make: (page: Page) => View}[]} */
const ROUTES = [
  { pattern: /^\/console\/jobs$/, make: jobsScreen },
  { pattern: /^\/console\/jobs\/[^/]+$/, make: jobScreen },
];

const shell = makeShell([{ group: "Yours", path: "/console/jobs", name: "Jobs" }]);

/** @type {AbortController | null} */
let current = null;
/** @type {View | null} */
let screen = null;
let path = "";
/** @type {Session | null} */
let session = null;

/**
 * Runs reads again while the page is visible: every 2 s, every 10 s when nothing has changed for a minute.
 * @param {AbortSignal} signal
 * @param {() => Promise<boolean>} work
 */
function repeat(signal, work) {
  let changed = Date.now();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let running = false;
  let again = false;
  const run = async () => {
    clearTimeout(timer);
    if (signal.aborted || document.hidden) return;
    if (running) {
      again = true;
      return;
    }
    running = true;
    if (await work()) changed = Date.now();
    running = false;
    if (signal.aborted || document.hidden) return;
    timer = setTimeout(run, again ? 0 : Date.now() - changed > 60_000 ? 10_000 : 2000);
    again = false;
  };
  document.addEventListener("visibilitychange", run, { signal });
  addEventListener("online", run, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
  return { now: run };
}

/** @param {string} target */
function unknown(target) {
  return { title: "There is no such page", element: h("div", {}, h("h1", {}, "There is no such page"),
    h("p", {}, `Nothing is at ${target}. `, h("a", { href: "/console/jobs" }, "Show all jobs"))) };
}

/**
 * @param {Session} known
 * @param {boolean} moved
 */
function show(known, moved) {
  const url = new URL(location.href);
  if (url.pathname === "/console/" || url.pathname === "/console") {
    history.replaceState(null, "", "/console/jobs");
    url.pathname = "/console/jobs";
  }
  if (screen?.update && path === url.pathname) {
    screen.update(url.searchParams);
    return;
  }
  current?.abort();
  const controller = new AbortController();
  current = controller;
  path = url.pathname;
  /** @type {Page} */
  const page = {
    path, query: url.searchParams, session: known, signal: controller.signal, main: shell.main,
    navigate, announce: shell.announce, every: (work) => repeat(controller.signal, work),
  };
  const route = ROUTES.find((each) => each.pattern.test(path));
  try {
    screen = route ? route.make(page) : unknown(path);
  } catch (error) {
    screen = { title: "This screen failed", element: failure(error, () => location.reload()) };
  }
  fill(shell.main, screen.element);
  document.title = `${screen.title} · Dossier`;
  shell.arrive(path);
  if (moved) {
    shell.main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

/**
 * @param {string} target
 * @param {{replace?: boolean}} options
 */
function navigate(target, { replace = false } = {}) {
  if (!session) return;
  if (replace) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
  show(session, true);
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target !== "" || link.origin !== location.origin) return;
  if (!link.pathname.startsWith("/console/")) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
});
addEventListener("popstate", () => {
  if (session) show(session, true);
});

async function start() {
  try {
    const answer = await request("/console/session");
    /** @type {Session} */
    const known = answer.data ?? answer;
    session = known;
    if (known.signed_in) show(known, false);
    else {
      const refused = new APIError(401, { user_message: known.auth === "gateway"
        ? "The gateway did not say who you are." : "You are not signed in." }, null);
      fill(shell.main, h("h1", {}, "Not signed in"), failure(refused, start));
      document.title = "Not signed in · Dossier";
    }
  } catch (error) {
    fill(shell.main, h("h1", {}, "Dossier"), failure(error, start));
    document.title = "Dossier";
  }
}

start();
