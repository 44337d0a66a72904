// The operators' screens of the service as a whole: what needs a person, workers, providers, money, the audit, what is done to
// many jobs at once, and pauses.
import {h, fill} from "../dom.js";
import {curl, get, kindTitle, kindTitles, may, post, quoted, send} from "../api.js";
import {field, formDialog, listing, opened, repeat, searchForm, watched} from "../live.js";
import {count, dollars, duration, everyDay, moment, plural, states, words} from "../format.js";
import {ago, announce, badge, card, empty, failure, grid, link, loading, meter, named, note, progress, second, tiles, worker} from "../parts.js";

export const overview = () => watched("Overview", async (signal) => {
  const [found] = await Promise.all([get("admin/overview", signal), kindTitles()]);
  return found;
}, (found, act) => {
  const {alerts, queues, workers, ended, spend, held_credits: held, pickup_ms: pickup} = found;
  const lanes = Object.entries(queues);
  const sum = (/** @type {string} */ name) => lanes.reduce((total, [, lane]) => total + (lane[name] ?? 0), 0);
  const oldest = Math.max(0, ...lanes.map(([, lane]) => lane.oldest_ready_seconds ?? 0));
  const codes = Object.entries(ended.day.by_code).sort((one, other) => Number(other[1]) - Number(one[1]));
  const unit = (/** @type {string} */ text) => h("span.unit", ` ${text}`);
  const lane = (/** @type {string} */ name, style = "number") => /** @type {import("../parts.js").Cell} */ ([words(name), style, ([, one]) => count(one[name])]);
  return [
    card("Alerts", {class: "bare"}, alerts.length
      ? alerts.map((/** @type {any} */ alert) => note(`${words(alert.code)}.`, alert.sentence, "fail", alert.since ? ["since ", ago(alert.since)] : null))
      : h("p.quiet-text", "Nothing needs you.")),
    tiles([["Ready", [count(sum("ready")), oldest ? unit(`oldest ${duration(oldest * 1000)}`) : null], oldest > 60 ? "fail" : ""],
      ["Running", [count(sum("running")), unit(`of ${count(workers.places)} places`)]],
      ["Failed in the hour", count(ended.hour.failed)],
      ["Workers", [count(workers.alive - workers.draining), unit(`of ${count(workers.alive)}`)], workers.alive ? "" : "fail"],
      ["Spent today", [dollars(spend.today_micro_dollars), spend.cap_micro_dollars ? [unit(`of ${dollars(spend.cap_micro_dollars)}`),
        meter("Spent of the day's cap", spend.today_micro_dollars / spend.cap_micro_dollars)] : null]],
      ["Pickup at p99", duration(pickup.p99 ?? NaN)], ["Held credits", count(held)]]),
    h("div.pair",
      card("Queues", {class: "flush"}, grid("Queues", [["Lane", "main", ([name]) => words(name)], lane("ready"), lane("scheduled", "number extra"),
        lane("waiting", "number extra"), lane("blocked", "number extra"), lane("running")], lanes, "dense")),
      card("Ended", {class: "flush"}, grid("Ended", [["Within", "main", ([name]) => name], ...["completed", "failed", "cancelled"].map((name) =>
        /** @type {import("../parts.js").Cell} */ ([words(name), name === "cancelled" ? "number extra" : "number", ([, one]) => count(one[name])]))],
      [["An hour", ended.hour], ["A day", ended.day]], "dense")),
      card("Failures by code", {class: "flush"}, codes.length ? grid("Failures by code", [["Code", "main", ([code]) =>
        link(`/console/jobs?status=failed&code=${encodeURIComponent(code)}`, code)], ["Hour", "number", ([code]) => count(ended.hour.by_code[code] ?? 0)],
      ["Day", "number", ([, amount]) => count(amount)]], codes, "dense") : h("p.remark", "No job failed within a day.")),
      pauseCard(found.pauses, act))];
});

