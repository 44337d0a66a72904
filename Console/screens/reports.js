// Research reports: one with its checklist, figures and filings, and two side by side.
import {h, fill, outside} from "../dom.js";
import {get, session, subject} from "../api.js";
import {field, opened, toPlace} from "../live.js";
import {count, figure, moment, plural, words} from "../format.js";
import {card, copy, empty, grid, link, named, second, table, tone} from "../parts.js";
import {showPassage} from "./filings.js";
import {compared} from "./prompts.js";
import {annual, figureButton, figures, showFigure} from "../figures.js";

/** @param {Page} page */
export function report(page) {
  const element = h("div.report");
  const {show, close} = opened(element, "the report", async (_, signal) => {
    const result = await get(`jobs/${encodeURIComponent(page.id)}/result`, signal);
    get(`research/reports/${encodeURIComponent(page.id)}`, signal).then(newer, () => {});
    const report = result.report;
    const title = `${report.company.name}, read as ${report.persona.name} would`;
    /** @type {Map<string, any>} */
    const known = new Map([...(result.facts ?? []), ...(result.computed ?? [])].map((one) => [one.id, one]));
    const open = (/** @type {string} */ id, /** @type {Element} */ from) => {
      const one = known.get(id);
      if (one) showFigure(one, from, known, result.scorecard);
    };
    const marks = [...result.mentions ?? [], ...result.views ?? []].sort((one, other) => one.from - other.from);
    /**
     * A text of the report, with its figures as buttons and what is a view in italics.
     * @param {string} path
     * @param {string} text
     * @param {number} [start] its place in the text at the path
     */
    const said = (path, text, start = 0) => {
      /** @type {Child[]} */
      const parts = [];
      let at = 0;
      for (const one of marks) {
        const [from, to, fact] = [one.from - start, one.to - start, known.get(one.figure)];
        if (one.path !== path || from < at || to > text.length || (one.figure && !fact)) continue;
        parts.push(text.slice(at, from), !fact ? h("i", text.slice(from, to)) : figureButton(text.slice(from, to), fact, open, {"aria-label": `${fact.label}${
          fact.period ? `, ${fact.period.label ?? fact.period}` : ""}: ${figure(fact.value, fact.unit)}`}));
        at = to;
      }
      return [...parts, text.slice(at)];
    };
    /** @param {string} path @param {string} [name] */
    const paragraphs = (path, name) => {
      let start = 0;
      return (report[path] ?? "").split(/(\n\s*\n)/).map((/** @type {string} */ part, /** @type {number} */ index) => {
        start += part.length;
        return index % 2 ? null : h("p", {class: name}, said(path, part, start - part.length));
      });
    };
    /** @param {string} name @param {string} path */
    const points = (name, path) => report[path]?.length ? [h("h3", name), h("ul.points", report[path].map((/** @type {any} */ item, /** @type {number} */ index) =>
      h("li", h("strong", said(`${path}[${index}].title`, item.title)), " ", said(`${path}[${index}].detail`, item.detail))))] : null;
    /** @param {string} path */
    const list = (path) => report[path]?.length ? h("ul", report[path].map((/** @type {any} */ item, /** @type {number} */ index) =>
      h("li", item.text ? said(`${path}[${index}].text`, item.text) : item))) : null;
    /** @type {[string, string, HTMLElement | null][]} */
    const sections = [
      ["checklist", "Checklist", result.scorecard ? checklist(result.scorecard, known, open) : null],
      ["thesis", "Thesis", report.thesis ? h("div", paragraphs("thesis")) : null],
      ["strengths", "Strengths and risks", h("div", points("Strengths", "strengths"), points("Risks", "risks"))],
      ["business", "Business", business(report)],
      ["risk-changes", "What changed in the risks", riskChanges(report)],
      ["valuation", "Valuation", report.valuation ? h("div", paragraphs("valuation")) : null],
      ["change", "What would change the view", list("what_would_change_the_view")],
      ["gaps", "Not known", list("gaps")],
    ];
    const present = sections.filter(([, , content]) => content);
    const contents = h("nav", {"aria-label": "Contents", class: "contents"}, h("ul",
      [...present, ["figures", "Figures"], ["sources", "Sources"]].map(([id, name]) => h("li", h("a", {href: `#${id}`}, String(name))))));
    return [
      h("header.report-head", h("p.crumbs", h("a", {href: "/console/jobs"}, "Jobs"), " / ",
        h("a", {href: `/console/jobs/${page.id}`}, "this job")), h("h1", h("bdi", title)),
      h("div.meta", h("strong", report.company.ticker), report.company.industry ? h("span", report.company.industry) : null,
        result.provenance?.gathered_at ? h("span", `Figures as of ${moment(result.provenance.gathered_at)}`) : null,
        isSimulated(result, report) ? h("span.tag.dashed", "Simulated prose") : null, h("span.space"),
        h("div.actions", h("a.button", {href: `/console/compare?left=${page.id}`}, "Compare"),
          h("button", {onclick: () => print()}, "Print"),
          h("button.quiet", {onclick: () => copy(location.href, "link")}, "Copy link")))),
      h("div.newer", {role: "status"}),
      h("div.columns",
        h("div.prose", paragraphs("summary", "lead"),
          result.views?.length ? h("p.faint", `In italics: the view of ${report.persona.name}, without a proof.`) : null, present.map(([id, name, content]) =>
          h("section", {id, tabindex: "-1", "aria-labelledby": `${id}-name`}, h("h2", {id: `${id}-name`}, name), content))),
        h("aside", {"aria-label": "Verdict and contents"}, verdict(report, result.scorecard, known, open), contents)),
      figures(result, open), sources(report, result.facts ?? []), provenance(result.provenance)];
  }, () => h("h1", "Report"));

  /** @param {any} now */
  function newer(now) {
    const filing = now.newer_filing;
    const place = element.querySelector(".newer");
    if (!filing || !place) return;
    fill(place, h("div.note.wait", h("p", h("strong", "A newer filing is out:"), ` ${filing.form ?? "a filing"}, filed ${
      filing.filed ?? "since"}. `, h("a", {href: `/console/start?kind=research&again=${page.id}`}, "Read the company again"))));
  }
  show(page.query).then(toPlace);
  return {element, close};
}

