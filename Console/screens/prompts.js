// What models are asked: the bundles of prompts with their differences, and the cases that test them.
import {h, fill} from "../dom.js";
import {get, may, post, send} from "../api.js";
import {grouped, listing, opened, repeat, watched} from "../live.js";
import {count, dollars, moment, words} from "../format.js";
import {ago, announce, badge, card, empty, grid, link, named, note, second, worker} from "../parts.js";

/** @param {Page} page */
export function prompts(page) {
  let newer = "";
  const refused = h("div");
  const reading = repeat(async (signal) => (await get("admin/overview", signal)).refused_reload, (one) => fill(refused, one && note("The latest reload was refused.",
    ["The bundle below holds. ", ago(one.at), one.problems.map((/** @type {string} */ text) => h("code.second", text))], "fail")), () => {}, 5000);
  const list = listing("Bundles", [
    ["State", "", (bundle) => bundle.current ? badge("Active", "done") : badge("Earlier", "off")],
    ["Bundle", "main", (bundle) => link(`/console/prompts/${bundle.hash}`, h("code", bundle.hash.slice(0, 16)), {class: "name"})],
    ["Compare", "third whole", (bundle) => {
      const later = newer;
      newer = bundle.hash;
      return later ? link(`/console/prompts/${later}?with=${bundle.hash}`, "with the next one") : "";
    }],
    ["Unfinished jobs", "number third", (bundle) => bundle.jobs
      ? link(`/console/jobs?bundle=${bundle.hash}&status=pending,processing`, count(bundle.jobs)) : "0"],
    ["Since", "number", (bundle) => ago(bundle.adopted_at)],
  ], () => "admin/bundles", () => empty("No bundle yet", "The first comes with the first job."));
  // Rows are made from the newest one on.
  list.show(page.query);
  return {element: h("div", h("h1", "Prompts"),
    h("p.faint", "All prompts, personas and kinds of jobs at a time. A job keeps its own."), refused, list.element),
  update: list.show, close() {
    list.stop();
    reading.stop();
  }};
}

/** @param {Page} page */
export function bundle(page) {
  const path = `admin/bundles/${encodeURIComponent(page.id)}`;
  const place = `/console/prompts/${page.id}`;
  const compare = h("select", {id: "with", onchange: () => page.go(compare.value ? `${place}?with=${compare.value}` : place)},
    h("option", {value: ""}, "Nothing"));
  const content = h("div.stack");
  const {show, close} = opened(content, "the files", async (query, signal) => {
    if (compare.options.length === 1) {
      for (const one of await get("admin/bundles?per_page=50", signal)) {
        if (one.hash !== page.id) compare.append(h("option", {value: one.hash}, `${one.hash.slice(0, 12)}, ${moment(one.adopted_at)}`));
      }
    }
    const other = query.get("with") ?? "";
    const file = query.get("file");
    compare.value = other;
    if (other) return differences(await get(`${path}/diff?with=${encodeURIComponent(other)}`, signal));
    if (file) {
      return card(file, {actions: [link(place, "All files", {class: "button"})]}, h("pre.whole-text", {tabindex: "0", role: "group",
        "aria-label": `Text of ${file}`}, await send("GET", `/api/v1/${path}/files/${encodeURIComponent(file)}`, {signal})));
    }
    return grid("Files", [["File", "main", (one) => link(`${place}?file=${encodeURIComponent(one.path)}`, one.path, {class: "name"})],
      ["Bytes", "number", (one) => count(one.bytes)]], (await get(path, signal)).files, "dense");
  });
  show(page.query);
  return {element: h("div", h("p.crumbs", link("/console/prompts", "Prompts")),
    h("div.head", h("h1", h("code", page.id.slice(0, 16))), h("span.space"), h("label", {for: "with"}, "Compare with"), compare),
    content), update: show, close};
}

/** @param {any[]} files */
function differences(files) {
  return card("Difference", {class: "bare"}, files.length === 0 ? empty("The same files", "Nothing differs between the two bundles.")
    : files.map((file) => h("details", {open: files.length <= 8, class: "change"},
      h("summary", {key: file.path}, h("strong", file.path), " ", h("span.tag", words(file.change))),
      file.diff ? difference(file.diff) : h("p.faint", "It is too long to be compared."))));
}

/**
 * The words of two texts in order: those that both have, by a longest common subsequence, and those that one of them has.
 * @param {string} old
 * @param {string} now
 * @returns {["" | "del" | "ins", string][]}
 */
export function changed(old, now) {
  const [was, is] = [old, now].map((text) => text.match(/\s+|\S+/g) ?? []);
  /** @type {["" | "del" | "ins", string][]} */
  const found = [];
  const add = (/** @type {"" | "del" | "ins"} */ kind, /** @type {string} */ word) => {
    const last = found[found.length - 1];
    if (last?.[0] === kind) last[1] += word;
    else found.push([kind, word]);
  };
  // The length of the longest one from each pair of places on. A long text is taken out and put in as a whole.
  const width = is.length + 1;
  const isLong = was.length * is.length > 1e6;
  const longest = new Uint16Array(isLong ? 0 : (was.length + 1) * width);
  for (let row = was.length - 1; row >= 0 && !isLong; row -= 1) {
    for (let place = is.length - 1; place >= 0; place -= 1) {
      const at = row * width + place;
      longest[at] = was[row] === is[place] ? longest[at + width + 1] + 1 : Math.max(longest[at + width], longest[at + 1]);
    }
  }
  let [row, place] = [0, 0];
  while (row < was.length || place < is.length) {
    const at = row * width + place;
    if (was[row] === is[place]) {
      add("", was[row]);
      row += 1;
      place += 1;
    } else if (row < was.length && (place === is.length || isLong || longest[at + width] >= longest[at + 1])) add("del", was[row++]);
    else add("ins", is[place++]);
  }
  return found;
}

