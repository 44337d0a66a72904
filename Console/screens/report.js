// A research report: the verdict, the prose, the checklist, the figures over the years and their filings.
import {h, fill, outside} from "../dom.js";
import {get} from "../api.js";
import {setTitle} from "../main.js";
import {count, digits, figure, verdicts, words} from "../format.js";
import {card, failure, loading, table, terms, copy} from "../parts.js";
import {bars} from "../charts.js";

const charted = [["revenue", "Revenue"], ["operating_income", "Operating income"], ["net_income", "Net income"],
  ["operating_cash_flow", "Operating cash flow"], ["diluted_shares", "Diluted shares"], ["equity", "Equity"]];

/** @param {Page} page */
export default function report(page) {
  const element = h("div", {class: "report"}, loading("the report"));
  const controller = new AbortController();
  get(`jobs/${encodeURIComponent(page.id)}/result`, controller.signal).then(show, (error) => {
    if (!controller.signal.aborted) fill(element, h("h1", {}, "Report"), failure(error));
  });

  /** @param {any} result */
  function show(result) {
    const report = result.report;
    const title = `${report.company.name}, read as ${report.persona.name} would`;
    setTitle(title);
    /** @type {Map<string, any>} */
    const known = new Map([...(result.facts ?? []), ...(result.computed ?? [])].map((one) => [one.id, one]));
    const isSimulated = result.provenance?.model_calls?.some((/** @type {any} */ call) => /sim/.test(call.request_id ?? ""))
      ?? false;
    const open = (/** @type {string} */ id, /** @type {Element} */ from) => show1(known.get(id), from);

    /** @param {any} one @param {Element} from */
    function show1(one, from) {
      if (one) figureDialog(one, from, known);
    }

    fill(element,
      h("article", {},
        h("header", {class: "report-head"}, h("h1", {}, h("bdi", {}, title)),
          isSimulated ? h("span", {class: "tag"}, "Simulated prose") : null,
          h("p", {class: "faint"}, [report.company.ticker, report.company.industry].filter(Boolean).join(" · ")),
          h("div", {class: "actions"}, h("button", {type: "button", onclick: () => print()}, "Print"),
            h("button", {type: "button", onclick: () => copy(location.href, "link")}, "Copy link"),
            h("a", {class: "button", href: `/console/jobs/${page.id}`}, "Show the job"))),
        h("div", {class: "columns"},
          h("div", {class: "prose"}, paragraphs(report.summary, "lead"),
            section("Thesis", report.thesis),
            h("section", {}, h("h2", {}, "Strengths and risks"), list(report.strengths), list(report.risks)),
            section("Valuation", report.valuation),
            report.what_would_change_the_view?.length ? h("section", {}, h("h2", {}, "What would change the view"),
              h("ul", {}, report.what_would_change_the_view.map((/** @type {any} */ item) => h("li", {}, item.text)))) : null,
            report.gaps?.length ? h("section", {}, h("h2", {}, "Not known"),
              h("ul", {}, report.gaps.map((/** @type {any} */ gap) => h("li", {}, typeof gap === "string" ? gap : gap.text ?? gap.what))))
              : null),
          h("aside", {}, verdict(report))),
        result.scorecard ? checklist(result.scorecard, known, open) : null,
        figures(result, open), sources(report, result.facts ?? [])));
    const place = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    place?.focus();
  }
  return {title: "Report", element, close: () => controller.abort()};
}

/** @param {string} text @param {string} [name] */
function paragraphs(text, name) {
  return (text ?? "").split(/\n\s*\n/).map((part) => h("p", {class: name}, part));
}

/** @param {string} name @param {string | null} text */
function section(name, text) {
  return text ? h("section", {}, h("h2", {}, name), paragraphs(text)) : null;
}

/** @param {any[]} items */
function list(items) {
  return h("ul", {class: "points"}, (items ?? []).map((item) => h("li", {}, h("strong", {}, item.title), " ", item.detail)));
}

