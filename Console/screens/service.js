// What the service is made of: whether it can work, every operation of its API, and the webhooks that it delivers.
import {closer, dialog, fill, h} from "../dom.js";
import {curl, get, may, post, send, session, Refusal} from "../api.js";
import {grouped, listing, opened, repeat} from "../live.js";
import {count, dollars, duration, plural, timed, words} from "../format.js";
import {ago, announce, badge, card, confirm, copy, empty, failure, grid, link, loading, named, second, value, worker} from "../parts.js";

/** @param {Page} page */
export function service(page) {
  const health = h("div", loading("the health"));
  const batches = h("div");
  const operations = h("div.stack", loading("the operations"));
  const controller = new AbortController();
  const reading = repeat(async (signal) => ({
    ready: await send("GET", "/ready", {signal}).catch((error) => {
      if (error instanceof Refusal) return {refused: error.reason || error.message};
      throw error;
    }),
    overview: await get("admin/overview", signal), batches: await get("admin/batches", signal),
  }), show, (error) => fill(health, failure(error, () => reading.again())), 5000);

  /** @param {any} found */
  function show({ready, overview, batches: all}) {
    const state = ready.data ?? ready;
    const isReady = state.status === "ready";
    const {workers} = overview;
    /** @type {[string, boolean, string][]} */
    const lines = [["API", true, `Version ${session.version}`],
      ["Ready for jobs", isReady, isReady ? "The database answers and a worker is alive." : state.refused ?? "It is not ready."],
      ["Database", state.database === "ok", state.database === "ok" ? "It answers." : "It does not answer."],
      ["Workers", workers.alive > 0, `${count(workers.alive)} alive, ${count(workers.busy)} of ${count(workers.places)} places taken`],
      ...overview.alerts.map((/** @type {any} */ one) => [words(one.code), false, timed(one.sentence)]),
      ...Object.entries(state.kinds_without_worker ?? {}).map(([kind, reason]) => /** @type {[string, boolean, string]} */ ([words(kind), false, `No worker can run it: ${reason}`]))];
    fill(health, grid("Health", [["State", "", ([, isGood]) => isGood ? badge("Good", "done") : badge("Look", "fail")],
      ["Part", "main wrap", ([name, , text]) => [h("strong", name), second(text)]]], lines));
    fill(batches, all.length ? grid("Batches", [["State", "", (one) => words(one.state)],
      ["Batch", "main", (one) => [h("strong", one.model), second(`${one.provider} · ${one.id}`)]],
      ["Lines", "number", (one) => `${count(one.done)} of ${count(one.lines)}`], ["Cost", "number third", (one) => dollars(one.cost_micro_dollars)],
      ["Since", "number third", (one) => ago(one.since)]], all) : h("p.remark", "No model calls go by batch now."));
  }

  send("GET", "/openapi.json", {signal: controller.signal}).then((description) => {
    const all = Object.entries(description.paths).flatMap(([path, methods]) => Object.entries(methods)
      .filter(([, one]) => one.summary).map(([method, one]) => ({path, method: method.toUpperCase(), ...one})));
    const list = grouped("Filter operations", (one) => one.tags[0], (one) => `${one.method} ${one.path} ${one.summary}`, (tag, found) =>
      grid(`Operations: ${tag}`, [["Operation", "main wrap", (one) => [h("code", `${one.method} ${one.path}`), second(one.summary),
        fields(one, description.components.schemas)]],
      ["Act", "", (one) => h("div.actions", one.method === "GET" && !/[{]|events|export$/.test(one.path) ? worker("Try it", () => attempt(one.path),
        {class: "quiet", "aria-label": `Try it: ${one.path}`}) : null, h("button.quiet", {
        "aria-label": `Copy ${one.method} ${one.path} as curl`, onclick: () => copy(curl(one.method, one.path), "curl")}, "curl"))]], found, "dense"));
    list.show(all);
    fill(operations, h("a", {href: "/docs", target: "_blank"}, `The whole description of ${all.length} operations`), list.element);
  }, (error) => {
    if (!controller.signal.aborted) fill(operations, failure(error));
  });

  return {element: h("div", h("h1", "API and health"), card("Health", {class: "flush"}, health),
    card("Batches", {class: "flush"}, batches), card("Operations", {}, operations)), close() {
    reading.stop();
    controller.abort();
  }};
}

/**
 * What an operation takes, answers and refuses, to be opened.
 * @param {any} one
 * @param {any} schemas
 */
function fields(one, schemas) {
  const named = (/** @type {any} */ schema) => schema?.$ref ? schemas[schema.$ref.split("/").pop()] : schema ?? {};
  const list = (/** @type {[string, any][]} */ all) => all.map(([name, {description}]) => description ? `${name} (${description})` : name).join(", ") || null;
  const members = (/** @type {any} */ of) => {
    let found = named(of?.content?.["application/json"]?.schema);
    found = named(found.properties?.data ?? found.anyOf?.[0] ?? found);
    return list(Object.entries(named(found.items ?? found).properties ?? {}));
  };
  return h("details", h("summary", "Fields and errors"), value("", {takes: list((one.parameters ?? []).map((/** @type {any} */ part) => [part.name, part])),
    body: members(one.requestBody), answers: members(Object.values(one.responses)[0]), errors: schemas.ErrorCode?.enum.join(", ")}));
}

/**
 * Shows the answer to a read.
 * @param {string} path
 */
async function attempt(path) {
  const answer = await send("GET", path).catch((error) => error);
  dialog({"aria-labelledby": "answer-title", class: "wide-dialog"}, h("h2", {id: "answer-title"}, path), answer instanceof Error ? failure(answer)
    : h("pre", {tabindex: "0", role: "group", "aria-label": "Answer"},
      (typeof answer === "string" ? answer : JSON.stringify(answer, null, 2)).slice(0, 20_000)), closer);
}

/** @param {Page} page */
export function webhooks(page) {
  const content = h("div.stack");
  /** @type {import("../live.js").Listing} */
  let deliveries;
  let controller = new AbortController();

  /** @param {URLSearchParams} query */
  function show(query) {
    deliveries?.stop();
    controller.abort();
    controller = new AbortController();
    const isAll = may("admin:read") && query.get("scope") !== "mine";
    const base = `${isAll ? "admin/" : ""}webhooks`;
    const mayWrite = !isAll || may("webhooks");
    const endpoints = h("div.stack", loading("the endpoints"));
    const one = query.get("endpoint");

    /** @param {string} label @param {string} key @param {() => Promise<any>} write @param {string} done */
    const act = (label, key, write, done) => worker(label, async () => {
      try {
        await write();
        announce(done);
        await read();
        deliveries.again();
      } catch (error) {
        endpoints.prepend(failure(error));
      }
    }, {key});

    /** @param {any} found */
    function endpoint(found) {
      const path = `${base}/endpoints/${found.id}`;
      return h("div.endpoint", h("div.row",
        found.enabled ? found.failing_since ? badge("Failing", "fail") : badge("Enabled", "done") : badge("Disabled", "off"),
        h("strong.wrap", h("bdi", found.url)), h("span.space"), mayWrite ? h("div.actions",
          act("Test", `test-${found.id}`, () => post(`${path}/test`, undefined, crypto.randomUUID()), "A test is sent"),
          act(found.enabled ? "Disable" : "Enable", `enable-${found.id}`,
            () => send("PATCH", `/api/v1/${path}`, {body: {enabled: !found.enabled}}), found.enabled ? "It is disabled" : "It is enabled"),
          worker("Deliver again", async () => {
            if (await confirm("Deliver again?", "Its held and failed events are sent again, with their ids.", "Deliver again", "Leave them")) {
              await post(`${path}/replay`).then((answer) => announce(`${answer.queued} deliveries wait`), (error) => endpoints.prepend(failure(error)));
              deliveries.again();
            }
          }, {key: `replay-${found.id}`})) : null),
      h("p.second", [found.description, found.events.join(", "), found.last_failure
        ? `last failure: ${found.last_failure.error ?? found.last_failure.status}` : null].filter(Boolean).join(" · ")));
    }

    async function read() {
      try {
        const all = await get(`${base}/endpoints`, controller.signal);
        fill(endpoints, all.length ? all.map(endpoint) : h("p.faint", isAll ? "No endpoint hears of all users' jobs."
          : ["None. An endpoint is made by ", h("code", "POST /api/v1/webhooks/endpoints"), ", which answers with its secret once."]));
      } catch (error) {
        if (!controller.signal.aborted) fill(endpoints, failure(error, read));
      }
    }

    const last = (/** @type {any} */ delivery) => delivery.tries[delivery.tries.length - 1];
    deliveries = listing("Deliveries", [
      ["State", "", (delivery) => named(delivery.status)],
      ["Event", "main", (delivery) => [delivery.job_id ? link(`/console/jobs/${delivery.job_id}`, delivery.type, {class: "name"})
        : h("strong", delivery.type), second([last(delivery)?.error ?? (last(delivery)?.status ? `HTTP ${last(delivery).status}` : ""),
        delivery.endpoint].filter(Boolean).join(" · "))]],
      ["Tries", "number third", (delivery) => count(delivery.tries.length)],
      ["Last try", "number third", (delivery) => [ago(last(delivery)?.at), last(delivery) ? second(duration(last(delivery).duration_ms)) : null]],
      ["Act", "", (delivery) => mayWrite ? act("Deliver again", `again-${delivery.id}`, () => post(`${base}/deliveries/${delivery.id}/replay`), "It waits again") : null],
    ], () => `${base}/deliveries${one ? `?endpoint=${encodeURIComponent(one)}` : ""}`, () => empty("No deliveries", "They come with the ends of jobs."));
    fill(content, h("div.head", h("h1", "Webhooks"), may("admin:read") ? h("div.tabs", [["all", "Operators'"], ["mine", "Yours"]]
      .map(([name, label]) => link(`/console/webhooks?scope=${name}`, label, {"aria-current": (name === "all") === isAll ? "true" : null})))
      : null), card("Endpoints", {}, endpoints), card("Deliveries", {class: "flush"}, deliveries.element));
    read();
    deliveries.show(query);
  }

  show(page.query);
  return {element: content, update: show, close() {
    deliveries.stop();
    controller.abort();
  }};
}
