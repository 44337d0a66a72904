/** The stream of server-sent events of jobs. */
import { headers, report } from "./api.js";

/** Reads events from pieces of text, which may end anywhere.
 * @param {(event: {id: string, type: string, data: string}) => void} emit
 * @returns {(piece: string) => void} */
export function parser(emit) {
  let rest = "";
  let [id, type, data] = ["", "", ""];
  return (piece) => {
    rest += piece;
    for (;;) {
      const end = rest.search(/\r\n|\n|\r(?=[^\n])/);
      if (end < 0) return;
      const line = rest.slice(0, end);
      rest = rest.slice(end + (rest.startsWith("\r\n", end) ? 2 : 1));
      if (line === "") {
        if (data) emit({ id, type: type || "message", data: data.slice(0, -1) });
        [type, data] = ["", ""];
        continue;
      }
      const colon = line.indexOf(":");
      if (colon === 0) continue;
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "id") id = value;
      if (name === "event") type = value;
      if (name === "data") data += value + "\n";
    }
  };
}

const silence = 45_000;
const hasEnded = (/** @type {any} */ job) => ["completed", "failed", "cancelled"].includes(job.status);

/** Follows jobs until all have ended or the signal aborts. A stream that ends earlier is opened again.
 * @param {string[]} ids @param {(job: any) => void} onJob @param {AbortSignal} signal */
export async function follow(ids, onJob, signal) {
  const open = new Set(ids);
  let last = "";
  let failures = 0;
  while (open.size && !signal.aborted) {
    const began = Date.now();
    try {
      await stream([...open], last, signal, () => { failures = 0; report(false); }, (event) => {
        last = event.id || last;
        const job = JSON.parse(event.data);
        if (hasEnded(job)) open.delete(job.id);
        onJob(job);
      });
      if (!open.size) return;
      if (Date.now() - began < 60_000) report(true);
    } catch {
      if (signal.aborted) return;
      report(true);
    }
    failures += 1;
    await pause(failures === 1 ? 100 : Math.min(2000, 250 * 2 ** (failures - 2)) * (0.5 + Math.random() / 2), signal);
  }
}

/** @param {string[]} ids @param {string} last @param {AbortSignal} signal
 * @param {() => void} onSign @param {(event: {id: string, type: string, data: string}) => void} onEvent */
async function stream(ids, last, signal, onSign, onEvent) {
  const watch = new AbortController();
  const abort = () => watch.abort();
  signal.addEventListener("abort", abort);
  let timer = setTimeout(abort, silence);
  try {
    const response = await fetch(`/api/v1/events?jobs=${ids.join(",")}`, {
      headers: headers(last ? { "Last-Event-ID": last } : {}), cache: "no-store", signal: watch.signal,
    });
    if (!response.ok || !response.body) throw new Error(`The stream was refused: ${response.status}`);
    const feed = parser(onEvent);
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(abort, silence);
      onSign();
      feed(decoder.decode(value, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** @param {number} ms @param {AbortSignal} signal */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => { clearTimeout(timer); resolve(undefined); }, { once: true });
  });
}