/** @param {any} report */
function verdict(report) {
  return card("Verdict", {class: "verdict"},
    h("p", {class: "score"}, report.score === null ? "–" : count(report.score), h("span", {}, " of 100")),
    h("p", {}, h("strong", {}, verdicts[report.verdict] ?? words(report.verdict ?? ""))),
    report.score === null ? null : h("div", {class: "meter", role: "img", "aria-label": `Score ${report.score} of 100`,
      vars: {"--share": `${report.score}%`}}, h("span")),
    h("p", {class: "faint"}, `Confidence ${count(report.confidence)} of 100: the part of the checklist that the filings answer.`),
    report.verdict_note ? h("p", {}, report.verdict_note) : null);
}

/**
 * @param {any} scorecard
 * @param {Map<string, any>} known
 * @param {(id: string, from: Element) => void} open
 */
function checklist(scorecard, known, open) {
  return card("Checklist", {}, table("Checklist", [{name: "Points", class: "number"}, {name: "Question", class: "main"},
    {name: "Figure", class: "number"}, {name: "Weight", class: "number third"}],
  scorecard.items.map((/** @type {any} */ item) => {
    const evidence = item.evidence ?? {};
    const isAnswered = item.score !== null && item.score !== undefined;
    return h("tr", {class: "tall"}, h("td", {class: "number"}, isAnswered ? `${item.score.toFixed(1)} of 10` : "–"),
      h("td", {class: "main wrap"}, item.question, h("span", {class: "second"},
        isAnswered ? evidence.title : evidence.abstained_because ?? "The filings do not say."),
      h("span", {class: `meter ${isAnswered ? "" : "open"}`, vars: {"--share": `${(item.score ?? 0) * 10}%`}}, h("span"))),
      h("td", {class: "number"}, evidence.value === null || evidence.value === undefined ? "–"
        : evidence.figures?.length && known.has(evidence.figures[0])
          ? h("button", {type: "button", class: "figure", "aria-label": `${evidence.title}: ${figure(evidence.value, evidence.unit)}`,
            onclick: (/** @type {Event} */ event) => open(evidence.figures[0], /** @type {Element} */ (event.currentTarget))},
          figure(evidence.value, evidence.unit))
          : figure(evidence.value, evidence.unit)),
      h("td", {class: "number third"}, count(item.weight)));
  })).element, (scorecard.remarks ?? []).map((/** @type {string} */ remark) => h("p", {class: "faint"}, remark)));
}

/**
 * @param {any} result
 * @param {(id: string, from: Element) => void} open
 */
function figures(result, open) {
  const annual = (result.facts ?? []).filter((/** @type {any} */ fact) => fact.period?.kind === "annual"
    || /^FY\d{4}$/.test(fact.period?.label ?? fact.period ?? ""));
  /** @type {Map<string, any[]>} */
  const rows = new Map();
  for (const fact of annual) rows.set(fact.concept, [...(rows.get(fact.concept) ?? []), fact]);
  const years = [...new Set(annual.map((/** @type {any} */ fact) => fact.period.label))].sort().reverse().slice(0, 10);
  const pictures = charted.map(([concept, name]) => {
    const points = (rows.get(concept) ?? []).map((fact) => ({year: fact.period.label, value: fact.value, id: fact.id}))
      .sort((one, other) => one.year.localeCompare(other.year)).slice(-10);
    return bars(name, points, rows.get(concept)?.[0]?.unit ?? "", open);
  });
  const grid = table("Figures by year", [{name: "Figure", class: "main"},
    .../** @type {string[]} */ (years).map((year) => ({name: year, class: "number"}))],
  [...rows.values()].map((facts) => h("tr", {}, h("th", {scope: "row", class: "main"}, facts[0].label),
    years.map((year) => {
      const fact = facts.find((one) => one.period.label === year);
      return h("td", {class: "number"}, fact ? h("button", {type: "button", class: "figure", tabindex: "-1",
        "aria-label": `${fact.label}, ${year}: ${figure(fact.value, fact.unit)}`,
        onclick: (/** @type {Event} */ event) => open(fact.id, /** @type {Element} */ (event.currentTarget))},
      figure(fact.value, fact.unit).replace(/ ([A-Z]{3}|shares)$/, "")) : "–");
    }))));
  steer(grid.element);
  return card("Figures", {class: "wide"}, h("div", {class: "charts"}, pictures), grid.element);
}

