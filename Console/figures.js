// The figures of reports: their table by year, their charts, and the dialog with the proof of one.
import {fill, h, outside, popover, svg} from "./dom.js";
import {digits, figure, growth, rough, words} from "./format.js";
import {card, second, table, terms} from "./parts.js";

const charted = ["revenue", "operating_income", "net_income", "free_cash_flow", "diluted_eps", "total_debt"];

/** @typedef {(id: string, from: Element) => void} Open */

/**
 * The annual figures of a result by their concept, oldest first.
 * @param {any} result
 * @returns {Map<string, any[]>}
 */
export function annual(result) {
  /** @type {Map<string, any[]>} */
  const rows = new Map();
  for (const fact of result.facts ?? []) {
    if (fact.period?.kind === "annual") rows.set(fact.concept, [...(rows.get(fact.concept) ?? []), fact]);
  }
  for (const facts of rows.values()) facts.sort((one, other) => one.period.label.localeCompare(other.period.label));
  return rows;
}

/**
 * @param {string} label
 * @param {any} fact
 * @param {Open} open
 * @param {Record<string, any>} [properties]
 */
export function figureButton(label, fact, open, properties = {}) {
  return h("button.figure", {...properties, onclick: (/** @type {Event} */ event) =>
    open(fact.id, /** @type {Element} */ (event.currentTarget))}, label);
}

/**
 * Six charts and the table of all figures by year.
 * @param {any} result
 * @param {Open} open
 */
export function figures(result, open) {
  const rows = annual(result);
  const years = [...new Set([...rows.values()].flat().map((fact) => fact.period.label))].sort().reverse().slice(0, 10);
  const pictures = charted.flatMap((concept) => {
    const facts = rows.get(concept) ?? [];
    return bars(facts[0]?.label, facts.map((fact) => ({year: fact.period.label, value: fact.value, id: fact.id})).slice(-10), open) ?? [];
  });
  const unit = (result.facts ?? []).find((/** @type {any} */ fact) => /^[A-Z]{3}$/.test(fact.unit))?.unit;
  const grid = table("Figures by year", [{name: `Figure${unit ? `, ${unit}` : ""}`, class: "main"}, ...years.map((year) => ({name: year, class: "number"}))],
    [...rows.values()].map((facts) => h("tr", h("th", {scope: "row", class: "main"}, h("span", {title: facts[0].label}, facts[0].label)),
      years.map((year) => {
        const fact = facts.find((one) => one.period.label === year);
        if (!fact) return h("td.number", "–");
        const text = figure(fact.value, fact.unit);
        return h("td.number", figureButton(text.replace(/ ([A-Z]{3}|shares)$/, ""), fact, open,
          {tabindex: "-1", "aria-label": `${fact.label}, ${year}: ${text}`}));
      }))));
  grid.element.classList.add("dense");
  steer(grid.element);
  return card("Figures", {class: "wide", id: "figures"}, h("div.charts", pictures), grid.element);
}

/**
 * Bars over the years: the latest one full, losses in their own tone.
 * @param {string} name
 * @param {{year: string, value: number, id: string}[]} points in the order of time
 * @param {(id: string, from: Element) => void} open
 */
function bars(name, points, open) {
  if (points.length < 2) return null;
  const width = 240;
  const height = 96;
  const base = 78;
  const most = Math.max(...points.map((point) => Math.abs(point.value)), 1e-9);
  const least = Math.min(0, ...points.map((point) => point.value));
  const zero = least < 0 ? base * most / (most + Math.abs(least)) : base;
  const step = width / points.length;
  const first = points[0];
  const last = points[points.length - 1];
  const rate = growth(first.value, last.value, points.length - 1);
  const change = rate === null ? "" : `${(rate * 100).toFixed(1)} % a year`;
  const sentence = `${name}, ${first.year} to ${last.year}: from ${rough(first.value)} to ${rough(last.value)}${change ? `, ${change}` : ""}`;
  return h("figure.chart",
    h("figcaption", h("span", name), h("span.faint", [rough(last.value),
      change && `${rate !== null && rate >= 0 ? "+" : ""}${change}`].filter(Boolean).join(" · "))),
    svg("svg", {viewBox: `0 -8 ${width} ${height + 8}`, role: "img", "aria-label": sentence},
      svg("line", {x1: 0, x2: width, y1: 6, y2: 6, class: "grid"}), svg("text", {x: 0, y: 2}, rough(most)),
      points.map((point, index) => {
        const size = Math.max(1, Math.abs(point.value) / most * (Math.min(zero, base) - 6));
        return svg("rect", {x: index * step + step * 0.15, width: step * 0.7, y: point.value < 0 ? zero : zero - size, height: size,
          class: point.value < 0 ? "loss" : index === points.length - 1 ? "latest" : "year",
          onclick: (/** @type {Event} */ event) => open(point.id, /** @type {Element} */ (event.currentTarget))});
      }),
      svg("line", {x1: 0, x2: width, y1: zero, y2: zero, class: "axis"}),
      svg("text", {x: 0, y: height - 3}, first.year), svg("text", {x: width, y: height - 3, "text-anchor": "end"}, last.year)));
}

/**
 * One stop of Tab for a table of figures: arrows move within it.
 * @param {HTMLElement} table
 */
