// What the model calls cost, by day, kind, model, user, job or prompt.
import {h, fill} from "../dom.js";
import {get} from "../api.js";
import {count, dollars, words} from "../format.js";
import {empty, failure, loading, table} from "../parts.js";

const groups = ["day", "kind", "model", "user", "prompt"];

/** @param {Page} page */
export default function costs(page) {
  let query = page.query;
  const content = h("div");
  const choice = h("select", {id: "by", onchange: () => page.go(`/console/costs?by=${choice.value}`)},
    groups.map((group) => h("option", {value: group}, words(group))));
  let controller = new AbortController();

  function read() {
    controller.abort();
    controller = new AbortController();
    const by = groups.includes(query.get("by") ?? "") ? query.get("by") ?? "day" : "day";
    choice.value = by;
    fill(content, loading("the costs"));
    get(`admin/costs?by=${by}`, controller.signal).then((lines) => show(lines, by), (error) => {
      if (!controller.signal.aborted) fill(content, failure(error, read));
    });
  }

  /** @param {any[]} lines @param {string} by */
  function show(lines, by) {
    if (lines.length === 0) {
      fill(content, empty("No model was called", "Nothing has been spent in the last thirty days."));
      return;
    }
    const most = Math.max(...lines.map((line) => line.cost_micro_dollars), 1);
    fill(content, table(`Costs by ${by}`, [{name: words(by), class: "main"}, {name: "Cost", class: "number"},
      {name: "Failed, cancelled", class: "number third"}, {name: "Calls", class: "number"}, {name: "In", class: "number fourth"},
      {name: "Out", class: "number fourth"}], lines.map((line) => {
      const lost = line.of_failed + line.of_cancelled;
      return h("tr", {}, h("th", {scope: "row", class: "main"}, h("bdi", {}, line.group || "–"),
        h("span", {class: "costs", "aria-hidden": "true", vars: {"--share": `${line.cost_micro_dollars / most * 100}%`,
          "--lost": `${line.cost_micro_dollars ? lost / line.cost_micro_dollars * 100 : 0}%`}}, h("i"))),
      h("td", {class: "number"}, dollars(line.cost_micro_dollars)), h("td", {class: "number third"}, dollars(lost)),
      h("td", {class: "number"}, count(line.calls)), h("td", {class: "number fourth"}, count(line.input_tokens)),
      h("td", {class: "number fourth"}, count(line.output_tokens)));
    })).element);
  }

  read();
  return {
    title: "Costs",
    element: h("div", {}, h("div", {class: "head"}, h("h1", {}, "Costs"), h("span", {class: "space"}),
      h("label", {for: "by"}, "By"), choice), h("p", {class: "faint"}, "Model calls of the last thirty days, failed and cancelled ones included."),
    content),
    update(/** @type {URLSearchParams} */ next) {
      query = next;
      read();
    },
    close: () => controller.abort(),
  };
}
