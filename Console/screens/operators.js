// The operators' screens of the service as a whole: what needs a person, workers, providers, money, prompts, and the audit.
import {h} from "../dom.js";
import {get, may, post, send} from "../api.js";
import {listing, opened, searchForm, watched} from "../live.js";
import {count, dollars, duration, moment, words} from "../format.js";
import {ago, announce, badge, card, empty, grid, link, note, second, tiles, worker} from "../parts.js";

export const overview = () => watched("Overview", (signal) => get("admin/overview", signal), (found) => {
  const {alerts, queues, workers, ended, spend, held_credits: held} = found;
  const lanes = Object.entries(queues);
  const sum = (/** @type {string} */ name) => lanes.reduce((total, [, lane]) => total + (lane[name] ?? 0), 0);
  const oldest = Math.max(0, ...lanes.map(([, lane]) => lane.oldest_ready_seconds ?? 0));
  const codes = Object.entries(ended.day.by_code).sort((one, other) => Number(other[1]) - Number(one[1]));
  const unit = (/** @type {string} */ text) => h("span", {class: "unit"}, ` ${text}`);
  const lane = (/** @type {string} */ name, style = "number") => /** @type {import("../parts.js").Cell} */ ([words(name), style, ([, one]) => count(one[name])]);
  return [
    card("Alerts", {class: "bare"}, alerts.length
      ? alerts.map((/** @type {any} */ alert) => note(`${words(alert.code)}.`, alert.sentence, "fail", alert.since ? ["since ", ago(alert.since)] : null))
      : h("p", {class: "quiet-text"}, "Nothing needs you.")),
    tiles([["Ready", count(sum("ready"))], ["Oldest ready", oldest ? duration(oldest * 1000) : "–", oldest > 60 ? "fail" : ""],
      ["Running", [count(sum("running")), unit(`of ${count(workers.places)} places`)]],
      ["Failed in the hour", count(ended.hour.failed), ended.hour.failed ? "fail" : ""],
      ["Workers", [count(workers.alive - workers.draining), unit(`of ${count(workers.alive)}`)], workers.alive ? "" : "fail"],
      ["Spent today", [dollars(spend.today_micro_dollars), spend.cap_micro_dollars ? unit(`of ${dollars(spend.cap_micro_dollars)}`) : null]],
      ["Held credits", count(held)]]),
    h("div", {class: "pair"},
      card("Queues", {class: "flush"}, grid("Queues", [["Lane", "main", ([name]) => words(name)], lane("ready"), lane("scheduled", "number third"),
        lane("waiting", "number third"), lane("blocked", "number third"), lane("running")], lanes)),
      card("Ended", {class: "flush"}, grid("Ended", [["Within", "main", ([name]) => name], ...["completed", "failed", "cancelled"].map((name) =>
        /** @type {import("../parts.js").Cell} */ ([words(name), "number", ([, one]) => count(one[name])]))],
      [["An hour", ended.hour], ["A day", ended.day]])),
      card("Failures by code", {class: "flush"}, codes.length ? grid("Failures by code", [["Code", "main", ([code]) =>
        link(`/console/jobs?status=failed&code=${encodeURIComponent(code)}`, code)], ["Hour", "number", ([code]) => count(ended.hour.by_code[code] ?? 0)],
      ["Day", "number", ([, amount]) => count(amount)]], codes) : h("p", {class: "quiet-line"}, "No job failed within a day.")))];
});