function steer(table) {
  const cells = () => [...table.querySelectorAll("tbody tr")].map((row) =>
    [...row.querySelectorAll("td")].map((cell) => cell.querySelector("button")));
  let stop = table.querySelector("button");
  if (stop) stop.tabIndex = 0;
  table.addEventListener("focusin", ({target}) => {
    if (!stop || !(target instanceof HTMLButtonElement)) return;
    stop.tabIndex = -1;
    stop = target;
    stop.tabIndex = 0;
  });
  table.addEventListener("keydown", (event) => {
    const moves = /** @type {Record<string, [number, number]>} */ (
      {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]});
    const move = moves[event.key];
    if (!move || !(event.target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    const rows = cells();
    let row = rows.findIndex((line) => line.includes(/** @type {HTMLButtonElement} */ (event.target)));
    let column = rows[row].indexOf(event.target);
    for (;;) {
      row += move[0];
      column += move[1];
      if (rows[row]?.[column] === undefined) return;
      const next = rows[row][column];
      if (!next) continue;
      next.focus();
      return;
    }
  });
}

/**
 * What a figure is, where it stands, and what it was made of.
 * @param {any} one a figure, or one that was computed
 * @param {Element} from the element that opened it, which gets the focus back
 * @param {Map<string, any>} known
 * @param {any} scorecard
 */
export function showFigure(one, from, known, scorecard) {
  const period = one.period?.label ?? one.period;
  const name = period ? `${one.label}, ${period}` : one.label;
  const {adjustment, derivation, restated_from: before} = one;
  /** @type {any[]} */
  const items = scorecard?.items ?? [];
  const asked = items.find(({id, evidence}) => one.id === `score.${id}` || one.id === `metric.${evidence.metric}`);
  const isScore = one.id.startsWith("score.") && asked;
  const parts = (one.figures ?? []).map((/** @type {string} */ id) => known.get(id)).filter(Boolean);
  const points = (/** @type {any} */ item) => typeof item.score === "number" ? `${item.score.toFixed(1)} of 10` : "–";
  /** @type {[string, any][]} */
  const said = [
    ["As reported", derivation || typeof one.reported !== "number" ? null : digits(one.reported, one.unit)],
    ["Points for", isScore && `${asked.evidence.title}: ${figure(asked.evidence.value, asked.evidence.unit)}, weight ${asked.weight}`],
    ["Adjusted", adjustment && `${digits(one.value, one.unit)}: ${adjustment.reason}`],
    ["Restated", before && `${digits(before.reported, one.unit)} in the ${before.form} of ${before.filing_date}`],
    ["How", derivation ? words(derivation.method) : one.id === "score" ? "The mean of the points, by their weights" : one.id === "confidence" ? scorecard.remarks.join(" ") : asked?.evidence.formula],
    ["Tag", !derivation && one.tag && breakable(one.tag)],
    ["Period", one.period?.start ? `${one.period.start} to ${one.period.end}` : one.period?.end ?? period],
    ["Filing", one.form && `${one.form}, filed ${one.filing_date}`],
    ["Accession", one.accession_number && h("code", one.accession_number)],
  ];
  /** The button to the proof of a part.
   * @param {any} part */
  const proof = (part) => h("button.link", {onclick() {
    card.remove();
    showFigure(part, from, known, scorecard);
  }}, `${part.label}, ${part.period?.label ?? part.period}`);
  const card = popover(name, from, h("p.large", figure(one.value, one.unit)),
    terms(said.filter(([, value]) => value)),
    derivation ? sum(derivation.components.map((/** @type {any} */ part) => [`${part.sign === "-" ? "−" : "+"} `, breakable(part.tag),
      `${part.form}, filed ${part.filing_date}`, figure(part.value, one.unit)]), one)
      : one.id === "score" ? sum(items.map((item) => ["", item.question, `weight ${item.weight} · ${item.evidence.title}`, points(item)]), one)
        : parts.length ? sum(parts.map((/** @type {any} */ part) => ["", proof(part), null, figure(part.value, part.unit)]),
          isScore ? {label: asked.evidence.title, ...asked.evidence} : one) : null,
    h("div.row", one.accession_number ? h("a.button.first", {href: `#filing-${one.accession_number}`, onclick: () => {
      card.hidePopover();
      showFiling(one.accession_number, from);
    }}, "Show the filing") : null, one.url ? outside(one.url, "Open at the SEC") : null));
}

const firstLines = 12;

/** @param {any[][]} lines sign, name, where from, value @param {any} one */
function sum(lines, one) {
  const rows = lines.map(([sign, name, source, value]) => h("tr", h("th", {scope: "row"}, sign, name, source && second(source)), h("td.number", value)));
  const last = h("tr", h("th", {scope: "row"}, h("strong", one.label)), h("td.number", h("strong", figure(one.value, one.unit))));
  const body = h("tbody", rows.slice(0, firstLines), rows.length > firstLines ? h("tr", h("td", {colspan: 2},
    h("button.link", {onclick: () => fill(body, rows, last)}, `Show all ${rows.length} figures`))) : null, last);
  return h("table.sum", h("caption.spoken", "What it is made of"), body);
}

/**
 * Goes to the row of a filing, which has the way back.
 * @param {string} accession
 * @param {Element} from
 */
function showFiling(accession, from) {
  const row = document.getElementById(`filing-${accession}`);
  if (!row) return;
  row.querySelector(".back")?.remove();
  row.firstElementChild?.append(" ", h("button.link.back", {onclick: (/** @type {Event} */ event) => {
    /** @type {Element} */ (event.currentTarget).remove();
    if (from instanceof HTMLElement) from.focus();
  }}, "Back to the figure"));
  row.focus();
  row.scrollIntoView({block: "center"});
}

/**
 * A tag that may break before its capitals.
 * @param {string} tag
 */
function breakable(tag) {
  return h("code", tag.split(/(?=[A-Z][a-z])/).flatMap((part, index) => index ? [h("wbr"), part] : [part]));
}