/**
 * One stop of Tab for a table of figures: arrows move within it.
 * @param {HTMLElement} table
 */
function steer(table) {
  const cells = () => [...table.querySelectorAll("tbody tr")].map((row) =>
    [...row.querySelectorAll("td")].map((cell) => cell.querySelector("button")));
  const first = table.querySelector("button");
  if (first) first.tabIndex = 0;
  table.addEventListener("keydown", (event) => {
    const moves = /** @type {Record<string, [number, number]>} */ (
      {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]});
    const move = moves[event.key];
    if (!move || !(event.target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    const rows = cells();
    let row = rows.findIndex((line) => line.includes(/** @type {HTMLButtonElement} */ (event.target)));
    let column = rows[row].indexOf(event.target);
    for (let step = 0; step < 60; step++) {
      row += move[0];
      column += move[1];
      const next = rows[row]?.[column];
      if (rows[row] === undefined || rows[row][column] === undefined) return;
      if (next) {
        event.target.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
        return;
      }
    }
  });
}

/**
 * @param {any} one a figure, or one that was computed
 * @param {Element} from
 * @param {Map<string, any>} known
 */
function figureDialog(one, from, known) {
  const period = one.period?.label ?? one.period ?? "";
  const name = `${one.label}, ${period}`;
  const span = one.period?.start ? `${one.period.start} to ${one.period.end}` : one.period?.end ?? period;
  const sum = (one.figures ?? []).map((/** @type {string} */ id) => known.get(id)).filter(Boolean);
  const dialog = h("dialog", {"aria-label": name, class: "figure-card"},
    h("p", {class: "faint"}, name), h("p", {class: "large"}, figure(one.value, one.unit)),
    terms([["As reported", one.reported === undefined ? "–" : digits(one.reported, one.unit)],
      ...(one.tag ? /** @type {[string, any][]} */ ([["Tag", breakable(one.tag)]]) : []), ["Period", span],
      ...(one.form ? /** @type {[string, any][]} */ ([["Filing", `${one.form}, ${one.filing_date}`],
        ["Accession", h("code", {}, one.accession_number)]]) : []),
      ...(sum.length ? /** @type {[string, any][]} */ ([["How", h("ul", {}, sum.slice(0, 12).map((/** @type {any} */ part) =>
        h("li", {}, `${part.label}, ${part.period?.label ?? part.period}: ${figure(part.value, part.unit)}`)))]]) : [])]),
    h("div", {class: "row"}, one.accession_number
      ? h("a", {class: "button", href: `#filing-${one.accession_number}`, onclick: () => {
        dialog.close();
        document.getElementById(`filing-${one.accession_number}`)?.focus();
      }}, "Show the filing") : null,
    one.url ? outside(one.url, "Open at the SEC") : null,
    h("button", {type: "button", autofocus: true, onclick: () => dialog.close()}, "Close")));
  dialog.addEventListener("close", () => {
    dialog.remove();
    const filing = document.activeElement?.id.startsWith("filing-");
    if (!filing && from instanceof HTMLElement) from.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * A tag that may break before its capitals.
 * @param {string} tag
 */
function breakable(tag) {
  return h("span", {}, tag.split(/(?=[A-Z])/).flatMap((part, index) => index ? [h("wbr"), part] : [part]));
}

/**
 * @param {any} report
 * @param {any[]} facts
 */
function sources(report, facts) {
  return card("Sources", {class: "wide"}, table("Sources", [{name: "Filing", class: "main"}, {name: "Filed", class: "number"},
    {name: "Figures", class: "number"}], (report.sources ?? []).map((/** @type {any} */ filing) => h("tr",
    {id: `filing-${filing.accession_number}`, tabindex: "-1"},
    h("td", {class: "main"}, h("strong", {}, filing.form), " ", outside(filing.url, filing.accession_number)),
    h("td", {class: "number"}, filing.filed),
    h("td", {class: "number"}, count(facts.filter((fact) => fact.accession_number === filing.accession_number).length))))).element,
  report.sources_note ? h("p", {class: "faint"}, report.sources_note) : null);
}