export const fleet = () => watched("Fleet", (signal) => get("admin/workers?per_page=200", signal), (/** @type {any[]} */ workers, act) => {
  if (workers.length === 0) return empty("No worker has registered", "Jobs wait until one runs.", h("code", {}, "dossier worker"));
  const silent = (/** @type {any} */ one) => Date.now() - Date.parse(one.last_beat_at);
  return grid("Workers", [
    ["State", "", (one) => !one.alive ? badge("Gone", "off", "dash") : one.draining ? badge("Draining", "wait", "clock")
      : silent(one) > 12_000 ? badge("Silent", "fail", "cross") : badge("Alive", "done", "tick")],
    ["Worker", "main", (one) => [h("strong", {}, h("bdi", {}, one.host)), second(`process ${one.process_id} since ${moment(one.started_at)} · ${
      one.kinds.length} kinds · ${one.providers.join(", ") || "no providers"}`)]],
    ["Sign of life", "number third", (one) => h("span", {class: one.alive && silent(one) > 6000 ? "wait wait-text" : ""}, ago(one.last_beat_at))],
    ["Places", "number", (one) => [`${one.busy} of ${one.places}`, h("span", {class: "places", "aria-hidden": "true"},
      Array.from({length: one.places > 40 ? 0 : one.places}, (_, index) => h("i", {class: index < one.busy ? "busy" : ""})))]],
    ["Jobs", "number third", (one) => one.jobs.length ? link(`/console/jobs?worker=${encodeURIComponent(one.id)}`, count(one.jobs.length)) : "0"],
    ["Act", "", (one) => {
      const [label, way, done] = one.draining ? ["Resume", "resume", `${one.host} claims again`] : ["Drain", "drain", `${one.host} claims nothing more`];
      return one.alive && may("admin:write") ? worker(label, () => act(async () => {
        await post(`admin/workers/${encodeURIComponent(one.id)}/${way}`);
        announce(done);
      }), {key: `drain-${one.id}`, "aria-label": `${label} ${one.host}`}) : null;
    }],
  ], workers);
});

const breakers = /** @type {Record<string, [string, string, string]>} */ ({closed: ["Closed", "done", "tick"], half_open: ["Half open", "wait", "clock"],
  open: ["Open", "fail", "cross"]});

export const providers = () => watched("Providers", (signal) => get("admin/providers", signal), (/** @type {any[]} */ found) => {
  const used = found.filter((one) => one.configured || one.hour.ok + one.hour.failed > 0);
  const others = found.filter((one) => !used.includes(one)).map((one) => one.name);
  const time = (/** @type {any} */ value) => typeof value === "number" ? duration(value) : "–";
  return [used.length === 0 ? empty("No provider is reached", "No worker that lives has a provider's key.") : grid("Providers", [
    ["Breaker", "", (one) => [badge(...(breakers[one.breaker.state] ?? breakers.closed)), one.breaker.until ? second(`until ${moment(one.breaker.until)}`) : null]],
    ["Provider", "main wrap", (one) => [h("strong", {}, one.name), second(one.models.map((/** @type {any} */ model) => model.name).join(", ")),
      one.blocked_until ? second(`blocked until ${moment(one.blocked_until)}, ${
        duration(Math.max(0, Date.parse(one.blocked_until) - Date.now()))} to go`) : null]],
    ["Fill", "", (one) => one.budgets.map((/** @type {any} */ budget) => typeof budget.fill !== "number" ? second(`${budget.name}: no limits known`)
      : h("span", {class: "fill"}, second(`${budget.name}: ${Math.round(budget.fill * 100)} %`), h("span", {class: "meter", role: "meter",
        "aria-label": `Fill of ${budget.name}`, "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(budget.fill * 100),
        vars: {"--share": `${budget.fill * 100}%`}}, h("span"))))],
    ["In flight", "number third", (one) => [count(one.in_flight), one.silent_seconds > 2 ? second(`${one.silent_seconds} s silent`) : null]],
    ["First byte", "number third", (one) => [time(one.hour.p50_ms), one.hour.p99_ms ? second(`${duration(one.hour.p99_ms)} at p99`) : null]],
    ["Hour", "number", (one) => [count(one.hour.ok), one.hour.failed ? second(`${count(one.hour.failed)} failed`) : null]],
    ["Today", "number", (one) => dollars(one.today_micro_dollars)]], used),
  others.length ? h("p", {class: "faint"}, `Not configured: ${others.join(", ")}.`) : null];
});

const groups = ["day", "kind", "model", "user", "plan", "bundle", "prompt"];

