// The filter of the list of jobs: what is chosen, as members of the address and of the API.
import {h, fill} from "../dom.js";
import {moment, states, words} from "../format.js";

const reasons = ["scheduled", "retry", "paused", "provider_budget", "provider_blocked", "breaker_open", "batch", "serial", "shared", "slot",
  "no_worker", "no_capable_worker", "queue", "worker_silent", "provider_silent"];

/** Filters that links of other screens set, by their names in the API. */
const linked = ["code", "worker", "bundle", "lane", "from", "to"];

/** @param {Page} page @param {boolean} isOperator */
export function filters(page, isOperator) {
  let query = page.query;
  const boxes = Object.entries(states).map(([name, state]) => h("label", {class: "chip"},
    h("input", {type: "checkbox", name: "status", value: name, onchange: change}), state.word));
  const kind = h("select", {id: "filter-kind", onchange: change}, h("option", {value: ""}, "All kinds"));
  const user = h("input", {id: "filter-user", type: "text", autocomplete: "off", placeholder: "all", onchange: change});
  const why = h("select", {id: "filter-why", onchange: change}, h("option", {value: ""}, "Any reason"),
    reasons.map((reason) => h("option", {value: reason}, words(reason))));
  const rest = h("div", {class: "row"});
  const ofOperators = [h("div", {class: "field"}, h("label", {for: "filter-user"}, "User"), user),
    h("div", {class: "field"}, h("label", {for: "filter-why"}, "Waits for"), why)];
  const more = h("div", {class: "filter-fields"}, h("div", {class: "field"}, h("label", {for: "filter-kind"}, "Kind"), kind),
    isOperator ? ofOperators : null);
  const element = h("form", {role: "search", "aria-label": "Filter jobs", class: "filter",
    onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); change(); }},
  h("fieldset", {}, h("legend", {}, "Status"), boxes), more, rest);

  function change() {
    const next = new URLSearchParams(query);
    const chosen = boxes.map((box) => box.querySelector("input")).filter((input) => input?.checked).map((input) => input?.value ?? "");
    for (const [name, value] of [["status", chosen.join(",")], ["kind", kind.value], ["user", user.value.trim()], ["why", why.value]]) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    next.delete("cursor");
    next.delete("to");
    page.go(`/console/jobs${next.size ? `?${next}` : ""}`);
  }

  return {
    element,

    /** @param {URLSearchParams} next @param {boolean} isAll */
    show(next, isAll) {
      query = next;
      const chosen = (query.get("status") ?? "").split(",");
      for (const box of boxes) {
        const input = box.querySelector("input");
        if (input) input.checked = chosen.includes(input.value);
      }
      kind.value = query.get("kind") ?? "";
      user.value = query.get("user") ?? "";
      why.value = query.get("why") ?? "";
      for (const field of ofOperators) field.hidden = !isAll;
      const set = linked.filter((name) => query.has(name) && isAll);
      fill(rest, set.map((name) => {
        const without = new URLSearchParams(query);
        without.delete(name);
        const value = query.get(name) ?? "";
        return h("a", {class: "tag", key: name, href: `/console/jobs${without.size ? `?${without}` : ""}`,
          "aria-label": `Remove the filter ${words(name)} ${value}`},
        `${words(name)}: ${/^\d{4}-/.test(value) ? moment(value) : value.length > 20 ? `${value.slice(0, 12)}…` : value} ×`);
      }));
      rest.hidden = set.length === 0;
    },

    /** @param {Record<string, string>} titles @param {URLSearchParams} now */
    setKinds(titles, now) {
      if (kind.options.length > 1) return;
      for (const [name, title] of Object.entries(titles)) kind.append(h("option", {value: name}, title));
      kind.value = now.get("kind") ?? "";
    },

    /** The members for the API, but the status.
     * @param {URLSearchParams} now @param {boolean} isAll */
    parameters(now, isAll) {
      const found = new URLSearchParams();
      const names = {kind: "kind", cursor: "cursor", ...(isAll ? {user: "user", code: "code", why: "why", worker: "worker", bundle: "bundle",
        lane: "lane", from: "created_from", to: "created_to"} : {})};
      for (const [name, member] of Object.entries(names)) {
        const value = now.get(name);
        if (value) found.set(member, value);
      }
      return found;
    },

    /** @param {URLSearchParams} now */
    isFiltering: (now) => ["status", "kind", "user", "why", "cursor", ...linked].some((name) => now.has(name)),
  };
}
