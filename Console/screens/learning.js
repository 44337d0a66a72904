// What one reads and learns: the news of a day, recall cards, and the results of jobs but reports.
import {h, fill, outside} from "../dom.js";
import {get, kindTitle, kindTitles, post, send} from "../api.js";
import {opened} from "../live.js";
import {provenance} from "./reports.js";
import {count, plural, words} from "../format.js";
import {ago, announce, badge, card, empty, failure, grid, loading, named, second, value, worker} from "../parts.js";

/** @param {Page} page */
export function news(page) {
  const content = h("div.news");
  const holdings = h("div");
  const day = h("input", {id: "day", type: "date", onchange: () => page.go(day.value ? `/console/news?date=${day.value}` : "/console/news")});
  const {show, close} = opened(content, "the news", async (query, signal) => {
    const [date, ticker] = [query.get("date"), query.get("ticker")?.toUpperCase()];
    const found = await send("GET", `/v1/feed/story-groups?limit_global=20&limit_per_ticker=5${date ? `&date=${encodeURIComponent(date)}` : ""}`, {signal});
    day.value = found.date;
    showHoldings(found.user_holdings);
    /** @type {any[]} */
    const all = found.merged_feed?.length ? found.merged_feed : found.global;
    const groups = ticker ? all.filter((one) => [one.primary_ticker, ...one.related_tickers.map((/** @type {any} */ other) => other.ticker)].includes(ticker)) : all;
    return [ticker ? h("p", h("a.tag", {href: date ? `/console/news?date=${date}` : "/console/news"}, `${ticker} ×`)) : null,
      groups.length ? groups.map(story) : empty("No stories", "None were taken in for this day.",
        date ? h("a.button", {href: "/console/news"}, "Show today") : null)];
  });

  /** @param {any} group */
  function story(group) {
    const told = group.explanation ?? {};
    const tone = {High: "fail", Moderate: "wait"}[/** @type {"High"} */ (group.impact_level)] ?? "off";
    const problem = h("div");
    return h("article", h("h2", group.group_title), h("p.row",
      badge(`${group.impact_level} impact`, tone, tone === "fail" ? "run" : "off"),
      h("span.faint", [plural(group.article_count, "article"), group.rank_reason].filter(Boolean).join(" · ")),
      [...new Set([group.primary_ticker, ...group.related_tickers.map((/** @type {any} */ one) => one.ticker)].filter(Boolean))].map((ticker) =>
        h("a.tag", {href: `/console/news?ticker=${encodeURIComponent(ticker)}`}, ticker))),
    told.what_happened ? [h("p.lead", told.what_happened), h("details", h("summary", "Explanation"),
      h("div.told", explanation({...told, what_happened: null}, "h3")))]
      : [h("p.faint", "It is not explained yet."), worker("Explain it", async () => {
        try {
          const job = await post("jobs", {kind: "explanation", input: {story_id: group.id}}, crypto.randomUUID());
          page.go(`/console/jobs/${job.id}`);
        } catch (error) {
          fill(problem, failure(error));
        }
      })], problem);
  }

  /** @param {string[]} held */
  function showHoldings(held) {
    const input = h("input", {id: "holdings", value: held.join(" "), placeholder: "AAPL SNOW"});
    const problem = h("div");
    fill(holdings, h("form.row", {onsubmit: async () => {
      try {
        await send("PUT", "/v1/preferences", {body: {holdings: input.value.toUpperCase().split(/[\s,]+/).filter(Boolean)}});
        announce("The holdings are stored");
        await show(new URLSearchParams(location.search));
      } catch (error) {
        fill(problem, failure(error));
      }
    }}, h("label", {for: "holdings"}, "Tickers that you hold"), input, h("button", {type: "submit"}, "Store"), problem));
  }

  show(page.query);
  return {element: h("div", h("div.head", h("h1", "News"), h("span.space"), h("span.row", h("label", {for: "day"}, "Day"), day)),
    content, card("Holdings", {}, holdings)), update: show, close};
}