/** @param {Page} page */
export function costs(page) {
  const content = h("div");
  const choice = h("select", {id: "by", onchange: change}, groups.map((group) => h("option", {value: group}, words(group))));
  const [from, to] = ["from", "to"].map((id) => h("input", {id, type: "date", onchange: change}));

  function change() {
    page.go(`/console/costs?${new URLSearchParams([["by", choice.value], ["from", from.value], ["to", to.value]].filter(([, value]) => value))}`);
  }

  const {show, close} = opened(content, "the costs", async (query, signal) => {
    const by = groups.find((group) => group === query.get("by")) ?? "day";
    choice.value = by;
    let path = `admin/costs?by=${by}`;
    for (const input of [from, to]) {
      input.value = query.get(input.id) ?? "";
      if (input.value) path += `&${input.id}=${input.value}T00:00:00Z`;
    }
    /** @type {any[]} */
    const lines = await get(path, signal);
    const most = Math.max(...lines.map((line) => line.cost_micro_dollars), 1);
    const lost = (/** @type {any} */ line) => line.of_failed + line.of_cancelled;
    return lines.length === 0 ? empty("No model was called", "Nothing was spent in this time.") : grid(`Costs by ${by}`, [
      [words(by), "main", (line) => [h("bdi", {}, line.group || "–"), h("span", {class: "costs", "aria-hidden": "true", vars: {
        "--share": `${line.cost_micro_dollars / most * 100}%`, "--lost": `${line.cost_micro_dollars ? lost(line) / line.cost_micro_dollars * 100 : 0}%`}}, h("i"))]],
      ["Cost", "number", (line) => dollars(line.cost_micro_dollars)], ["Failed, cancelled", "number third", (line) => dollars(lost(line))],
      ["Calls", "number", (line) => [count(line.calls), line.simulated ? second(`${count(line.simulated)} simulated`) : null]],
      ["Read", "number fourth", (line) => count(line.input_tokens)], ["Written", "number fourth", (line) => count(line.output_tokens)]], lines);
  });
  show(page.query);
  return {title: "Costs", element: h("div", {}, h("div", {class: "head"}, h("h1", {}, "Costs"), h("span", {class: "space"}), h("label", {for: "by"}, "By"), choice,
      h("label", {for: "from"}, "From"), from, h("label", {for: "to"}, "to before"), to),
    h("p", {class: "faint"}, "Model calls of the last thirty days or the days chosen, failed and cancelled ones included."), content), update: show, close};
}

/** @param {Page} page */
export function audit(page) {
  const list = listing("Audit", [
    ["Action", "whole", (entry) => h("strong", {}, words(entry.action.replace(".", ": ")))],
    ["On", "main", (entry) => [!entry.target ? h("span", {}, "–") : /^jobs\./.test(entry.action) ? link(`/console/jobs/${entry.target}`, entry.target)
      : h("bdi", {}, entry.target), second(Object.entries(entry.details ?? {}).filter(([, value]) => value !== null)
      .map(([name, value]) => `${words(name)}: ${typeof value === "object" ? JSON.stringify(value) : value}`).join(" · ") || "–")]],
    ["By", "third", (entry) => [h("bdi", {}, entry.actor.name), second(entry.actor.type)]],
    ["When", "number", (entry) => ago(entry.at)],
  ], (query) => {
    const names = ["actor", "action", "target", "from", "to"];
    return `admin/audit?${new URLSearchParams([...query].filter(([name]) => names.includes(name)))}`;
  }, () => empty("No entry fits", "What operators, keys and the command line change is listed here.", link("/console/audit", "Show all", {class: "button"})));
  list.show(page.query);
  return {title: "Audit", element: h("div", {}, h("h1", {}, "Audit"),
    searchForm("Filter the audit", page, [["actor", "Actor"], ["action", "Action, such as jobs.cancel"], ["target", "Target"]]), list.element),
  update: list.show, close: list.stop};
}

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
function difference(unified) {
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
