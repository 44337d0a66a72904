/** Figures of filings: their text, their charts, and the card that shows the source of one. */
import { fill, h, outside, setVars } from "./dom.js";
import { count, words } from "./format.js";

/** A figure as a table shows it.
 * @param {number} value @param {string} unit */
export function short(value, unit) {
  if (unit === "ratio") return `${(value * 100).toFixed(1)} %`;
  if (unit === "USD/shares") return value.toFixed(2);
  if (Math.abs(value) >= 1e6) return `${Math.round(value / 1e6).toLocaleString("en-US")} M`;
  return value.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

/** All digits of a figure.
 * @param {number} value @param {string} unit */
export function exact(value, unit) {
  return `${value.toLocaleString("en-US", { maximumFractionDigits: 6 })} ${unit}`;
}

/** A rough figure for axes: 416 B.
 * @param {number} value */
export function rough(value) {
  const size = Math.abs(value);
  for (const [limit, letter] of /** @type {[number, string][]} */ ([[1e12, "T"], [1e9, "B"], [1e6, "M"]])) {
    if (size >= limit) return `${size / limit >= 100 ? Math.round(value / limit) : (value / limit).toFixed(1)} ${letter}`;
  }
  return value.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

/** The growth a year between the first and the last of some values; nothing where it has no meaning.
 * @param {number} first @param {number} last @param {number} years */
export function growth(first, last, years) {
  return first > 0 && last > 0 && years > 0 ? (Math.pow(last / first, 1 / years) - 1) * 100 : null;
}

/** A link of the data, when it is one of the web, with its host as text.
 * @param {string} address @param {string} name */
export function webLink(address, name) {
  let url = null;
  try { url = new URL(address); } catch { return outside(name); }
  if (!["https:", "http:"].includes(url.protocol)) return outside(name);
  return h("a", { href: url.href, target: "_blank", rel: "noopener noreferrer", class: "web" }, name,
    h("span", { class: "host" }, ` ${url.host}`));
}

/** Bars over the years, of one figure.
 * @param {any[]} facts from the oldest to the newest @param {(fact: any, from: Element) => void} open */
export function chart(facts, open) {
  const values = facts.map((fact) => fact.value);
  const [top, bottom] = [Math.max(0, ...values), Math.min(0, ...values)];
  const [first, last] = [facts[0], facts[facts.length - 1]];
  const rate = growth(first.value, last.value, facts.length - 1);
  const caption = `${rough(last.value)}${rate === null ? "" : ` · ${rate >= 0 ? "+" : "−"}${Math.abs(rate).toFixed(1)} % a year`}`;
  const sentence = `${first.label}, ${first.period.label} to ${last.period.label}: from ${rough(first.value)} to ${rough(last.value)}`
    + (rate === null ? "" : `, ${rate.toFixed(1)} % a year`);
  const [width, height, step] = [240, 80, 240 / facts.length];
  const y = (/** @type {number} */ value) => ((top - value) / (top - bottom || 1)) * height;
  return h("figure", { class: "chart" },
    h("figcaption", {}, h("strong", {}, outside(first.label)), h("span", {}, caption)),
    h("span", { class: "axis-text" }, rough(top)),
    h("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": sentence, preserveAspectRatio: "none" },
      h("path", { class: "grid", d: `M0 .5H${width}` }),
      facts.map((fact, index) => h("rect", { class: `${fact.value < 0 ? "negative" : ""} ${index === facts.length - 1 ? "latest" : ""}`,
        x: index * step + step * 0.1, width: step * 0.8, y: Math.min(y(fact.value), y(0)), height: Math.max(Math.abs(y(fact.value) - y(0)), 1),
        onclick: (/** @type {Event} */ event) => open(fact, /** @type {Element} */ (event.currentTarget)) }))),
    h("span", { class: "ends axis-text" }, h("span", {}, first.period.label), h("span", {}, last.period.label)));
}

/** A button that opens the card of a figure.
 * @param {any} fact @param {string} text @param {(fact: any, from: Element) => void} open @param {Record<string, any>} [more] */
export function figureButton(fact, text, open, more = {}) {
  return h("button", { type: "button", class: "figure", "data-key": `figure ${fact.id}`,
    "aria-label": `${fact.label}, ${fact.period.label}: ${short(fact.value, fact.unit)} ${fact.unit}`,
    onclick: (/** @type {Event} */ event) => open(fact, /** @type {Element} */ (event.currentTarget)), ...more }, text);
}

/** The table of figures by year. It is one stop of Tab: arrows move, Enter opens.
 * @param {any[]} facts @param {string[]} years @param {(fact: any, from: Element) => void} open */
export function figureTable(facts, years, open) {
  const concepts = [...new Set(facts.map((fact) => fact.concept))];
  const byPlace = new Map(facts.map((fact) => [`${fact.concept} ${fact.period.label}`, fact]));
  let isFirst = true;
  const rows = concepts.map((concept) => {
    const label = facts.find((fact) => fact.concept === concept).label;
    return h("tr", {}, h("th", { scope: "row" }, h("span", { class: "line", title: label }, outside(label))), years.map((year) => {
      const fact = byPlace.get(`${concept} ${year}`);
      if (!fact) return h("td", { class: "number" }, "–");
      const button = figureButton(fact, short(fact.value, fact.unit), open, { tabindex: isFirst ? 0 : -1 });
      isFirst = false;
      return h("td", { class: "number" }, button);
    }));
  });
  const table = h("table", { class: "figures" }, h("caption", { class: "visually-hidden" }, "Figures by year"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Figure"), years.map((year) => h("th", { scope: "col", class: "number" }, year)))),
    h("tbody", {}, rows));
  table.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const button = /** @type {Element} */ (event.target).closest("button");
    if (!move || !button) return;
    event.preventDefault();
    const grid = [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1));
    let [row, column] = [grid.findIndex((cells) => cells.some((cell) => cell.contains(button))), 0];
    column = grid[row].findIndex((cell) => cell.contains(button));
    for (;;) {
      [row, column] = [row + move[0], column + move[1]];
      const cell = grid[row]?.[column];
      if (!cell) return;
      const next = cell.querySelector("button");
      if (!next) continue;
      button.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
      return;
    }
  });
  return h("div", { class: "scroll table-frame", role: "group", "aria-label": "Figures by year, scrolls sideways", tabindex: 0 }, table);
}