export const fleet = () => watched("Fleet", (signal) => get("admin/workers?per_page=200", signal), (/** @type {any[]} */ workers, act) => {
  if (workers.length === 0) return empty("No worker has registered", "Jobs wait until one runs.", h("code", "dossier worker"));
  const silent = (/** @type {any} */ one) => Date.now() - Date.parse(one.last_beat_at);
  return grid("Workers", [
    ["State", "state", (one) => !one.alive ? badge("Gone", "off") : one.draining ? badge("Draining", "wait")
      : silent(one) > 12_000 ? badge("Silent", "fail") : badge("Alive", "done")],
    ["Worker", "main", (one) => [h("strong", h("bdi", one.host)), second(`${one.version ? `version ${one.version} · ` : ""}process ${one.process_id} since ${moment(one.started_at)} · ${
      one.kinds.length} kinds · ${one.providers.join(", ") || "no providers"}`), h("span.places", {"aria-hidden": "true"},
      Array.from({length: Math.min(one.places, 200)}, (_, index) => h("i", {class: index < one.busy ? "busy" : ""})))]],
    ["Sign of life", "number third", (one) => h("span", {class: one.alive && silent(one) > 6000 ? `${silent(one) > 12_000 ? "fail" : "wait"} wait-text` : ""}, ago(one.last_beat_at))],
    ["Places", "number extra", (one) => `${one.busy} of ${one.places}`],
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

export const providers = () => watched("Providers", (signal) => get("admin/providers", signal), (/** @type {any[]} */ found) => {
  const used = found.filter((one) => one.configured || one.hour.ok + one.hour.failed > 0);
  const others = found.filter((one) => !used.includes(one)).map((one) => one.name);
  const time = (/** @type {any} */ value) => typeof value === "number" ? duration(value) : "–";
  return [used.length === 0 ? empty("No provider is reached", "No living worker has a provider's key.") : grid("Providers", [
    ["Breaker", "", (one) => [named(one.breaker.state), one.breaker.until ? second(`until ${moment(one.breaker.until)}, `, ago(one.breaker.until)) : null]],
    ["Provider", "main wrap", (one) => [h("strong", one.name), one.budgets.map((/** @type {any} */ budget) => {
      const name = budget.name.replace(`${one.name}/`, "");
      return typeof budget.fill !== "number" ? second(`${name}: no limits known`)
        : h("span.fill", second(`${name}: ${Math.round(budget.fill * 100)} % left`), meter(`Fill of ${budget.name}`, budget.fill));
    }), one.blocked_until ? second(`blocked until ${moment(one.blocked_until)}, `, ago(one.blocked_until)) : null,
    one.last_error ? h("span.second.fail.wait-text", "Last error ", ago(one.last_error.at), `: ${one.last_error.message}`) : null]],
    ["In flight", "number third", (one) => [count(one.in_flight), one.silent_seconds > 2 ? second(`${one.silent_seconds} s silent`) : null]],
    ["First byte", "number third", (one) => [time(one.hour.p50_ms), one.hour.p99_ms ? second(`${duration(one.hour.p99_ms)} at p99`) : null]],
    ["Hour", "number extra", (one) => [count(one.hour.ok), one.hour.failed ? second(`${count(one.hour.failed)} failed`) : null]],
    ["Today", "number", (one) => dollars(one.today_micro_dollars)]], used),
  others.length ? h("p.faint", `Not configured: ${others.join(", ")}.`) : null];
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
    const /** @type {[any[], any]} */ [lines] = await Promise.all([get(path, signal), kindTitles()]);
    const most = Math.max(...lines.map((line) => line.cost_micro_dollars), 1);
    const lost = (/** @type {any} */ line) => line.of_failed + line.of_cancelled;
    const bar = (/** @type {any} */ line) => h("span.costs", {"aria-hidden": "true", title: line.group, vars: {
      "--share": `${line.cost_micro_dollars / most * 100}%`, "--lost": `${line.cost_micro_dollars ? lost(line) / line.cost_micro_dollars * 100 : 0}%`}}, h("i"));
    return lines.length === 0 ? empty("No model was called", "Nothing was spent in this time.") : [
      by === "day" && lines.length > 1 ? h("div.days", {"aria-hidden": "true"}, everyDay(lines).map((line, index, all) => h("span", line.cost_micro_dollars ? bar(line) : null,
        index % Math.ceil(all.length / 7) ? null : h("small", line.group.slice(5))))) : null, grid(`Costs by ${by}`, [
      [words(by), "main", (line) => [h("bdi", by === "kind" ? kindTitle(line.group) : line.group || "–"), bar(line)]],
      ["Cost", "number", (line) => dollars(line.cost_micro_dollars)], ["Failed, cancelled", "number third", (line) => dollars(lost(line))],
      ["Calls", "number", (line) => [count(line.calls), line.simulated ? second(`${count(line.simulated)} simulated`) : null]],
      ["Read", "number fourth", (line) => count(line.input_tokens)], ["Written", "number fourth", (line) => count(line.output_tokens)]], lines)];
  });
  show(page.query);
  return {element: h("div", h("div.head", h("h1", "Costs"), h("span.space"), h("span.row", h("label", {for: "by"}, "By"), choice),
      h("span.row", h("label", {for: "from"}, "From"), from), h("span.row", h("label", {for: "to"}, "to before"), to)),
    h("p.faint", "Model calls of thirty days, or of those chosen."), content), update: show, close};
}

/** @param {Page} page */
export function audit(page) {
  const list = listing("Audit", [
    ["Action", "", (entry) => h("strong", words(entry.action.replace(".", ": ")))],
    ["On", "main", (entry) => [!entry.target ? h("span", "–") : /^(jobs|operations)\./.test(entry.action)
      ? link(`/console/${entry.action.split(".")[0]}/${entry.target}`, entry.target)
      : h("bdi", entry.target), second(Object.entries(entry.details ?? {}).filter(([, value]) => value !== null)
      .map(([name, value]) => `${words(name)}: ${typeof value === "object" ? JSON.stringify(value) : value}`).join(" · ") || "–")]],
    ["By", "third", (entry) => [h("bdi", entry.actor.name), second(entry.actor.type)]],
    ["When", "number", (entry) => ago(entry.at)],
  ], (query) => {
    const names = ["actor", "action", "target", "from", "to"];
    return `admin/audit?${new URLSearchParams([...query].filter(([name]) => names.includes(name)))}`;
  }, () => empty("No entry fits", "What operators, keys and commands change.", link("/console/audit", "Show all", {class: "button"})));
  list.show(page.query);
  return {element: h("div", h("h1", "Audit"),
    searchForm("Filter the audit", page, [["actor", "Actor"], ["action", "Action, such as jobs.cancel"], ["target", "Target"]]), list.element),
  update: list.show, close: list.stop};
}

// Acting on all jobs that match a filter

/** The statuses that each action changes.
 * @type {Record<string, string[]>} */
const changed = {cancel: ["pending", "processing"], retry: ["failed", "cancelled"]};

/** @param {any} filter */
const told = (filter) => Object.entries(filter).map(([name, value]) => name === "status"
  ? value.split(",").map((/** @type {string} */ one) => states[one]?.word ?? one).join(" or ") : `${words(name)} ${value}`).join(" · ") || "Chosen jobs";

/**
 * The actions that a filter allows, or the statuses of chosen jobs.
 * @param {string[]} statuses those that are chosen
 * @param {Record<string, string>} filter its other members
 * @param {any[]} chosen the chosen jobs, instead of a filter
 * @param {(path: string) => void} go
 * @param {(id: string) => string} name what a job is about
 */
export function actions(statuses, filter, chosen, go, name) {
  return Object.entries(changed).map(([action, all]) => {
    const status = all.filter((one) => !statuses.length || statuses.includes(one)).join(",");
    const ids = chosen.filter((job) => all.includes(job.status)).map((job) => job.id);
    const label = `${words(action)} ${chosen.length ? plural(ids.length, "chosen job") : "all that match"}`;
    return (chosen.length ? ids.length : status) ? worker(label, async () => ask(label, {action, ...(chosen.length ? {ids} : {filter: {...filter, status}})}, go, name), {key: action}) : null;
  });
}

/** The same for a terminal.
 * @param {any} body */
const commandLine = ({action, ids, filter}) => ids ? ids.map((/** @type {string} */ id) => `dossier admin ${action} ${id}`).join("\n")
  : `dossier admin jobs ${Object.entries(filter).map(([name, value]) => `--${name === "user" ? "subject" : name.replace("_", "-")} ${quoted(value)}`).join(" ")
  } --limit 1000 --json \\\n  | jq -r .id | xargs -n 1 dossier admin ${action}`;

/** @param {string} label @param {any} body @param {(path: string) => void} go @param {(id: string) => string} name */
function ask(label, body, go, name) {
  const found = h("div.stack", loading("the number of jobs"));
  const why = h("input", {id: "note", maxlength: "500"});
  // Made when the question is asked, so that a second answer is the same operation.
  const key = crypto.randomUUID();
  let isAny = false;
  post("admin/operations", {...body, preview: true}).then(({matched, sample}) => {
    isAny = matched > 0;
    fill(found, h("p.phrase", {role: "status"}, isAny ? `${plural(matched, "job")} now, ${body.action === "cancel"
      ? "waiting or running. Their credits are given back." : "failed or cancelled. A credit is held for each again."}` : "No job matches now."),
    h("ul", sample.map((/** @type {string} */ id) => h("li", link(`/console/jobs/${id}`, name(id), {target: "_blank"})))),
    ["curl", "command line"].map((way, index) => h("details", h("summary", `The same as ${way}`),
      h("pre", {tabindex: "0"}, index ? commandLine(body) : curl("POST", "admin/operations", body)))));
  }, (error) => fill(found, failure(error)));
  formDialog(`${label}?`, label, [found, field("Note for the audit", why)], async () => {
    if (isAny) go(`/console/operations/${(await post("admin/operations", why.value ? {...body, note: why.value} : body, key)).id}`);
  }, "Leave them");
}

/** @param {Page} page */
export function operation(page) {
  const content = h("div.stack", loading("the operation"));
  let isOver = false;
  let spoken = "";
  const reading = repeat(async (signal) => {
    const path = `admin/operations/${encodeURIComponent(page.id)}`;
    const [one, results] = await Promise.all([get(path, signal), send("GET", `/api/v1/${path}/results?per_page=200`, {signal})]);
    return {...one, results: results.data, hasMore: results.pagination?.has_next};
  }, (one) => {
    isOver = Boolean(one.completed_at);
    const text = isOver ? "The operation is completed" : "";
    if (text !== spoken) announce(spoken = text);
    fill(content, card(`${words(one.action)}: ${told(one.filter)}`, {class: "flush"},
      h("div.inside", h("p", [`Asked for by ${one.by} `, ago(one.started_at), one.note ? `: ${one.note}` : "."]),
        h("div.row", progress("Progress of the operation", one.matched ? one.done / one.matched : 1, one.completed_at ? "done" : "run"),
          h("span.number", `${count(one.done)} of ${count(one.matched)}`))),
      tiles([["Changed", count(one.changed)], ["Skipped", count(one.skipped)], ["Failed", count(one.failed), one.failed ? "fail" : ""],
        ["Ended", one.completed_at ? moment(one.completed_at) : "Not yet"]]),
      one.results.length ? grid("Results", [["Job", "main", (job) => link(`/console/jobs/${job.job_id}`, job.job_id)],
        ["Outcome", "wrap", (job) => [job.outcome ? words(job.outcome) : "Not yet", job.code ? second(job.code) : null]]], one.results, "dense") : null,
      one.hasMore ? h("p.remark", `The first ${one.results.length} are shown.`) : null));
  }, (error) => fill(content, failure(error, () => reading.again())), () => isOver ? 15_000 : 1000);
  return {element: h("div", h("p.crumbs", link("/console/jobs", "Jobs")), h("h1", "Operation"), content), close: reading.stop};
}

// Pauses

/** @param {any} pause */
const paused = (pause) => pause.kind ? kindTitle(pause.kind) : `${words(pause.lane)} queue`;

/**
 * What is paused among the jobs of a filter, as notes.
 * @param {any[]} pauses
 */
export const pauseNotes = (pauses) => pauses.map((pause) => note(`Paused: ${paused(pause)}.`,
  [pause.note || "Jobs are accepted and wait.", " ", link("/console/overview", "Show the pauses")], "wait",
  [`by ${pause.by}, `, ago(pause.since), pause.until ? `, until ${moment(pause.until)}` : ""]));

/**
 * The pauses that hold, with their ends.
 * @param {any[]} pauses
 * @param {(work: () => Promise<any>) => Promise<void>} act
 */
export function pauseCard(pauses, act) {
  const mayWrite = may("admin:write");
  return card("Pauses", {class: "flush", id: "pauses", actions: mayWrite ? [h("button", {key: "pause", onclick: () => pause(act)}, "Pause")] : []},
    pauses.length ? grid("Pauses", [["Paused", "main wrap", (one) => [h("strong", paused(one)), second(one.note || "No reason is given"),
      second("by ", h("bdi", one.by), ", ", ago(one.since), one.until ? `, until ${moment(one.until)}` : "")]],
      ["Act", "", (one) => mayWrite ? worker("Resume", () => act(async () => {
        await send("DELETE", `/api/v1/admin/pauses/${one.id}`);
        announce(`${paused(one)}: jobs start again`);
      }), {key: `resume-${one.id}`, "aria-label": `Resume ${paused(one)}`}) : null]], pauses)
      : h("p.remark", "Nothing is paused."));
}

/** @param {(work: () => Promise<any>) => Promise<void>} act */
async function pause(act) {
  const titles = await kindTitles();
  const what = h("select", {id: "pause-what"}, [...["interactive", "background"].map((lane) => [`lane ${lane}`, `${words(lane)} queue`]),
    ...Object.entries(titles).map(([kind, title]) => [`kind ${kind}`, title])].map(([value, label]) => h("option", {value}, label)));
  const why = h("input", {id: "pause-note", maxlength: "500"});
  const until = h("input", {id: "pause-until", type: "datetime-local"});
  const key = crypto.randomUUID();
  formDialog("Pause jobs", "Pause", [h("p", "Jobs that run go on. Others wait, and their time stands still."),
    field("Kind or queue", what), field("Reason", why), field("End, or none", until)], async () => {
    const [member, name] = what.value.split(" ");
    await post("admin/pauses", {[member]: name, ...(why.value ? {note: why.value} : {}),
      ...(until.value ? {until: new Date(until.value).toISOString()} : {})}, key);
    announce("The pause holds");
    act(async () => {});
  });
}
