// One job: why it waits or failed, its progress, its timeline, its model calls and its money.
import {h, fill} from "../dom.js";
import {get, post, may, session, Refusal} from "../api.js";
import {repeat} from "../live.js";
import {setTitle} from "../main.js";
import {between, count, dollars, duration, moment, words} from "../format.js";
import {announce, card, confirm, copy, failure, ledger, loading, note, progress, status, table, terms, tiles, worker}
  from "../parts.js";
import {draw, timeline} from "../timeline.js";
import {kindTitles, subject} from "./jobs.js";

/** @param {Page} page */
export default function job(page) {
  const element = h("div", {}, loading("the job"));
  const path = encodeURIComponent(page.id);
  let spoken = "";
  let spokenAt = 0;
  /** @type {any} */
  let kind = null;
  let isShown = false;

  async function read(/** @type {AbortSignal} */ signal) {
    await kindTitles();
    if (may("admin:read")) return {job: await get(`admin/jobs/${path}`, signal), isOperator: true};
    const [found, receipt] = await Promise.all([get(`jobs/${path}`, signal), get(`jobs/${path}/receipt`, signal)]);
    return {job: {...found, ledger: receipt.entries, receipt: receipt.sentence}, isOperator: false};
  }

  const reading = repeat(async (signal) => {
    const value = await read(signal);
    if (!kind) kind = (await get("kinds", signal)).find((/** @type {any} */ one) => one.kind === value.job.kind) ?? {};
    return {...value, second: ["pending", "processing"].includes(value.job.status) ? Math.floor(Date.now() / 1000) : 0};
  }, show, (error) => {
    if (!isShown || error instanceof Refusal) fill(element, h("h1", {}, "Job"), failure(error, () => reading.again()));
  }, 1000);

  /** @param {{job: any, isOperator: boolean}} value */
  function show({job, isOperator}) {
    isShown = true;
    const name = subject(job);
    setTitle(name);
    speak(job);
    const isLive = job.status === "pending" || job.status === "processing";
    const end = job.completed_at ?? new Date().toISOString();
    const waited = (job.waits ?? []).reduce((/** @type {number} */ sum, /** @type {any} */ wait) =>
      sum + between(wait.from, wait.until ?? new Date().toISOString()), 0);
    const calls = job.model_calls ?? [];
    const charged = (job.ledger ?? []).filter((/** @type {any} */ entry) => entry.type === "settle")
      .reduce((/** @type {number} */ sum, /** @type {any} */ entry) => sum + entry.amount, 0);
    /** @type {Record<string, string>} */
    const phrases = {};
    for (const stage of kind?.stages ?? []) phrases[stage.name] = stage.says;

    fill(element,
      h("div", {class: "head"}, h("h1", {}, h("bdi", {}, name)), status(job.status), h("span", {class: "space"}),
        h("div", {class: "actions"}, actions(job, isOperator))),
      why(job),
      card("Progress", {}, isLive ? h("p", {}, job.current_step ?? (job.status === "pending" ? "Waiting" : "At work")) : null,
        isLive ? progress("Progress of the job", job.progress / 100, "run") : null,
        tiles([[isLive ? "So far" : "Took", duration(between(job.created_at, end))],
          ["Of it waiting", isOperator ? duration(waited) : "–"], ["Attempts", count(job.attempt)],
          ["Model calls", isOperator ? count(calls.length) : "–"],
          ["Spent on models", isOperator ? dollars(job.cost_micro_dollars) : "–"], ["Credits", count(charged)]])),
      isOperator ? card("Timeline", {class: "wide"}, draw(timeline(job, Date.now(), phrases))) : null,
      isOperator && calls.length ? card("Model calls", {}, callTable(calls)) : null,
      card("Money", {}, job.receipt ? h("p", {}, job.receipt) : null,
        isOperator ? h("p", {}, `Its model calls cost ${dollars(job.cost_micro_dollars)} together.`) : null,
        job.ledger?.length ? ledger(job.ledger) : h("p", {class: "faint"}, "It moved no credits.")),
      isOperator ? card("Details", {}, terms([
        ["Id", h("code", {}, job.id)], ["User", h("bdi", {}, job.user.subject)], ["Lane", words(job.lane)],
        ["Asked for", moment(job.created_at)], ["Deadline", moment(job.deadline)], ["Epoch", count(job.epoch)],
        ["Worker", job.worker ? h("code", {}, job.worker) : "–"], ["Bundle", h("code", {}, job.bundle.slice(0, 12))],
        ["Request", h("code", {}, job.request_id ?? "–")], ["Deliveries", count(job.deliveries?.length ?? 0)]])) : null,
      card("Raw JSON", {actions: [h("button", {type: "button", key: "copy-json",
        onclick: () => copy(JSON.stringify(job, null, 2), "JSON")}, "Copy JSON")]},
      h("details", {}, h("summary", {key: "raw"}, "Show it"), h("pre", {tabindex: "0"}, JSON.stringify(job, null, 2)))));
  }

  /** @param {any} job */
  function why(job) {
    if (job.status === "failed" && job.error) {
      return card("Why", {}, note("It failed.", job.error.user_message, "fail",
        [job.error.code, job.error.message, job.request_id && `request ${job.request_id}`].filter(Boolean).join(" · ")));
    }
    if (job.why && job.status !== "completed") {
      const tone = ["worker_silent", "provider_silent", "no_worker", "no_capable_worker", "failed"].includes(job.why.code)
        ? "fail" : job.why.code === "running" ? "run" : job.why.code === "cancelled" ? "off" : "wait";
      return card("Why", {}, note(words(job.why.code), job.why.sentence, tone,
        job.why.until ? `until ${moment(job.why.until)}` : null));
    }
    if (job.blocked_by) return card("Why", {}, note("Waiting.", words(job.blocked_by.reason), "wait"));
    return null;
  }

  /**
   * @param {any} job
   * @param {boolean} isOperator
   */
  function actions(job, isOperator) {
    const isOwn = job.user === undefined || job.user.id === session.user?.id;
    const mayWrite = isOwn || may("admin:write");
    const base = isOwn || !isOperator ? `jobs/${path}` : `admin/jobs/${path}`;
    const isLive = job.status === "pending" || job.status === "processing";
    return [
      job.status === "completed" && isOwn ? h("a", {class: "button first", key: "read",
        href: job.kind === "research" ? `/console/reports/${job.id}` : `/console/results/${job.id}`},
      job.kind === "research" ? "Read the report" : "Read the result") : null,
      isLive && mayWrite ? worker("Cancel", async () => {
        if (await confirm("Cancel this job?", "What it has done so far is lost, and its credit is given back.",
          "Cancel the job", "Keep it")) await act(`${base}/cancel`, "The job is cancelled");
      }, {key: "cancel"}) : null,
      (job.status === "failed" || job.status === "cancelled") && mayWrite
        ? worker("Retry", () => act(`${base}/retry`, "The job waits for another attempt"), {key: "retry"}) : null,
      h("button", {type: "button", key: "copy-id", onclick: () => copy(job.id, "id")}, "Copy id"),
      h("button", {type: "button", key: "copy-curl", onclick: () => copy(curl(), "curl")}, "Copy as curl"),
    ];
  }

  /**
   * @param {string} write
   * @param {string} done
   */
  async function act(write, done) {
    try {
      await post(write);
      announce(done);
    } catch (error) {
      element.prepend(failure(error));
    }
    reading.again();
  }

  function curl() {
    const token = session.auth === "jwt" ? ' -H "Authorization: Bearer $DOSSIER_TOKEN"' : "";
    return `curl ${location.origin}/api/v1/jobs/${page.id}${token}`;
  }

  /**
   * Says each new phrase, every ten seconds at most, and the end.
   * @param {any} job
   */
  function speak(job) {
    const isEnd = !["pending", "processing"].includes(job.status);
    const phrase = isEnd ? `The job is ${job.status}` : job.current_step ?? "";
    if (phrase === "" || phrase === spoken || (!isEnd && Date.now() - spokenAt < 10_000)) return;
    if (spoken !== "" || !isEnd) announce(phrase);
    [spoken, spokenAt] = [phrase, Date.now()];
  }

  return {title: "Job", element, close: () => reading.stop()};
}

/** @param {any[]} calls */
function callTable(calls) {
  return table("Model calls", [{name: "Model", class: "main"}, {name: "State"}, {name: "Prompt", class: "number third"},
    {name: "Cached", class: "number fourth"}, {name: "Answer", class: "number third"}, {name: "Took", class: "number"},
    {name: "Cost", class: "number"}], calls.map((call) => h("tr", {}, h("td", {class: "main"}, h("bdi", {}, call.model),
    h("span", {class: "second"}, `${words(call.step)} · ${call.provider}${call.simulated ? " · simulated" : ""}`)),
  h("td", {}, words(call.state)), h("td", {class: "number third"}, count(call.input_tokens + call.cache_write_tokens)),
  h("td", {class: "number fourth"}, count(call.cache_read_tokens)), h("td", {class: "number third"}, count(call.output_tokens)),
  h("td", {class: "number"}, duration(between(call.started_at, call.ended_at))),
  h("td", {class: "number"}, dollars(call.cost_micro_dollars))))).element;
}

