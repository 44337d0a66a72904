// The result of a job of any kind: its members in words.
import {h, fill, outside} from "../dom.js";
import {get} from "../api.js";
import {setTitle} from "../main.js";
import {words} from "../format.js";
import {card, failure, loading, table} from "../parts.js";
import {kindTitles} from "./jobs.js";

/** @param {Page} page */
export default function result(page) {
  const element = h("div", {}, loading("the result"));
  const controller = new AbortController();
  Promise.all([get(`jobs/${encodeURIComponent(page.id)}/result`, controller.signal), kindTitles()]).then(([value, titles]) => {
    const title = value.group_title ?? value.title ?? value.content?.title ?? titles[value.kind] ?? "Result";
    setTitle(title);
    const {kind, ...members} = value;
    fill(element, h("div", {class: "head"}, h("h1", {}, h("bdi", {}, title)), h("span", {class: "space"}),
      h("a", {class: "button", href: `/console/jobs/${page.id}`}, "Show the job")),
    h("p", {class: "faint"}, titles[kind] ?? words(kind)), Object.entries(members)
      .filter(([, member]) => member !== null && !(Array.isArray(member) && member.length === 0))
      .map(([name, member]) => card(words(name), {}, shown(name, member))));
  }, (error) => {
    if (!controller.signal.aborted) fill(element, h("h1", {}, "Result"), failure(error));
  });
  return {title: "Result", element, close: () => controller.abort()};
}

/**
 * @param {string} name
 * @param {any} value
 * @returns {any}
 */
function shown(name, value) {
  if (value === null || value === undefined) return h("span", {class: "faint"}, "–");
  if (typeof value === "string" && /url$/.test(name)) return outside(value, "Open");
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value !== "object") return h("p", {class: "text"}, String(value));
  if (Array.isArray(value)) {
    const isTable = value.length > 0 && value.every((one) => one && typeof one === "object" && !Array.isArray(one)
      && Object.values(one).every((member) => member === null || typeof member !== "object"));
    if (!isTable) return h("ul", {}, value.map((one) => h("li", {}, shown("", one))));
    const columns = [...new Set(value.flatMap((one) => Object.keys(one)))].slice(0, 6);
    return table(words(name), columns.map((column) => ({name: words(column)})), value.map((one) => h("tr", {class: "tall"},
      columns.map((column) => h("td", {class: "wrap"}, shown(column, one[column])))))).element;
  }
  return h("dl", {class: "terms"}, Object.entries(value).map(([member, one]) =>
    [h("dt", {}, words(member)), h("dd", {}, shown(member, one))]));
}
