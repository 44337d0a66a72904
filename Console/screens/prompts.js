// What models are asked: the bundles of prompts with their differences, and the cases that test them.
import {h} from "../dom.js";
import {get, may, post, send} from "../api.js";
import {listing, opened, watched} from "../live.js";
import {count, dollars, words} from "../format.js";
import {ago, announce, badge, card, empty, grid, link, note, second, worker} from "../parts.js";

/** @param {Page} page */
export function prompts(page) {
  let newer = "";
  const list = listing("Bundles", [
    ["State", "", (bundle) => bundle.current ? badge("Active", "done", "tick") : badge("Earlier", "off", "dash")],
    ["Bundle", "main", (bundle) => link(`/console/prompts/${bundle.hash}`, h("code", {}, bundle.hash.slice(0, 16)), {class: "name"})],
    ["Compare", "third whole", (bundle) => {
      const later = newer;
      newer = bundle.hash;
      return later ? link(`/console/prompts/${later}?with=${bundle.hash}`, "with the next one") : "";
    }],
    ["Unfinished jobs", "number third", (bundle) => bundle.jobs
      ? link(`/console/jobs?bundle=${bundle.hash}&status=pending,processing`, count(bundle.jobs)) : "0"],
    ["Since", "number", (bundle) => ago(bundle.adopted_at)],
  ], () => "admin/bundles", () => empty("No bundle yet", "The first one is stored with the first job."));
  // Rows are made from the newest one on.
  list.show(page.query);
  return {title: "Prompts", element: h("div", {}, h("h1", {}, "Prompts"),
    h("p", {class: "faint"}, "A bundle is all prompts, personas and kinds of jobs at a time. A job keeps the one that it was submitted with."), list.element),
  update: list.show, close: list.stop};
}

const changes = /** @type {Record<string, string>} */ ({added: "Added", removed: "Removed", changed: "Changed"});

/** @param {Page} page */
export function bundle(page) {
  const path = `admin/bundles/${encodeURIComponent(page.id)}`;
  const place = `/console/prompts/${page.id}`;
  const compare = h("select", {id: "with", onchange: () => page.go(compare.value ? `${place}?with=${compare.value}` : place)},
    h("option", {value: ""}, "Nothing"));
  const content = h("div", {class: "stack"});
  const {show, close} = opened(content, "the files", async (query, signal) => {
    if (compare.options.length === 1) {
      for (const one of await get("admin/bundles?per_page=50", signal)) {
        if (one.hash !== page.id) compare.append(h("option", {value: one.hash}, `${one.hash.slice(0, 12)}, ${one.adopted_at.slice(0, 16).replace("T", " ")}`));
      }
    }
    const other = query.get("with") ?? "";
    const file = query.get("file");
    compare.value = other;
    if (other) return differences(await get(`${path}/diff?with=${encodeURIComponent(other)}`, signal));
    if (file) {
      return card(file, {actions: [link(place, "All files", {class: "button"})]}, h("pre", {class: "whole-text", tabindex: "0", role: "group",
        "aria-label": `Text of ${file}`}, await send("GET", `/api/v1/${path}/files/${encodeURIComponent(file)}`, {signal})));
    }
    return grid("Files", [["File", "main", (one) => link(`${place}?file=${encodeURIComponent(one.path)}`, one.path, {class: "name"})],
      ["Bytes", "number", (one) => count(one.bytes)]], (await get(path, signal)).files, "dense");
  });
  show(page.query);
  return {title: "Prompts", element: h("div", {}, h("p", {class: "crumbs"}, link("/console/prompts", "Prompts")),
    h("div", {class: "head"}, h("h1", {}, h("code", {}, page.id.slice(0, 16))), h("span", {class: "space"}), h("label", {for: "with"}, "Compare with"), compare),
    content), update: show, close};
}

/** @param {any[]} files */
function differences(files) {
  return card("Difference", {class: "bare"}, files.length === 0 ? empty("The same files", "Nothing differs between the two bundles.")
    : [h("p", {class: "faint"}, "Words taken out are struck through, words put in are underlined."),
      files.map((file) => h("details", {open: files.length <= 8, class: "change"},
        h("summary", {key: file.path}, h("strong", {}, file.path), " ", h("span", {class: "tag"}, changes[file.change] ?? file.change)),
        file.diff ? difference(file.diff) : h("p", {class: "faint"}, "It is too long to be compared.")))]);
}

/**
 * The words of two lines: those of both ends stay, what is between them was taken out or put in.
 * @param {string} old
 * @param {string} now
 * @returns {{before: string, out: string, put: string, after: string}}
 */
export function changed(old, now) {
  const [was, is] = [old.split(/(?<=\s)/), now.split(/(?<=\s)/)];
  let start = 0;
  while (start < Math.min(was.length, is.length) && was[start] === is[start]) start += 1;
  let end = 0;
  while (end < Math.min(was.length, is.length) - start && was[was.length - 1 - end] === is[is.length - 1 - end]) end += 1;
  return {before: was.slice(0, start).join(""), out: was.slice(start, was.length - end).join(""),
    put: is.slice(start, is.length - end).join(""), after: end ? was.slice(-end).join("") : ""};
}

/**
 * The parts of a unified difference: lines that stay, heads, and lines that were taken out with those put in for them.
 * @param {string} unified
 * @returns {({kind: "same" | "head", text: string} | {kind: "change", out: string[], put: string[]})[]}
 */