/** @param {any} result @param {any} report */
function isSimulated(result, report) {
  return session.simulated || /^This prose is simulated/.test(report.summary ?? "")
    || (result.provenance?.model_calls ?? []).some((/** @type {any} */ call) => /sim/.test(call.request_id ?? ""));
}

/**
 * @param {any} report
 * @param {any} scorecard
 * @param {Map<string, any>} known
 * @param {import("../figures.js").Open} open
 */
function verdict(report, scorecard, known, open) {
  const limits = scorecard?.thresholds;
  const items = scorecard?.items ?? [];
  const [score, proof] = [count(Math.round(report.score)), known.get("score")];
  const answered = items.filter((/** @type {any} */ item) => item.score != null).length;
  return card("Verdict", {class: `verdict bare ${tone(report.verdict)}`},
    h("div.row", h("p.score", report.score === null ? "–" : proof ? figureButton(score, proof, open, {"aria-label": `${proof.label}: ${score}`}) : score, h("span", " of 100")),
      h("span.space"), named(report.verdict ?? "", report.verdict === "mixed" ? "off" : undefined)),
    report.score === null ? null : h("div.scale", {role: "img", "aria-label": `Score ${report.score} of 100${
      limits ? `; it is mixed from ${limits.mixed} and fits from ${limits.fits} on` : ""}`, vars: {"--share": `${report.score}%`}},
    h("span.meter", h("span")), limits ? [["mixed", limits.mixed], ["fits", limits.fits]].map(([name, from]) =>
      h("i", {vars: {"--from": `${from}%`}}, h("span", name))) : null),
    h("p.faint", `Confidence ${count(report.confidence)} of 100. ${
      items.length ? `The filings answer ${answered} of ${plural(items.length, "question")}.` : ""}`),
    report.verdict_note ? h("p", report.verdict_note) : null);
}

/**
 * @param {any} scorecard
 * @param {Map<string, any>} known
 * @param {import("../figures.js").Open} open
 */
function checklist(scorecard, known, open) {
  return h("div.checklist", table("Checklist", [{name: "Points", class: "number"}, {name: "Question"}, {name: "Part of 10", class: "bar-column"}],
    scorecard.items.map((/** @type {any} */ item) => {
      const evidence = item.evidence ?? {};
      const isAnswered = item.score != null;
      const value = evidence.value == null ? null : figure(evidence.value, evidence.unit);
      const proof = known.get(`metric.${evidence.metric}`) ?? known.get(evidence.figures?.[0]);
      return h("tr", h("td.number.points-of", isAnswered ? item.score.toFixed(1) : "–"),
        h("td", item.question, second(isAnswered
          ? [`${evidence.title}: `, value && proof ? figureButton(value, proof, open, {"aria-label": `${evidence.title}: ${value}`}) : value,
            ` weight\u00a0${count(item.weight)}`] : evidence.abstained_because ?? "The filings do not say.")),
        h("td.bar-column", h("span", {class: `meter ${isAnswered ? mark(item.score) : "open"}`, vars: {"--share": `${(item.score ?? 0) * 10}%`}},
          h("span"))));
    })).element,
  (scorecard.walk_aways ?? []).filter((/** @type {any} */ one) => one.holds).map((/** @type {any} */ one) =>
    h("p.note.fail", h("strong", "Walks away:"), ` ${one.because}`)),
  (scorecard.remarks ?? []).map((/** @type {string} */ remark) => h("p.faint", remark)));
}

