// The workers, their places and their signs of life.
import {h, fill} from "../dom.js";
import {get, post, may} from "../api.js";
import {repeat} from "../live.js";
import {count, duration, moment} from "../format.js";
import {announce, badge, empty, failure, loading, table, worker} from "../parts.js";

/** @param {Page} page */
export default function fleet(page) {
  const content = h("div", {}, loading("the workers"));
  const reading = repeat((signal) => get("admin/workers?per_page=200", signal), show,
    (error) => fill(content, failure(error, () => reading.again())));

  /** @param {any[]} workers */
  function show(workers) {
    if (workers.length === 0) {
      fill(content, empty("No worker has registered", "Jobs wait until one runs.", h("code", {}, "dossier worker")));
      return;
    }
    fill(content, table("Workers", [{name: "State"}, {name: "Worker", class: "main"}, {name: "Last sign of life", class: "number third"},
      {name: "Places", class: "number"}, {name: "Jobs", class: "number third"}, {name: "Act"}], workers.map(row)).element);
  }

  /** @param {any} one */
  function row(one) {
    const silent = Date.now() - Date.parse(one.last_beat_at);
    const [word, tone, shape] = !one.alive ? ["Gone", "off", "dash"] : one.draining ? ["Draining", "wait", "clock"]
      : silent > 12_000 ? ["Silent", "fail", "cross"] : ["Alive", "done", "tick"];
    const places = Array.from({length: Math.min(one.places, 40)}, (_, index) => h("i", {class: index < one.busy ? "busy" : ""}));
    const path = `admin/workers/${encodeURIComponent(one.id)}`;
    return h("tr", {}, h("td", {}, badge(word, tone, shape)),
      h("td", {class: "main"}, h("strong", {}, h("bdi", {}, one.host)), h("span", {class: "second"},
        `process ${one.process_id} since ${moment(one.started_at)} · ${one.kinds.length} kinds · ${
          one.providers.join(", ") || "no providers"}`)),
      h("td", {class: `number third ${one.alive && silent > 6000 ? "wait-text" : ""}`}, one.alive ? `${duration(silent)} ago` : moment(one.last_beat_at)),
      h("td", {class: "number"}, `${one.busy} of ${one.places}`, h("span", {class: "places", "aria-hidden": "true"}, places)),
      h("td", {class: "number third"}, one.jobs.length
        ? h("a", {key: `jobs-${one.id}`, href: `/console/jobs?worker=${encodeURIComponent(one.id)}`}, count(one.jobs.length)) : "0"),
      h("td", {}, one.alive && may("admin:write") ? worker(one.draining ? "Resume" : "Drain", async () => {
        try {
          await post(`${path}/${one.draining ? "resume" : "drain"}`);
          announce(one.draining ? `${one.host} claims again` : `${one.host} claims nothing more`);
        } catch (error) {
          content.prepend(failure(error));
        }
        reading.again();
      }, {key: `drain-${one.id}`, "aria-label": `${one.draining ? "Resume" : "Drain"} ${one.host}`}) : null));
  }
  return {title: "Fleet", element: h("div", {}, h("h1", {}, "Fleet"), content), close: () => reading.stop()};
}
