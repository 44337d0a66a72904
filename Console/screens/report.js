/** A research report: the verdict, the checklist, the words, and each figure with its filing. */
import { read, session } from "../api.js";
import { fill, h, outside } from "../dom.js";
import { annual, chart, figureButton, figureCard, figureTable, short, webLink } from "../figures.js";
import { words } from "../format.js";
import { copy, failure, skeleton } from "../parts.js";

const verdicts = { fits: ["Fits", "done"], mixed: ["Mixed", "wait"], does_not_fit: ["Does not fit", "fail"],
  walks_away: ["Walks away", "fail"], abstains: ["Abstains", "off"] };
const charted = ["revenue", "operating_income", "net_income", "free_cash_flow", "diluted_eps", "total_debt"];

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function reportScreen(page) {
  const controller = new AbortController();
  const element = h("div", { class: "screen report" });
  const card = figureCard();
  async function load() {
    fill(element, h("h1", {}, "Report"), skeleton("the report", 9));
    try {
      const { data } = await read(`/api/v1/jobs/${page.id}/result`, controller.signal);
      if (!data.report) {
        page.go(`/console/jobs/${page.id}`, true);
        return;
      }
      const name = `${data.report.company.name}, read as ${data.report.persona.name} would`;
      page.retitle(name);
      element.replaceChildren(...content(data, name).flat(), card.element);
      const target = location.hash && element.querySelector(`[id="${CSS.escape(location.hash.slice(1))}"]`);
      if (target) target.scrollIntoView();
    } catch (error) {
      if (!controller.signal.aborted) fill(element, h("h1", {}, "Report"), failure(error, load));
    }
  }

  /** @param {any} data @param {string} name */
  function content(data, name) {
    const { report, scorecard, provenance } = data;
    const facts = new Map(data.facts.map((/** @type {any} */ fact) => [fact.id, fact]));
    const years = annual(data.facts);
    const labels = [...new Set(years.map((fact) => fact.period.label))].sort().reverse().slice(0, 10);
    const mentions = Map.groupBy ? Map.groupBy(data.mentions ?? [], (/** @type {any} */ one) => one.path.replace(/^report\./, "")) : new Map();
    const prose = (/** @type {string} */ text, /** @type {string} */ path) => marked(text ?? "", mentions.get(path) ?? [], facts);
    const paragraphs = (/** @type {string} */ text, /** @type {string} */ path) => h("div", { class: "prose" }, h("p", {}, prose(text, path)));
    const titled = (/** @type {string} */ member) => report[member].map((/** @type {any} */ one, /** @type {number} */ index) => [
      h("h3", {}, outside(one.title)), h("p", {}, prose(one.detail, `${member}[${index}].detail`))]);
    const parts = [
      section("Checklist", scorecard.items.map((/** @type {any} */ item) => question(item, facts))),
      section("Thesis", paragraphs(report.thesis, "thesis")),
      section("Strengths and risks", h("div", { class: "prose" }, titled("strengths"), titled("risks"))),
      report.valuation && section("Valuation", paragraphs(report.valuation, "valuation")),
      section("What would change the view", h("ul", { class: "prose" }, report.what_would_change_the_view.map(
        (/** @type {any} */ one, /** @type {number} */ index) => h("li", {}, prose(one.text, `what_would_change_the_view[${index}].text`))))),
      section("Not known", report.gaps.length ? h("ul", { class: "prose" }, report.gaps.map((/** @type {any} */ gap) =>
        h("li", {}, outside(typeof gap === "string" ? gap : gap.text ?? gap.what ?? "")))) : h("p", { class: "quiet-text" }, "The report names no gap.")),
    ].filter(Boolean);
    const wide = [
      section("Figures", [h("div", { class: "charts" }, charted.map((concept) => {
        const found = years.filter((fact) => fact.concept === concept && labels.includes(fact.period.label))
          .sort((a, b) => (a.period.end < b.period.end ? -1 : 1));
        return found.length > 1 && chart(found, card.open);
      })), years.length ? figureTable(years, labels, card.open) : h("p", {}, "The filings gave no yearly figures.")]),
      section("Sources", h("ul", { class: "sources" }, report.sources.map((/** @type {any} */ source) => {
        const used = data.facts.filter((/** @type {any} */ fact) => fact.accession_number === source.accession_number).length;
        return h("li", { id: `filing-${source.accession_number}`, tabindex: -1 }, h("strong", {}, source.form), ` filed ${source.filed} · `,
          h("span", { class: "mono" }, source.accession_number), ` · ${used} figures · `, webLink(source.url, "Open at the SEC"));
      }))),
    ];
    const contents = h("nav", { "aria-label": "Contents", class: "contents" }, [...parts, ...wide].map((part) =>
      h("a", { href: `#${part.id}` }, part.dataset.name)));
    return [h("p", { class: "crumbs" }, h("a", { href: "/console/jobs" }, "Jobs"), " / ", h("a", { href: `/console/jobs/${page.id}` }, "this job")),
      h("h1", {}, outside(name)),
      h("div", { class: "title report-meta" }, h("p", { class: "meta" }, h("strong", {}, outside(report.company.ticker)),
        report.company.industry && h("span", {}, outside(report.company.industry)),
        h("span", {}, `Figures as of ${new Date(provenance.gathered_at).toLocaleString("en-GB")}`),
        session.now.simulated && h("span", { class: "simulated" }, "Simulated prose")),
      h("div", { class: "actions" }, h("button", { type: "button", onclick: () => print() }, "Print"),
        h("button", { type: "button", class: "quiet", onclick: () => copy(location.href, page.announce, "the link") }, "Copy link"))),
      h("div", { class: "columns" }, h("aside", { class: "side", "aria-label": "Verdict and contents" }, verdict(report, scorecard), contents),
        h("div", { class: "reading" }, h("p", { class: "lead" }, prose(report.summary, "summary")), parts)), wide,
      h("p", { class: "small provenance" }, `Job ${provenance.job_id} · bundle ${String(provenance.bundle).slice(0, 12)} · `,
        provenance.model_calls.map((/** @type {any} */ call) => call.model).join(", "))];
  }

  /** @param {string} name @param {...any} children */
  function section(name, ...children) {
    const id = name.toLowerCase().replaceAll(" ", "-");
    return h("section", { id, "aria-labelledby": `${id}-title`, "data-name": name, tabindex: -1 }, h("h2", { id: `${id}-title` }, name), children);
  }

  /** @param {any} report @param {any} scorecard */
  function verdict(report, scorecard) {
    const [word, tone] = verdicts[/** @type {"fits"} */ (report.verdict)] ?? [words(report.verdict), "off"];
    const limits = scorecard.thresholds;
    return h("section", { class: `card verdict tone-${tone}`, "aria-labelledby": "verdict" }, h("h2", { id: "verdict", class: "visually-hidden" }, "Verdict"),
      h("div", { class: "score-line" }, report.score === null ? h("span", {}, "No score") : h("span", {},
        h("span", { class: "score" }, report.score), " of 100"), h("span", { class: `badge tone-${tone}` }, word)),
      report.score !== null && h("div", { class: "meter" }, h("span", { class: "fill", vars: { "--value": `${report.score}%` } }),
        limits && [limits.mixed, limits.fits].map((value) => h("span", { class: "tick", vars: { "--value": `${value}%` } }))),
      limits && h("div", { class: "meter-words small" }, h("span", {}, "does not fit"),
        h("span", { vars: { "--value": `${limits.mixed}%` } }, "mixed"), h("span", { vars: { "--value": `${limits.fits}%` } }, "fits")),
      h("p", {}, `Confidence ${report.confidence} of 100. ${scorecard.remarks.join(" ")}`), report.verdict_note && h("p", {}, outside(report.verdict_note)));
  }

  /** @param {any} item @param {Map<string, any>} facts */
  function question(item, facts) {
    const { evidence } = item;
    const value = evidence.value === null ? null : evidence.unit === "ratio" || facts.size ? short(evidence.value, evidence.unit) : String(evidence.value);
    const source = (evidence.figures ?? []).map((/** @type {string} */ id) => facts.get(id)).find(Boolean);
    const open = item.score === null;
    return h("div", { class: `question${open ? " open-question" : ""}` }, h("span", { class: "points" }, open ? "–" : item.score.toFixed(1)),
      h("div", {}, h("p", {}, outside(item.question)), h("p", { class: "small" }, open
        ? outside(evidence.abstained_because ?? evidence.shortfall ?? "It could not be answered.")
        : [`${evidence.title}: `, source ? figureButton(source, value ?? "", card.open, {
          "aria-label": `${evidence.title}: ${value}, from ${source.label}, ${source.period.label}`, title: evidence.formula }) : value]
      , ` weight ${item.weight}`)),
      h("span", { class: "meter", "aria-hidden": "true" }, !open && h("span", { class: "fill", vars: { "--value": `${item.score * 10}%` } })));
  }

  /** The text with a button for each figure that the check found in it.
   * @param {string} text @param {any[]} found @param {Map<string, any>} facts */
  function marked(text, found, facts) {
    const parts = [];
    let at = 0;
    for (const one of [...found].sort((a, b) => a.from - b.from)) {
      const fact = facts.get(one.figure);
      if (!fact || one.from < at) continue;
      parts.push(text.slice(at, one.from), figureButton(fact, text.slice(one.from, one.to), card.open));
      at = one.to;
    }
    return [...parts, text.slice(at)];
  }

  element.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
    const target = link && element.querySelector(`[id="${CSS.escape(/** @type {string} */ (link.getAttribute("href")).slice(1))}"]`);
    if (!target) return;
    event.preventDefault();
    history.replaceState(history.state, "", /** @type {string} */ (link.getAttribute("href")));
    target.scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
  });
  load();
  return { title: "Report", element, close: () => controller.abort() };
}