/** @param {string} text @param {any} claim */
const sentence = (text, claim) => h("button.figure.sentence", {"aria-haspopup": "dialog",
  onclick: (/** @type {any} */ event) => showPassage(claim, event.currentTarget)}, text);

/** @param {any} passage @param {string} [text] */
const quoted = (passage, text = passage.text) => sentence(text.length > 240 ? `${text.slice(0, 240)}…` : text,
  {...passage, passages: [passage.id], quote: passage.text});

/** What the filings say of the business: the model's sentences with their quotes, or the filing's own paragraphs.
 * @param {any} report */
function business({claims, business: paragraphs, segments}) {
  const year = segments?.years[0];
  const said = (claims?.length ? claims : paragraphs ?? []).map((/** @type {any} */ one) =>
    h("li", one.quote ? sentence(one.text, one) : one.id ? quoted(one) : h("i", one.text)));
  return said.length || year ? h("div", h("ul", said), year ? grid("Segments", [["Segment", "main wrap", (one) => h("span", one.name)],
    [`Revenue to ${year.end}`, "number", (one) => figure(one.revenue, segments.currency)]], year.parts, "dense") : null) : null;
}

/** @param {any} report */
function riskChanges({risk_changes: all, risk_updates: later}) {
  if (!all && !later) return null;
  const list = (/** @type {string} */ name, /** @type {any[]} */ found, /** @type {number} */ number, make = quoted) => found.length
    ? [h("h3", `${name} (${count(number)})`), h("ul", found.map((one) => h("li", make(one)))),
      number > found.length ? h("p.faint", `${found.length} of them are shown here. `, whole(found[0].after ?? found[0])) : null] : null;
  const whole = (/** @type {any} */ {id, item}) => link(`/console/filings/${id.split("/")[0]}?item=${item}`, `Read all of item ${item}`);
  const changed = (/** @type {any} */ {before, after}) => h("details", h("summary", `${after.text.slice(0, 80)}…`),
    h("p", compared(before.text, after.text)), quoted(after, "Show it in the filing"));
  return h("div", all ? [list("New", all.new, all.new_count), list("Gone", all.removed, all.removed_count),
    list("Changed", all.changed, all.changed_count, changed)] : null, later ? [h("h3", "Since then"),
    h("p.faint", outside(later.url, `The quarterly report filed ${later.filed}`), later.is_unchanged ? " says that nothing material changed." : " has these:"),
    list("New", later.new, later.new.length), list("Changed", later.changed, later.changed.length, changed)] : null);
}

/** @param {number} score of 10 */
function mark(score) {
  return score >= 7 ? "done" : score >= 4 ? "wait" : "fail";
}

/** @param {any} report @param {any[]} facts */
function sources(report, facts) {
  return card("Sources", {class: "wide flush", id: "sources"}, table("Sources", [{name: "Filing", class: "main wrap"}, {name: "Filed", class: "number"},
    {name: "Figures", class: "number"}], (report.sources ?? []).map((/** @type {any} */ filing) => h("tr",
    {id: `filing-${filing.accession_number}`, tabindex: "-1"},
    h("td.main.wrap", h("span", h("strong", filing.form), " ", outside(filing.url, filing.accession_number),
      report.filings_read?.some((/** @type {any} */ one) => one.accession_number === filing.accession_number) ? [" ", link(`/console/filings/${filing.accession_number}`, "Read it")] : null)),
    h("td.number", filing.filed),
    h("td.number", count(facts.filter((fact) => fact.accession_number === filing.accession_number).length))))).element,
  report.sources_note ? h("p.remark", report.sources_note) : null);
}

/** @param {any} provenance */
export function provenance(provenance) {
  const models = [...new Set((provenance?.model_calls ?? []).map((/** @type {any} */ call) => call.model))];
  return provenance ? h("p.faint", [provenance.bundle ? `Prompts ${provenance.bundle.slice(0, 12)}` : null, models.length ? `written by ${models.join(", ")}` : null,
    provenance.repaired ? "its figures were corrected once" : null, `job ${provenance.job_id}`].filter(Boolean).join(" · ")) : null;
}