/** The card of one figure: its value, its filing, its sum.
 * @returns {{element: HTMLElement, open: (fact: any, from: Element) => void}} */
export function figureCard() {
  const element = h("div", { popover: "auto", role: "dialog", class: "figure-card", tabindex: "-1" });
  /** @type {Element | null} */ let from = null;
  element.addEventListener("toggle", (/** @type {any} */ event) => {
    if (event.newState === "closed") {
      from?.classList.remove("open");
      if (!document.activeElement || document.activeElement === document.body || element.contains(document.activeElement)) {
        /** @type {HTMLElement | null} */ (from)?.focus?.();
      }
    }
  });
  return { element, open(fact, origin) {
    from?.classList.remove("open");
    from = origin;
    origin.classList.add("open");
    const name = `${fact.label}, ${fact.period.label}`;
    element.setAttribute("aria-label", name);
    const term = (/** @type {string} */ title, /** @type {any} */ value) => value && h("div", {}, h("dt", {}, title), h("dd", {}, value));
    const { adjustment, derivation, restated_from: before } = fact;
    fill(element, h("div", { class: "card-top" }, h("p", { class: "quiet-text" }, outside(name)),
      h("button", { type: "button", class: "quiet close", "aria-label": "Close", onclick: () => element.hidePopover() }, "×")),
    h("p", { class: "value" }, short(fact.value, fact.unit), h("span", { class: "unit" }, ` ${fact.unit}`)),
    h("dl", {}, term("As reported", exact(fact.reported, fact.unit)),
      term("Adjusted", adjustment && `${exact(fact.value, fact.unit)}: ${adjustment.reason}`),
      term("Tag", h("span", { class: "mono" }, breakable(fact.tag))),
      term("Period", [fact.period.start, fact.period.end].filter(Boolean).join(" to ")),
      term("Filing", `${fact.form}, filed ${fact.filing_date}`), term("Accession", h("span", { class: "mono" }, fact.accession_number)),
      term("Restated", before && `${exact(before.reported, fact.unit)} in the ${before.form} filed ${before.filing_date}`),
      term("How", derivation && words(derivation.method))),
    derivation && h("table", { class: "sum" }, h("tbody", {}, derivation.components.map((/** @type {any} */ part) => h("tr", {},
      h("th", { scope: "row" }, part.sign === "-" ? "− " : "+ ", h("span", { class: "mono" }, breakable(part.tag.replace(/^.*:/, ""))),
        h("span", { class: "quiet-text" }, ` ${part.form} ${part.filing_date}`)), h("td", { class: "number" }, short(part.value, fact.unit)))),
    h("tr", { class: "total" }, h("th", { scope: "row" }, outside(fact.label)), h("td", { class: "number" }, short(fact.value, fact.unit))))),
    h("div", { class: "actions" }, h("a", { class: "button first", href: `#filing-${fact.accession_number}`,
      onclick: () => element.hidePopover() }, "Show the filing"), webButton(fact.url)));
    element.showPopover();
    const box = origin.getBoundingClientRect();
    const own = element.getBoundingClientRect();
    const below = box.bottom + 8 + own.height < innerHeight;
    setVars(element, { "--left": `${Math.max(8, Math.min(box.left, innerWidth - own.width - 8))}px`,
      "--top": `${Math.max(8, below ? box.bottom + 8 : box.top - own.height - 8)}px` });
    element.focus({ preventScroll: true });
  } };
}

/** @param {string} address */
function webButton(address) {
  const link = webLink(address, "Open at the SEC");
  if (link instanceof HTMLAnchorElement) link.classList.add("button");
  return link;
}

/** A tag that may break between its words.
 * @param {string} tag */
function breakable(tag) {
  return tag.split(/(?=[A-Z][a-z])/).flatMap((part) => [part, h("wbr")]);
}

/** @param {any[]} facts */
export function annual(facts) {
  return facts.filter((fact) => fact.period.kind === "annual");
}

/** @param {number} value */
export function points(value) {
  return value === null || value === undefined ? "–" : count(value);
}
