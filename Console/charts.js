// Small bar charts: one series over the years, the latest year full, losses in their own tone.
import {h, svg} from "./dom.js";
import {figure, growth} from "./format.js";

/**
 * @param {string} name
 * @param {{year: string, value: number, id: string}[]} points in the order of time
 * @param {string} unit
 * @param {(id: string, from: Element) => void} open
 */
export function bars(name, points, unit, open) {
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
  const change = rate === null ? "" : `, ${(rate * 100).toFixed(1)} % a year`;
  const sentence = `${name}, ${first.year} to ${last.year}: from ${figure(first.value, unit)} to ${figure(last.value, unit)}${change}`;
  return h("figure", {class: "chart"},
    h("figcaption", {}, h("span", {}, name), h("span", {class: "faint"}, change.replace(", ", ""))),
    svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": sentence},
      svg("line", {x1: 0, x2: width, y1: 6, y2: 6, class: "grid"}),
      points.map((point, index) => {
        const size = Math.max(1, Math.abs(point.value) / most * (Math.min(zero, base) - 6));
        return svg("rect", {x: index * step + step * 0.15, width: step * 0.7, y: point.value < 0 ? zero : zero - size, height: size,
          class: point.value < 0 ? "loss" : index === points.length - 1 ? "latest" : "year",
          onclick: (/** @type {Event} */ event) => open(point.id, /** @type {Element} */ (event.currentTarget))});
      }),
      svg("line", {x1: 0, x2: width, y1: zero, y2: zero, class: "axis"}),
      svg("text", {x: 0, y: height - 3}, first.year), svg("text", {x: width, y: height - 3, "text-anchor": "end"}, last.year)),
    h("p", {class: "latest-value"}, figure(last.value, unit)));
}
