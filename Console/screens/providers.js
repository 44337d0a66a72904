// The providers of models: breakers, limits, calls and money.
import {h, fill} from "../dom.js";
import {get} from "../api.js";
import {repeat} from "../live.js";
import {count, dollars, duration, moment} from "../format.js";
import {badge, empty, failure, loading, table} from "../parts.js";

const breakers = {closed: ["Closed", "done", "tick"], half_open: ["Half open", "wait", "clock"], open: ["Open", "fail", "cross"]};

/** @param {Page} page */
export default function providers(page) {
  const content = h("div", {}, loading("the providers"));
  const reading = repeat((signal) => get("admin/providers", signal), show,
    (error) => fill(content, failure(error, () => reading.again())));

  /** @param {any[]} found */
  function show(found) {
    const used = found.filter((one) => one.configured || one.hour.ok + one.hour.failed > 0);
    const others = found.filter((one) => !used.includes(one)).map((one) => one.name);
    fill(content, used.length === 0 ? empty("No provider is reached", "No worker that lives has a provider's key.")
      : table("Providers", [{name: "Breaker"}, {name: "Provider", class: "main"}, {name: "Fill"},
        {name: "In flight", class: "number third"}, {name: "First byte", class: "number third"}, {name: "Hour", class: "number"},
        {name: "Today", class: "number"}], used.map(row)).element,
    others.length ? h("p", {class: "faint"}, `Not configured: ${others.join(", ")}.`) : null);
  }

  /** @param {any} one */
  function row(one) {
    const [word, tone, shape] = /** @type {any} */ (breakers)[one.breaker.state] ?? breakers.closed;
    return h("tr", {class: "tall"}, h("td", {}, badge(word, tone, shape),
      one.breaker.until ? h("span", {class: "second"}, `until ${moment(one.breaker.until)}`) : null),
    h("td", {class: "main wrap"}, h("strong", {}, one.name), h("span", {class: "second"},
      one.models.map((/** @type {any} */ model) => typeof model === "string" ? model : model.name).join(", ")),
    one.blocked_until ? h("span", {class: "second"}, `blocked until ${moment(one.blocked_until)}, ${
      duration(Math.max(0, Date.parse(one.blocked_until) - Date.now()))} to go`) : null),
    h("td", {}, one.budgets.map((/** @type {any} */ budget) => budget.fill === null || budget.fill === undefined
      ? h("span", {class: "second"}, `${budget.name}: no limits known`)
      : h("span", {class: "fill"}, h("span", {class: "second"}, `${budget.name}: ${Math.round(budget.fill * 100)} %`),
        h("span", {class: "meter", role: "meter", "aria-label": `Fill of ${budget.name}`, "aria-valuemin": 0, "aria-valuemax": 100,
          "aria-valuenow": Math.round(budget.fill * 100), vars: {"--share": `${budget.fill * 100}%`}}, h("span"))))),
    h("td", {class: "number third"}, count(one.in_flight), one.silent_seconds > 2
      ? h("span", {class: "second"}, `${one.silent_seconds} s silent`) : null),
    h("td", {class: "number third"}, one.hour.p50_ms === null || one.hour.p50_ms === undefined ? "–" : duration(one.hour.p50_ms),
      one.hour.p99_ms ? h("span", {class: "second"}, `${duration(one.hour.p99_ms)} at p99`) : null),
    h("td", {class: "number"}, count(one.hour.ok), one.hour.failed
      ? h("span", {class: "second"}, `${count(one.hour.failed)} failed`) : null),
    h("td", {class: "number"}, dollars(one.today_micro_dollars)));
  }
  return {title: "Providers", element: h("div", {}, h("h1", {}, "Providers"), content), close: () => reading.stop()};
}

