// What needs an operator, then the queues, the ended jobs and the money.
import {h, fill} from "../dom.js";
import {get} from "../api.js";
import {repeat} from "../live.js";
import {count, dollars, duration, moment, words} from "../format.js";
import {card, failure, loading, note, progress, table, tiles} from "../parts.js";

/** @param {Page} page */
export default function overview(page) {
  const content = h("div", {}, loading("the overview"));
  const reading = repeat((signal) => get("admin/overview", signal), show,
    (error) => fill(content, failure(error, () => reading.again())));

  /** @param {any} found */
  function show(found) {
    const {queues, workers, ended, spend} = found;
    const lanes = Object.entries(queues);
    const sum = (/** @type {string} */ name) => lanes.reduce((total, [, lane]) => total + (lane[name] ?? 0), 0);
    const oldest = Math.max(0, ...lanes.map(([, lane]) => lane.oldest_ready_seconds ?? 0));
    const codes = Object.entries(ended.day.by_code).sort((one, other) => Number(other[1]) - Number(one[1]));
    fill(content,
      card("Alerts", {}, found.alerts.length
        ? found.alerts.map((/** @type {any} */ alert) => note(words(alert.code), alert.sentence, "fail",
          alert.since ? `since ${moment(alert.since)}` : null))
        : h("p", {}, "Nothing needs you.")),
      tiles([["Ready", count(sum("ready"))], ["Oldest ready", oldest ? duration(oldest * 1000) : "–", oldest > 60 ? "fail" : ""],
        ["Running", count(sum("running"))], ["Failed in the hour", count(ended.hour.failed), ended.hour.failed ? "fail" : ""],
        ["Workers", `${workers.alive - workers.draining} of ${workers.alive}`, workers.alive ? "" : "fail"],
        ["Places taken", `${workers.busy} of ${workers.places}`], ["Held credits", count(found.held_credits)]]),
      h("div", {class: "pair"},
        card("Queues", {}, table("Queues", [{name: "Lane", class: "main"}, {name: "Ready", class: "number"},
          {name: "Later", class: "number"}, {name: "Waiting", class: "number third"}, {name: "Blocked", class: "number third"},
          {name: "Running", class: "number"}], lanes.map(([name, lane]) => h("tr", {}, h("th", {scope: "row", class: "main"}, words(name)),
          ["ready", "scheduled"].map((member) => h("td", {class: "number"}, count(lane[member]))),
          ["waiting", "blocked"].map((member) => h("td", {class: "number third"}, count(lane[member]))),
          h("td", {class: "number"}, count(lane.running))))).element),
        card("Ended", {}, h("p", {}, `In the last hour ${count(ended.hour.completed)} completed, ${count(ended.hour.failed)} failed and ${
          count(ended.hour.cancelled)} were cancelled; in the last day ${count(ended.day.completed)}, ${count(ended.day.failed)} and ${
          count(ended.day.cancelled)}.`),
        codes.length ? table("Failures by code", [{name: "Code", class: "main"}, {name: "Jobs of the day", class: "number"}],
          codes.map(([code, amount]) => h("tr", {}, h("td", {class: "main"}, h("a", {key: code,
            href: `/console/jobs?status=failed&code=${encodeURIComponent(code)}`}, code)),
          h("td", {class: "number"}, count(Number(amount)))))).element : h("p", {class: "faint"}, "No job failed.")),
        card("Spend today", {}, h("p", {}, spend.cap_micro_dollars
          ? `${dollars(spend.today_micro_dollars)} of ${dollars(spend.cap_micro_dollars)}` : dollars(spend.today_micro_dollars)),
        spend.cap_micro_dollars ? progress("Spend of the day", spend.today_micro_dollars / spend.cap_micro_dollars, "run") : null,
        h("p", {}, h("a", {key: "costs", href: "/console/costs"}, "Show the costs")))));
  }
  return {title: "Overview", element: h("div", {}, h("h1", {}, "Overview"), content), close: () => reading.stop()};
}