const grades = ["again", "hard", "good", "easy"];
/** @param {Page} page */
export function cards(page) {
  const place = h("div.recall", loading("the cards"));
  const concepts = h("div", loading("the concepts"));
  const controller = new AbortController();
  /** @type {any[]} */
  let due = [];
  /** What a key does now.
   * @type {Record<string, () => void>} */
  let keys = {};

  async function read() {
    try {
      due = await get("recall/due?per_page=50", controller.signal);
      next();
      const known = await get("recall/concepts?per_page=50", controller.signal);
      fill(concepts, known.length ? grid("Concepts", [
        ["Standing", "", (one) => named(one.standing)],
        ["Concept", "main", (one) => h("span", one.concept)], ["Recall", "number", (one) => `${Math.round(one.recall * 100)} %`],
        ["Answers", "number third", (one) => count(one.answers)], ["Last", "number third", (one) => ago(one.last_answered_at)]], known)
        : h("p.remark", "Concepts come with answers."));
    } catch (error) {
      if (!controller.signal.aborted) fill(place, failure(error, read));
    }
  }

  function next() {
    const one = due[0];
    keys = {};
    if (!one) {
      fill(place, empty("No card is due", "Cards come from the questions of analyses.",
        h("a.button.first", {key: "start", href: "/console/start?kind=analyze"}, "Analyse an article")));
      return;
    }
    const key = crypto.randomUUID();
    const options = one.type === "mcq" ? one.options.map((/** @type {string} */ option, /** @type {number} */ index) => {
      keys[String(index + 1)] = () => answer(one, {answer: option}, key);
      return h("button", {onclick: keys[index + 1]}, h("kbd", String(index + 1)), " ", h("span", option));
    }) : null;
    const show = () => reveal(one, key);
    if (!options) keys[" "] = show;
    draw(one, options ? h("div.options", options)
      : h("button.first", {key: "show", onclick: show}, "Show the answer ", h("kbd", "Space")));
  }

  /** @param {any} one @param {...any} rest */
  function draw(one, ...rest) {
    fill(place, card("Card", {class: "recall-card"}, h("p.faint", `${count(due.length)} due · ${one.concept}`),
      h("p.question", one.question), rest));
  }

  /** @param {any} one @param {string} key */
  async function reveal(one, key) {
    keys = {};
    try {
      const whole = await get(`recall/${one.id}`, controller.signal);
      draw(one, h("p.lead", {role: "status"}, whole.answer), passage(whole.source_span, whole.source),
        h("div.row", {role: "group", "aria-label": "How it went"}, grades.map((grade, index) => {
          keys[String(index + 1)] = () => answer(one, {rating: grade}, key);
          return h("button", {key: grade, onclick: keys[index + 1]}, h("kbd", String(index + 1)), " ", words(grade));
        })));
      place.querySelector("button")?.focus();
    } catch (error) {
      fill(place, failure(error, next));
    }
  }

  /** @param {any} one @param {any} given @param {string} key */
  async function answer(one, given, key) {
    keys = {};
    try {
      const grade = await post(`recall/${one.id}/answers`, given, key);
      due = due.slice(1);
      if (given.rating) {
        announce(`Due again ${grade.due_at.slice(0, 10)}`);
        next();
        place.querySelector("button")?.focus();
        return;
      }
      const isRight = grade.is_right;
      keys[" "] = next;
      draw(one, h("p.row", {role: "status"}, badge(isRight ? "Right" : "Wrong", isRight ? "done" : "fail"),
        h("strong", grade.answer)), passage(grade.sentence, grade.source),
      h("button.first", {key: "next", onclick: next}, "Next card ", h("kbd", "Space")));
      place.querySelector("button")?.focus();
    } catch (error) {
      fill(place, failure(error, next));
    }
  }

  /** @param {string} text @param {any} source */
  function passage(text, source) {
    return h("blockquote", h("p", text), h("p.faint", outside(source.url, source.title ?? "The source")));
  }

  document.addEventListener("keydown", (event) => {
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem("keys") === "off" || document.querySelector("dialog[open]")) return;
    if (target !== document.body && !place.contains(target) && target.id !== "main") return;
    // A button that has the focus answers to Space itself.
    if (!keys[event.key] || (event.key === " " && target.tagName === "BUTTON")) return;
    event.preventDefault();
    keys[event.key]();
  }, {signal: controller.signal});
  read();
  return {element: h("div", h("h1", "Recall cards"), place, card("Concepts", {class: "flush"}, concepts)),
    close: () => controller.abort()};
}

const sections = ["what_happened", "why_it_happened", "why_it_matters_now", "for_your_holdings", "what_to_watch_next", "what_this_does_not_mean"];

