// Starts the console, and shows the screen of the present address.
import {h, fill} from "./dom.js";
import {readSession, session} from "./api.js";
import {build, main, mark} from "./shell.js";
import {failure, loading} from "./parts.js";

/** @type {[RegExp, () => Promise<{default: (page: Page) => OpenScreen}>][]} */
const screens = [
  [/^\/console\/jobs$/, () => import("./screens/jobs.js")],
  [/^\/console\/jobs\/([^/]+)$/, () => import("./screens/job.js")],
  [/^\/console\/start$/, () => import("./screens/start.js")],
  [/^\/console\/reports\/([^/]+)$/, () => import("./screens/report.js")],
  [/^\/console\/results\/([^/]+)$/, () => import("./screens/result.js")],
  [/^\/console\/account$/, () => import("./screens/account.js")],
  [/^\/console\/sign-in$/, () => import("./screens/sign-in.js")],
  [/^\/console\/overview$/, () => import("./screens/overview.js")],
  [/^\/console\/fleet$/, () => import("./screens/fleet.js")],
  [/^\/console\/providers$/, () => import("./screens/providers.js")],
  [/^\/console\/costs$/, () => import("./screens/costs.js")],
];

/** @type {{path: string, screen: OpenScreen} | null} */
let current = null;
let turn = 0;

/**
 * @param {string} path
 * @param {boolean} [replace]
 */
function go(path, replace = false) {
  if (replace) history.replaceState(null, "", path);
  else history.pushState({}, "", path);
  show(!replace);
}

/** @param {boolean} isNew whether the focus goes to the screen */
async function show(isNew) {
  const path = location.pathname;
  const query = new URLSearchParams(location.search);
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
    const found = screens.map(([pattern, load]) => ({match: pattern.exec(path), load})).find((entry) => entry.match);
    const id = found?.match?.[1] ? decodeURIComponent(found.match[1]) : "";
    screen = found
      ? (await found.load()).default({path, query, id, go})
      : {title: "There is no such page", element: h("div", {}, h("h1", {}, "There is no such page"),
        h("p", {}, h("a", {href: "/console/jobs"}, "Show the jobs")))};
  } catch (error) {
    screen = {title: "This screen failed", element: isOutdated(error)
      ? h("div", {class: "empty", role: "alert"}, h("h1", {}, "A newer version is here"),
        h("button", {type: "button", onclick: () => location.reload()}, "Reload"))
      : h("div", {}, h("h1", {}, "This screen failed"), failure(error))};
  }
  if (mine !== turn) {
    screen.close?.();
    return;
  }
  current = {path, screen};
  setTitle(screen.title);
  fill(main, screen.element);
  if (isNew) {
    main.focus({preventScroll: true});
    scrollTo(0, 0);
  }
}

/**
 * Whether a module is there no more, since the service has another version.
 * @param {unknown} error
 */
function isOutdated(error) {
  return error instanceof TypeError && /module/i.test(error.message);
}

/** @param {string} name */
export function setTitle(name) {
  document.title = `${name} · Dossier`;
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.origin !== location.origin || !link.pathname.startsWith("/console/")) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
addEventListener("popstate", () => show(false));

try {
  await readSession();
} catch (error) {
  console.error(error);
}
build((path) => go(path));
if (!session.signed_in && session.auth === "jwt" && location.pathname !== "/console/sign-in") {
  go(`/console/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`, true);
} else show(false);