/** @param {Page} page */
export function compare(page) {
  const content = h("div.stack");
  const [left, right] = ["left", "right"].map((side) => h("select", {id: side, onchange: () =>
    page.go(`/console/compare?${new URLSearchParams({left: left.value, right: right.value})}`)}));
  const {show, close} = opened(content, "the reports", async (query, signal) => {
    if (left.options.length === 0) {
      const all = await get("jobs?kind=research&status=completed&per_page=100", signal);
      for (const select of [left, right]) {
        select.append(h("option", {value: ""}, "Choose a report"), ...all.map((/** @type {any} */ job) =>
          h("option", {value: job.id}, `${subject(job)}, ${moment(job.completed_at)}`)));
      }
    }
    [left.value, right.value] = [query.get("left") ?? "", query.get("right") ?? ""];
    if (!left.value || !right.value) return empty("Choose two reports", "Two investors, two companies, or two times.");
    const [one, other] = await Promise.all([left.value, right.value].map((id) => get(`jobs/${id}/result`, signal)));
    const changes = one.report.company.ticker === other.report.company.ticker && left.value !== right.value
      ? await get(`research/reports/${right.value}/changes?since=${left.value}`, signal).catch(() => null) : null;
    return [verdictTable(one, other), bothChecklists(one, other), bothFigures(one, other), changes ? changed(changes) : null];
  });
  show(page.query);
  return {element: h("div", h("h1", "Compare"), h("div.pair",
    field("Left", left), field("Right", right)), content), update: show, close};
}

/** @param {any} result */
const name = (result) => `${result.report.company.ticker} as ${result.report.persona.name}`;

/** @param {number | null | undefined} value @param {number | null | undefined} other @param {string} text */
function side(value, other, text) {
  const isLarger = typeof value === "number" && typeof other === "number" && value > other;
  return isLarger ? h("strong.larger", text, h("span.spoken", ", the larger one")) : text;
}

/** @param {any} one @param {any} other @param {string} caption @param {string} first @param {[any, any, any][]} rows */
function two(one, other, caption, first, rows) {
  return grid(caption, [[first, "main wrap", ([label]) => label], [name(one), "number", ([, left]) => left], [name(other), "number", ([, , right]) => right]], rows, "dense");
}

/** @param {any} one @param {any} other */
function verdictTable(one, other) {
  const both = (/** @type {(result: any) => any} */ make) => [make(one), make(other)];
  const score = (/** @type {any} */ value) => typeof value === "number" ? `${count(Math.round(value))} of 100` : "–";
  const [left, right] = both((result) => result.report.score);
  return two(one, other, "Verdict", "Verdict", /** @type {any} */ ([
    ["Verdict", ...both((result) => words(result.report.verdict))],
    ["Score", side(left, right, score(left)), side(right, left, score(right))],
    ["Confidence", ...both((result) => score(result.report.confidence))],
    ["Written", ...both((result) => result.provenance?.gathered_at?.slice(0, 10) ?? "–")]]));
}

/** @param {any} one @param {any} other */
function bothChecklists(one, other) {
  const [first, latter] = [one, other].map((result) => new Map((result.scorecard?.items ?? []).map((/** @type {any} */ item) => [item.question, item])));
  const points = (/** @type {any} */ item) => !item ? "not asked" : typeof item.score === "number" ? item.score.toFixed(1) : "–";
  return card("Checklist", {class: "flush"}, two(one, other, "Checklist", "Question", [...new Set([...first.keys(), ...latter.keys()])].map((question) => {
    const [a, b] = [first.get(question), latter.get(question)];
    return [h("span", question), side(a?.score, b?.score, points(a)), side(b?.score, a?.score, points(b))];
  })));
}

/** @param {any} one @param {any} other */
function bothFigures(one, other) {
  const [first, latter] = [annual(one), annual(other)];
  // Of the last year that both have.
  const pairs = [...first].flatMap(([concept, facts]) => facts.flatMap((a) => (latter.get(concept) ?? []).filter((b) =>
    b.period.label === a.period.label).map((b) => [a, b])).slice(-1));
  return card("Figures", {class: "flush"}, two(one, other, "Figures", "Latest year", pairs.map(([a, b]) => {
    const most = Math.max(Math.abs(a.value), Math.abs(b.value)) || 1;
    return [[h("span", a.label, second(a.period.label)), h("span.paired", {"aria-hidden": "true"}, [a, b].map((fact) =>
      h("i", {vars: {"--share": `${Math.abs(fact.value) / most * 100}%`}})))],
    side(a.value, b.value, figure(a.value, a.unit)), side(b.value, a.value, figure(b.value, b.unit))];
  })));
}

/** @param {any} changes */
function changed(changes) {
  const list = (/** @type {string} */ label, /** @type {any[]} */ figures) => figures.length ? [h("h3", label), h("ul", figures.slice(0, 30).map((one) =>
    h("li", `${one.label}, ${one.period}: ${one.before ? `${figure(one.before.value, one.unit)} → ` : ""}${figure(one.value, one.unit)}`)))] : null;
  const isNothing = changes.added.length + changes.removed.length + changes.changed.length === 0;
  return card("What changed", {}, h("p", isNothing ? `The ${plural(changes.unchanged, "figure")} of both are the same.` : `${plural(changes.unchanged, "figure")} are the same.`),
    list("New", changes.added), list("Changed", changes.changed), list("No longer there", changes.removed));
}
