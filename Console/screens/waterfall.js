/** The timeline of a job as a table whose last column draws. */
import { fill, h, outside, reconcile, setVars } from "../dom.js";
import { clock, duration } from "../format.js";
import { card } from "../parts.js";
import { scale, timeline } from "../timeline.js";

const firstRows = 200;
const moreRows = 500;

/** @returns {{element: HTMLElement, show: (job: any, says: Map<string, string>) => void}} */
export function drawing() {
  let limit = firstRows;
  /** @type {[any, Map<string, string>] | null} */
  let shown = null;
  const rows = h("tbody", {});
  const axis = h("th", { scope: "col", class: "when" });
  const more = h("div", {});
  const legend = h("div", { class: "legend", "aria-hidden": "true" }, [["done", "done"], ["running", "running"],
    ["call", "model call"], ["journal", "from the journal"], ["waiting", "waiting"], ["lost", "lost or failed"]].map(([style, name]) =>
    h("span", {}, h("span", { class: `key ${style}` }), name)));
  const element = card("Timeline", [h("table", { class: "timeline" }, h("caption", { class: "visually-hidden" }, "Timeline"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "What"), h("th", { scope: "col", class: "number took" }, "Took"), axis)),
    rows), more], legend);

  function show(/** @type {any} */ job, /** @type {Map<string, string>} */ says) {
    shown = [job, says];
    const model = timeline(job, Date.now(), says);
    const work = model.rows.filter((row) => row.style.startsWith("attempt"));
    const line = scale(work, model.from, model.to);
    const percent = (/** @type {number} */ part) => `${(part * 100).toFixed(2)}%`;
    fill(axis, h("span", { class: "visually-hidden" }, "When"),
      h("span", { class: "axis", "aria-hidden": "true" }, h("span", { class: "start" }, clock(job.created_at)),
        line.breaks.map((gap) => h("span", { class: "gap", vars: { "--from": percent((gap.from + gap.to) / 2) } }, duration(gap.length))),
        h("span", { class: "end" }, `+ ${duration(model.to - model.from)}`)));
    reconcile(rows, model.rows.slice(0, limit), (row) => row.key,
      () => h("tr", {}, h("th", { scope: "row" }), h("td", { class: "number took" }),
        h("td", { class: "when" }, h("span", { class: "lane", "aria-hidden": "true" }, h("span", { class: "bar" })),
          h("span", { class: "visually-hidden" }))),
      (element, row) => {
        const [name, took, when] = /** @type {any} */ (element.children);
        element.setAttribute("class", `level-${row.level}`);
        fill(name, h("span", { class: "line", title: row.name }, outside(row.name),
          row.detail && h("span", { class: "detail" }, outside(row.detail))), h("span", { class: "narrow-took", "aria-hidden": "true" }, row.took));
        fill(took, row.took);
        const [lane, spoken] = when.children;
        const bar = lane.firstElementChild;
        bar.setAttribute("class", `bar ${row.style}${row.open ? " open" : ""}`);
        const from = line.place(row.from);
        setVars(bar, { "--from": percent(from), "--width": percent(Math.max(line.place(row.to) - from, 0)) });
        fill(spoken, `from ${clock(row.from)}${row.open ? ", unfinished" : ` to ${clock(row.to)}`}`);
      });
    const left = model.rows.length - limit;
    fill(more, left > 0 ? h("button", { type: "button", class: "quiet", "data-key": "more", onclick() {
      limit += moreRows;
      if (shown) show(...shown);
    } }, `Show ${Math.min(left, moreRows)} more`) : null);
  }
  return { element, show };
}