/** @param {["" | "del" | "ins", string]} part */
const word = ([kind, text]) => kind ? h(kind, {}, text) : text;

/** Two texts as one, by their words.
 * @param {string} old @param {string} now */
export const compared = (old, now) => changed(old, now).map(word);

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

/** The old text beside the new one, by their words.
 * @param {string} unified */
export function difference(unified) {
  return h("div.difference", {tabindex: "0", role: "group", "aria-label": "Difference"}, parts(unified).map((part) => {
    if (part.kind !== "change") return h("p", {class: part.kind}, part.text || " ");
    const both = changed(part.out.join("\n"), part.put.join("\n"));
    return h("div.sides", ["ins", "del"].map((other) => h("p", both.filter(([kind]) => kind !== other).map(word))));
  }));
}

// The suite

/** @param {any} one */
const outcome = (one) => named(one.outcome);

export function suite() {
  const list = grouped("Filter cases", (one) => one.prompt, (one) => `${one.prompt} ${one.name} ${one.outcome} ${one.tags}`, (prompt, cases) =>
    grid(`Cases of ${prompt}`, [["Outcome", "", outcome],
      ["Case", "main", (one) => [link(`/console/suite/${encodeURIComponent(prompt)}/${encodeURIComponent(one.name)}`, one.name, {class: "name"}),
        second(one.failing.join(", ") || one.description)]],
      ["Recorded", "number third", (one) => [ago(one.recorded_at), second(one.simulated ? "simulated" : one.model ?? "")]],
      ["Live", "number extra", (one) => one.live ? [`${one.live.passed} of ${one.live.asked}`, one.live.flaky ? second("flaky") : null] : "–"]], cases));
  return watched("Prompt suite", (signal) => get("admin/suite", signal), (found, act) => {
    /** @type {any[]} */
    const cases = found.cases.map((/** @type {any} */ one) => ({...one, isOpen: one.outcome !== "passed"})).sort((/** @type {any} */ one, /** @type {any} */ other) => other.isOpen - one.isOpen);
    list.show(cases);
    const checks = cases.flatMap((one) => one.failing).reduce((all, name) => all.set(name, (all.get(name) ?? 0) + 1), new Map());
    return [h("div.row", h("p", ["passed", "failed", "stale", "missing"].map((name) => [cases.filter((one) => one.outcome === name).length, name])
      .filter(([amount]) => amount).map((one) => one.join(" ")).join(", "), " by the bundle ", link(`/console/prompts/${found.bundle}`, h("code", found.bundle.slice(0, 12))), ", ", ago(found.at)), h("span.space"),
    may("admin:write") ? worker("Run the suite", () => act(async () => {
      await post("admin/suite/run");
      announce("The suite has run");
    }), {key: "run", class: "first"}) : null),
    checks.size ? card("Failed checks", {class: "flush"}, grid("Failed checks", [["Check", "main", ([name]) => name], ["Cases", "number", ([, all]) => count(all)]], [...checks], "dense")) : null,
    list.element,
    card("Live runs", {class: "flush"}, found.runs.length ? grid("Live runs", [["Run", "main", (one) => [h("strong", one.name), second(one.simulated ? "simulated" : "")]],
      ["Passed", "number", (one) => `${count(one.passed)} of ${count(one.asked)}`], ["Cost", "number third", (one) => dollars(one.micro_dollars)],
      ["Ended", "number extra", (one) => ago(one.finished_at)]], found.runs) : h("p.remark", "None is kept here."))];
  }, 15_000);
}

/** @param {Page} page */
export function one(page) {
  const [prompt, name] = page.id.split("/");
  const title = `${prompt}: ${name}`;
  const content = h("div.stack");
  const {show, close} = opened(content, "the case", async (_, signal) => {
    const found = await get(`admin/suite/${encodeURIComponent(prompt)}/${encodeURIComponent(name)}`, signal);
    const pair = (/** @type {any} */ {actual, diff}) => diff ? difference(diff) : h("pre", {tabindex: "0", role: "group", "aria-label": "Text"}, actual ?? "There is none.");
    return [h("div.row", outcome(found), found.tags.map((/** @type {string} */ tag) => h("span.tag", tag))), h("p", found.description),
      found.findings.map((/** @type {string} */ text) => note("Look:", text, "fail")),
      card("Checks", {class: "flush"}, found.checks.length ? grid("Checks", [["Result", "", (one) => named(one.passed ? "passed" : "failed")],
        ["Check", "main wrap", (one) => [h("strong", one.name), second(one.reason ?? words(one.type))]]], found.checks, "dense") : h("p.remark", "None was run.")),
      card("Answer", {}, found.model ? h("p.faint", `${found.model}, `, ago(found.recorded_at)) : null, pair(found.output)), card("Request", {}, pair(found.request))];
  });
  show(page.query);
  return {element: h("div", h("p.crumbs", link("/console/suite", "Prompt suite")), h("h1", title), content), close};
}
