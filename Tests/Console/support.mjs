// A clock that tests move, and a service whose streams tests write, for the modules of the console in Node.
import {readFileSync} from "node:fs";

const folder = process.env.MODULES;

/** The names that a module exports, in their order. */
const exported = (path) => [...readFileSync(path, "utf8").matchAll(/\bexport (?:async )?(?:function|class|const|let) (\w+)/g)].map(([, name]) => name);

/**
 * What a module exports, by the names of its source. It is read from a copy of Console/ that Node takes as modules; one as it
 * is served has shorter names in the same order.
 */
export async function load(name) {
  const module = await import(`${folder}/${name}.js`);
  const served = exported(`${folder}/${name}.js`);
  return Object.fromEntries(exported(`Console/${name}.js`).map((name, index) => [name, module[served[index]]]));
}

/** Lets all promises go on that can. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

export function surroundings(missing = []) {
  const timers = new Set();
  const streams = [];
  let now = 0;
  let answer = null;
  const around = {
    random: () => 0.5,
    now: () => now,
    later(milliseconds, work) {
      const timer = {at: now + milliseconds, work};
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async fetch(address, options) {
      const jobs = new URL(address, "http://localhost").searchParams.get("jobs").split(",");
      const isMissing = jobs.some((job) => missing.includes(job));
      if (options.method === "HEAD") return new Response(null, {status: isMissing ? 404 : 200});
      const status = answer ?? (isMissing ? 404 : 200);
      const stream = {address, jobs, headers: options.headers, isStopped: false};
      streams.push(stream);
      if (status === "unreachable") throw new TypeError("fetch failed");
      if (status !== 200) return new Response(null, {status, headers: {"Retry-After": "7"}});
      const encoder = new TextEncoder();
      const body = new ReadableStream({
        start(controller) {
          stream.write = (text) => controller.enqueue(encoder.encode(text));
          stream.end = () => controller.close();
          options.signal.addEventListener("abort", () => {
            stream.isStopped = true;
            try {
              controller.error(new DOMException("stopped", "AbortError"));
            } catch {
              // It has ended already.
            }
          });
        },
      });
      stream.write("retry: 1000\n\n");
      return new Response(body, {status: 200});
    },
  };
  return {
    around, streams,
    /** What the service answers from now on: a status, "unreachable", or `null` for streams. */
    answers(status) {
      answer = status;
    },
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        await settle();
        const due = [...timers].filter((timer) => timer.at <= end).sort((one, other) => one.at - other.at)[0];
        if (!due) break;
        timers.delete(due);
        now = Math.max(now, due.at);
        due.work();
      }
      now = end;
      await settle();
    },
  };
}

let revision = 0;

/** An event as the service sends it. */
export function event(job, others = "") {
  revision += 1;
  return `id: ${others}${job.id}:${revision}\nevent: progress\ndata: ${JSON.stringify(job)}\n\n`;
}