export function parts(unified) {
  /** @type {any[]} */
  const found = [];
  for (const line of unified.replace(/\n$/, "").split("\n")) {
    const [sign, text] = [line[0], line.slice(1)];
    if (found.length === 0 && /^(---|\+\+\+) /.test(line)) continue;
    if (line.startsWith("@@")) found.push({kind: "head", text: line});
    else if (sign === "-" || sign === "+") {
      let last = found[found.length - 1];
      if (last?.kind !== "change" || (sign === "-" && last.put.length)) {
        last = {kind: "change", out: [], put: []};
        found.push(last);
      }
      (sign === "-" ? last.out : last.put).push(text);
    } else found.push({kind: "same", text});
  }
  return found;
}

/** @param {string} unified */
export function difference(unified) {
  return h("div", {class: "difference", tabindex: "0", role: "group", "aria-label": "Difference"}, parts(unified).map((part) => {
    if (part.kind !== "change") return h("p", {class: part.kind}, part.text || " ");
    const lines = [];
    for (let place = 0; place < Math.max(part.out.length, part.put.length); place += 1) {
      const [old, now] = [part.out[place], part.put[place]];
      if (old === undefined) lines.push(h("p", {}, h("ins", {}, now || " ")));
      else if (now === undefined) lines.push(h("p", {}, h("del", {}, old || " ")));
      else {
        const {before, out, put, after} = changed(old, now);
        lines.push(h("p", {}, before, out ? h("del", {}, out) : null, put ? h("ins", {}, put) : null, after));
      }
    }
    return lines;
  }));
}

// The suite

const outcomes = /** @type {Record<string, [string, string, string]>} */ ({passed: ["Passed", "done", "tick"], failed: ["Failed", "fail", "cross"],
  stale: ["Stale", "wait", "clock"], missing: ["Missing", "off", "dash"]});

/** @param {any} one */
const outcome = (one) => badge(...outcomes[one.outcome] ?? outcomes.missing);

export const suite = () => watched("Prompt suite", (signal) => get("admin/suite", signal), (found, act) => {
  /** @type {any[]} */
  const cases = found.cases;
  const checks = cases.flatMap((one) => one.failing).reduce((all, name) => all.set(name, (all.get(name) ?? 0) + 1), new Map());
  return [h("div", {class: "row"}, h("p", {}, Object.keys(outcomes).map((name) => [cases.filter((one) => one.outcome === name).length, name])
    .filter(([amount]) => amount).map((one) => one.join(" ")).join(", "), " by the bundle ", link(`/console/prompts/${found.bundle}`, h("code", {}, found.bundle.slice(0, 12))), ", ", ago(found.at)), h("span", {class: "space"}),
  may("admin:write") ? worker("Run the suite", () => act(async () => {
    await post("admin/suite/run");
    announce("The suite has run");
  }), {key: "run", class: "first"}) : null),
  checks.size ? card("Failed checks", {class: "flush"}, grid("Failed checks", [["Check", "main", ([name]) => name], ["Cases", "number", ([, all]) => count(all)]], [...checks], "dense")) : null,
  grid("Cases", [["Outcome", "", outcome],
    ["Case", "main", (one) => [link(`/console/suite/${encodeURIComponent(one.prompt)}/${encodeURIComponent(one.name)}`, `${one.prompt}: ${one.name}`, {class: "name"}),
      second(one.failing.join(", ") || one.description)]],
    ["Recorded", "number third", (one) => [ago(one.recorded_at), second(one.simulated ? "simulated" : one.model ?? "")]],
    ["Live", "number second-hidden", (one) => one.live ? [`${one.live.passed} of ${one.live.asked}`, one.live.flaky ? second("flaky") : null] : "–"]],
  cases.sort((one, other) => Number(one.outcome === "passed") - Number(other.outcome === "passed"))),
  card("Live runs", {class: "flush"}, found.runs.length ? grid("Live runs", [["Run", "main", (one) => [h("strong", {}, one.name), second(one.simulated ? "simulated" : "")]],
    ["Passed", "number", (one) => `${count(one.passed)} of ${count(one.asked)}`], ["Cost", "number third", (one) => dollars(one.micro_dollars)],
    ["Ended", "number second-hidden", (one) => ago(one.finished_at)]], found.runs) : h("p", {class: "quiet-line"}, "None is kept here."))];
}, 15_000);

/** @param {Page} page */
export function one(page) {
  const [prompt, name] = page.id.split("/");
  const title = `${prompt}: ${name}`;
  const content = h("div", {class: "stack"});
  const {show, close} = opened(content, "the case", async (_, signal) => {
    const found = await get(`admin/suite/${encodeURIComponent(prompt)}/${encodeURIComponent(name)}`, signal);
    const pair = (/** @type {any} */ {actual, diff}) => diff ? difference(diff) : h("pre", {class: "whole-text", tabindex: "0", role: "group", "aria-label": "Text"}, actual ?? "There is none.");
    return [h("div", {class: "row"}, outcome(found), found.tags.map((/** @type {string} */ tag) => h("span", {class: "tag"}, tag))), h("p", {}, found.description),
      found.findings.map((/** @type {string} */ text) => note("Look:", text, "fail")),
      card("Request", {}, pair(found.request)), card("Answer", {}, found.model ? h("p", {class: "faint"}, `${found.model}, `, ago(found.recorded_at)) : null, pair(found.output)),
      card("Checks", {class: "flush"}, found.checks.length ? grid("Checks", [["Result", "", (one) => one.passed ? badge("Passed", "done", "tick") : badge("Failed", "fail", "cross")],
        ["Check", "main wrap", (one) => [h("strong", {}, one.name), second(one.reason ?? words(one.type))]]], found.checks, "dense") : h("p", {class: "quiet-line"}, "None was run."))];
  });
  show(page.query);
  return {title, element: h("div", {}, h("p", {class: "crumbs"}, link("/console/suite", "Prompt suite")), h("h1", {}, title), content), close};
}