/**
 * @param {any} told
 * @param {string} [level] of its headings
 */
function explanation(told, level = "h2") {
  const length = sections.map((member) => told[member] ?? "").join(" ").split(/\s+/).length;
  return [
    h("p.faint", [`${Math.max(1, Math.round(length / 220))} min to read`,
      told.cause_confidence ? `confidence in the cause: ${told.cause_confidence.toLowerCase()}` : null].filter(Boolean).join(" · ")),
    sections.map((member) => told[member] ? h("section", h(level, {}, words(member)), h("p", told[member])) : null),
    told.not_known_yet?.length ? h("section", h(level, {}, "Not known yet"), h("ul", told.not_known_yet.map((/** @type {string} */ one) => h("li", one)))) : null,
    told.sources_summary?.length ? h("section", h(level, {}, "Sources"), h("ul.sources", told.sources_summary.map((/** @type {any} */ one) =>
      h("li", outside(one.url, one.title), h("span.faint", ` ${one.publisher}, ${one.published_date?.slice(0, 10) ?? ""}`))))) : null,
  ];
}

/**
 * Companies, or investors, beside each other.
 * @param {any} comparison
 */
function compared({by, columns, rows, notes, text, text_note: note}) {
  const isBy = by === "companies";
  const [first] = columns;
  const names = columns.map((/** @type {any} */ one) => isBy ? one.company.ticker : one.persona.name);
  const each = (/** @type {string} */ title, /** @type {(column: any) => Child} */ make) => [title, columns.map(make)];
  const cell = (/** @type {any} */ one) => !one ? "not asked" : one.written
    ? [one.written, second(outside(one.url, typeof one.score === "number" ? `${one.score.toFixed(1)} of 10` : one.period))] : "–";
  return [h("h1", isBy ? `${names.join(", ")}, read as ${first.persona.name} would` : `${first.company.name}, read as ${names.join(", ")} would`),
    h("div.told", h("p.lead", text?.summary ?? note), text?.differences.map((/** @type {any} */ one) => h("section", h("h2", one.title), h("p", one.detail)))),
    notes.map((/** @type {string} */ one) => h("p.faint", one)),
    grid("Comparison", [["Figure", "main wrap", ([title]) => h("strong", title)],
      ...names.map((/** @type {string} */ name, /** @type {number} */ index) => [name, "number", (/** @type {any} */ [, cells]) => cells[index]])],
    [each("Verdict", (one) => named(one.verdict)), each("Score", (one) => count(one.score)), each("Confidence", (one) => count(one.confidence)),
      ...rows.map((/** @type {any} */ row) => [row.title, row.cells.map(cell)])], "dense"),
    columns.map((/** @type {any} */ one, /** @type {number} */ index) => one.walk_aways.length + one.gaps.length
      ? card(names[index], {}, value("", {walks_away: one.walk_aways, not_known: one.gaps})) : null)];
}

/** @param {Page} page */
export function result(page) {
  const element = h("div");
  const {show, close} = opened(element, "the result", async (_, signal) => {
    const [found] = await Promise.all([get(`jobs/${encodeURIComponent(page.id)}/result`, signal), kindTitles()]);
    const title = found.group_title ?? found.title ?? found.content?.title ?? kindTitle(found.kind);
    if (found.comparison) return [h("p.crumbs", h("a", {href: `/console/jobs/${page.id}`}, "Show the job")), compared(found.comparison), provenance(found.provenance)];
    const {kind, id, conversation_id: _id, title: _title, provenance: made, explanation: told, ...members} = found;
    const all = Object.entries(members).filter(([, one]) => one !== null && one !== "" && !(Array.isArray(one) && one.length === 0));
    const isFlat = (/** @type {[string, any]} */ [, one]) => typeof one !== "object";
    return [h("div.head", h("h1", h("bdi", title)), h("span.space"),
      h("a.button", {href: `/console/jobs/${page.id}`}, "Show the job")),
    card(kindTitle(kind), {}, value("", Object.fromEntries(all.filter(isFlat)))),
    told ? card("Explanation", {}, h("div.told", explanation(told, "h3"))) : null,
    all.filter((one) => !isFlat(one)).map(([name, one]) => card(words(name), {}, value(name, one))), provenance(made)];
  }, () => h("h1", "Result"));
  show(page.query);
  return {element, close};
}
