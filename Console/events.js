// The states of jobs as they change, by one stream for all tabs of the browser.
import {answered, headers, may, session} from "./api.js";
import {hub} from "./hub.js";
import {hasEnded, surroundings} from "./stream.js";

/** @typedef {import("./hub.js").Request} Request */
/** @typedef {{show: (ids: string[]) => void, close: () => void}} Watch */

/** @type {Set<{ids: string[], onJob: (job: any) => void}>} */
const watches = new Set();
/** @type {((request: Request) => void) | null} */
let send = null;
let visible = 1;
let last = "";

/** The shortest pause in milliseconds between reads, so that all visible tabs together stay below a user's limit. */
export const leastPause = () => Math.max(1, visible) * 1000;

/**
 * Follows jobs.
 * @param {(job: any) => void} onJob called for each new state
 * @returns {Watch}
 */
export function watch(onJob) {
  const entry = {ids: /** @type {string[]} */ ([]), onJob};
  watches.add(entry);
  return {
    show(ids) {
      entry.ids = ids;
      tell();
    },
    close() {
      watches.delete(entry);
      tell();
    },
  };
}

/** Tells the jobs that this tab shows, when they have changed. */
function tell() {
  const jobs = [...new Set([...watches].flatMap((entry) => entry.ids))].slice(0, 50);
  const {Accept, ...user} = headers();
  const source = {path: `/api/v1/${may("admin:read") ? "admin/" : ""}events`, headers: user};
  const isVisible = !document.hidden;
  const text = JSON.stringify([source, jobs, isVisible]);
  if (text === last || !session.signed_in) return;
  last = text;
  (send ??= connect())({type: "show", source, jobs, isVisible});
}

/** @param {import("./hub.js").Answer} answer */
function receive(answer) {
  if (answer.type === "tabs") visible = answer.visible;
  else if (answer.type === "state") {
    answered(answer.state !== "broken", "stream");
  } else {
    const id = answer.type === "job" ? answer.job.id : answer.id;
    for (const entry of [...watches]) {
      if (!entry.ids.includes(id)) continue;
      if (answer.type === "gone" || hasEnded(answer.job)) entry.ids = entry.ids.filter((one) => one !== id);
      if (answer.type === "job") entry.onJob(answer.job);
    }
    tell();
  }
}

/** @returns {(request: Request) => void} */
function connect() {
  setInterval(() => send?.({type: "alive"}), 15_000);
  addEventListener("pagehide", () => {
    send?.({type: "bye"});
    last = "";
  });
  addEventListener("pageshow", tell);
  document.addEventListener("visibilitychange", tell);
  if (typeof SharedWorker !== "function") return alone();
  try {
    const address = new URL("./events-worker.js", import.meta.url).href;
    const policy = globalThis.trustedTypes?.createPolicy("dossier-worker", {createScriptURL: () => address});
    const worker = new SharedWorker(/** @type {any} */ (policy ? policy.createScriptURL("") : address), {type: "module"});
    worker.onerror = () => {
      send = alone();
      last = "";
      tell();
    };
    worker.port.onmessage = (message) => receive(message.data);
    return (request) => worker.port.postMessage(request);
  } catch (error) {
    console.error(error);
    return alone();
  }
}

/**
 * A stream of this tab alone, while it is visible.
 * @returns {(request: Request) => void}
 */
function alone() {
  const own = hub(surroundings);
  const tab = {postMessage: receive};
  return (request) => own.receive(tab, request.type === "show" && !request.isVisible ? {...request, jobs: []} : request);
}
