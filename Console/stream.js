// A stream of the states of jobs: reading server-sent events, and keeping a stream open until all of its jobs have ended.
// Nothing here touches the page, so that a worker can run it.

/**
 * What a stream needs of its surroundings.
 * @typedef {object} Surroundings
 * @property {typeof fetch} fetch
 * @property {() => number} random 0 to 1
 * @property {() => number} now milliseconds
 * @property {(milliseconds: number, work: () => void) => () => void} later does work later, and gives what calls it off
 */

/**
 * Where the jobs are read.
 * @typedef {{path: string, headers: Record<string, string>}} Source
 */

/** Those of a page or a worker; tests have their own.
 * @type {Surroundings} */
export const surroundings = {
  fetch: (address, options) => fetch(address, options),
  random: Math.random,
  now: Date.now,
  later(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** A stream without a byte for this time is broken. */
export const silence = 45_000;

/** The end of a stream that was open for this time is planned. */
const planned = 60_000;

/** @param {any} job */
export const hasEnded = (job) => job.status === "completed" || job.status === "failed" || job.status === "cancelled";

/**
 * Reads events from pieces of text, which may end anywhere.
 * @param {(event: {id: string, type: string, data: string}) => void} emit
 * @param {(milliseconds: number) => void} [pause] gets the pause that the service asks for
 * @returns {(piece: string) => void}
 */
export function parser(emit, pause) {
  let [rest, id, type, data] = ["", "", "", ""];
  return (piece) => {
    rest += piece;
    for (;;) {
      const end = rest.search(/\r\n|\n|\r(?!$)/);
      if (end < 0) return;
      const line = rest.slice(0, end);
      rest = rest.slice(end + (rest.startsWith("\r\n", end) ? 2 : 1));
      if (line === "") {
        if (data) emit({id, type: type || "message", data: data.slice(0, -1)});
        [type, data] = ["", ""];
        continue;
      }
      const colon = line.indexOf(":");
      if (colon === 0) continue;
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "id") id = value;
      else if (name === "event") type = value;
      else if (name === "data") data += `${value}\n`;
      else if (name === "retry" && /^\d+$/.test(value)) pause?.(Number(value));
    }
  };
}

/**
 * The pause in milliseconds before a stream is opened again: 100 ms, then 0.25 to 2 s.
 * @param {number} failures in a row, from 1
 * @param {number} random 0 to 1
 */
export function delay(failures, random) {
  if (failures <= 1) return 100;
  return Math.round(Math.min(2000, Math.max(250, 250 * 2 ** (failures - 2) * (0.75 + random / 2))));
}

/** An answer that is no stream. */
class Refused extends Error {
  /** @param {number} status @param {number} seconds after which to ask again */
  constructor(status, seconds) {
    super(`The stream is refused: ${status}`);
    this.status = status;
    this.seconds = seconds;
  }
}

/**
 * Follows jobs until all of them have ended or the signal aborts.
 * @param {Source} source
 * @param {string[]} ids
 * @param {Map<string, {tag: string, job: any}>} known the latest state of each job, which the service does not send again
 * @param {Surroundings} around
 * @param {AbortSignal} signal
 * @param {{job: (job: any) => void, state: (state: "open" | "broken" | "refused") => void, gone: (id: string) => void}} tell
 */
export async function follow(source, ids, known, around, signal, tell) {
  const open = new Set(ids);
  let failures = 0;
  while (open.size > 0 && !signal.aborted) {
    const begun = around.now();
    const last = [...open].flatMap((id) => known.has(id) ? [`${id}:${known.get(id)?.tag}`] : []).join(",");
    try {
      const retry = await read(`${source.path}?jobs=${[...open].join(",")}`, last ? {...source.headers, "Last-Event-ID": last}
        : source.headers, around, signal, () => {
        failures = 0;
        tell.state("open");
      }, (event) => {
        const job = JSON.parse(event.data);
        known.set(job.id, {tag: event.id.split(",").find((part) => part.startsWith(`${job.id}:`))?.slice(job.id.length + 1) ?? "", job});
        if (hasEnded(job)) open.delete(job.id);
        tell.job(job);
      });
      if (signal.aborted || open.size === 0) return;
      if (retry > 1000) {
        // None of its jobs is due soon: the service asks to come back later.
        await pause(retry, around, signal);
        continue;
      }
      if (around.now() - begun < planned) tell.state("broken");
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refused && error.status === 404) {
        await leaveOutMissing(source, open, around, signal, tell.gone);
        continue;
      }
      if (error instanceof Refused && error.status < 500) {
        tell.state("refused");
        if (error.status !== 429) return;
        await pause(error.seconds * 1000, around, signal);
        continue;
      }
      tell.state("broken");
    }
    failures += 1;
    await pause(delay(failures, around.random()), around, signal);
  }
}

/**
 * Finds the jobs that are there no more, for which the service refuses the whole stream.
 * @param {Source} source
 * @param {Set<string>} open
 * @param {Surroundings} around
 * @param {AbortSignal} signal
 * @param {(id: string) => void} gone
 */
async function leaveOutMissing(source, open, around, signal, gone) {
  for (const id of open.size === 1 ? [] : [...open]) {
    const answer = await around.fetch(`${source.path}?jobs=${id}`, {method: "HEAD", headers: source.headers, signal}).catch(() => null);
    if (answer?.status === 404) {
      open.delete(id);
      gone(id);
    }
  }
  if (open.size === 1) {
    for (const id of open) gone(id);
    open.clear();
  } else await pause(1000, around, signal);
}

/**
 * Reads one stream until it ends, breaks, or is silent for too long.
 * @param {string} address
 * @param {Record<string, string>} headers
 * @param {Surroundings} around
 * @param {AbortSignal} signal
 * @param {() => void} onSign called for each piece, comments included
 * @param {(event: {id: string, data: string}) => void} onEvent
 * @returns {Promise<number>} the last pause that the service asked for, in milliseconds
 */
async function read(address, headers, around, signal, onSign, onEvent) {
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal.addEventListener("abort", abort);
  let callOff = around.later(silence, abort);
  let retry = 0;
  try {
    const response = await around.fetch(address, {headers, cache: "no-store", signal: stop.signal});
    if (!response.ok || !response.body) throw new Refused(response.status, Number(response.headers.get("Retry-After")) || 15);
    const feed = parser(onEvent, (milliseconds) => { retry = milliseconds; });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const {done, value} = await reader.read();
      if (done) return retry;
      callOff();
      callOff = around.later(silence, abort);
      onSign();
      feed(decoder.decode(value, {stream: true}));
    }
  } finally {
    callOff();
    signal.removeEventListener("abort", abort);
    stop.abort();
  }
}

/**
 * @param {number} milliseconds
 * @param {Surroundings} around
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pause(milliseconds, around, signal) {
  return new Promise((resolve) => {
    const callOff = around.later(milliseconds, resolve);
    signal.addEventListener("abort", () => {
      callOff();
      resolve();
    }, {once: true});
  });
}
