/** "Start a job": a form made from the input schema of a kind. */
import { ApiError, read, session, write } from "../api.js";
import { fill, h, outside } from "../dom.js";
import { count, duration, plural, words } from "../format.js";
import { copy, failure, skeleton } from "../parts.js";

/** @typedef {{member: string, element: HTMLElement, input: any, value: () => any, set: (value: string) => void}} Field */

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function startScreen(page) {
  const controller = new AbortController();
  const form = h("form", { "aria-label": "Job", class: "start", novalidate: true });
  const element = h("div", { class: "screen" }, h("h1", {}, "Start a job"), form);
  /** @type {any[]} */ let kinds = [];
  /** @type {any[]} */ let personas = [];
  /** @type {any} */ let credits = null;
  /** @type {any} */ let kind = null;
  /** @type {Field[]} */ let fields = [];
  let key = newKey();
  let busy = false;
  const choice = h("select", { id: "kind" });
  const inputs = h("div", { class: "inputs" });
  const notes = h("div", {});
  const price = h("p", { class: "quiet-text" });
  const submit = h("button", { class: "first" });
  const tabs = h("div", { class: "requests" });

  async function load() {
    fill(form, skeleton("the kinds of jobs"));
    try {
      const signal = controller.signal;
      const bodies = await Promise.all(["kinds", "personas", "credits"].map((name) => read(`/api/v1/${name}`, signal)));
      [kinds, personas, credits] = bodies.map((body) => body.data);
    } catch (error) {
      if (!controller.signal.aborted) fill(form, failure(error, load));
      return;
    }
    fill(choice, kinds.map((one) => h("option", { value: one.kind }, one.title)));
    choice.value = kinds.some((one) => one.kind === page.query.get("kind")) ? page.query.get("kind")
      : kinds.some((one) => one.kind === "research") ? "research" : kinds[0]?.kind;
    form.replaceChildren(h("div", { class: "field" }, h("label", { for: "kind" }, "Kind"), choice), inputs, notes,
      h("div", { class: "actions" }, submit), price,
      h("section", { class: "card", "aria-labelledby": "same" }, h("div", { class: "card-head" }, h("h2", { id: "same" }, "The same request")), tabs));
    choose();
  }

  function choose() {
    kind = kinds.find((one) => one.kind === choice.value);
    const schema = kind.input;
    const needed = schema.required ?? [];
    fields = Object.entries(schema.properties ?? {}).sort(([a], [b]) => Number(needed.includes(b)) - Number(needed.includes(a)))
      .map(([member, rule]) => field(member, rule, needed.includes(member)));
    inputs.replaceChildren(...fields.map((one) => one.element));
    for (const one of fields) {
      const given = page.query.get(one.member);
      if (given !== null) one.set(given);
    }
    key = newKey();
    fill(notes);
    show();
  }

  function show() {
    const lacks = kind.credits > credits.remaining;
    fill(submit, kind.credits ? `Start for ${plural(kind.credits, "credit")}` : "Start, free");
    submit.disabled = busy || lacks;
    fill(price, lacks ? "You have too few credits for this job." : [`About ${duration(kind.estimate_seconds * 1000)}. `,
      `You have ${plural(credits.remaining, "credit")}`, credits.held ? `, and ${count(credits.held)} held.` : "."]);
    const body = JSON.stringify({ kind: kind.kind, input: input() });
    const quoted = body.replaceAll("'", "'\\''");
    const sign = session.now.auth === "jwt" ? ` \\\n  -H "Authorization: Bearer $DOSSIER_TOKEN"` : "";
    const texts = { curl: `curl -s ${location.origin}/api/v1/jobs${sign} \\\n  -H 'Content-Type: application/json' -d '${quoted}'`,
      "Command line": `dossier submit ${kind.kind} --input '${JSON.stringify(input()).replaceAll("'", "'\\''")}'` };
    fill(tabs, Object.entries(texts).map(([name, text]) => h("div", { class: "request" },
      h("div", { class: "title" }, h("h3", {}, name), h("button", { type: "button", class: "quiet", "data-key": `copy ${name}`,
        "aria-label": `Copy ${name}`, onclick: () => copy(text, page.announce, name) }, "Copy")),
      h("pre", { tabindex: 0, role: "group", "aria-label": `${name} of the request` }, text))));
  }

  function input() {
    const entries = fields.map((one) => [one.member, one.value()]).filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries);
  }

  /** @param {string} member @param {any} rule @param {boolean} required @returns {Field} */
  function field(member, rule, required) {
    const id = `input-${member}`;
    const name = rule.title ?? words(member.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
    const error = h("p", { class: "field-error", id: `${id}-error` });
    if (member === "persona" && personas.length) return personaField(member, name, error);
    const hint = rule.type === "array" ? (rule.items?.type === "object" ? "A list, as JSON" : "One on each line") : "";
    const control = rule.enum ? h("select", { id, required }, !required && h("option", { value: "" }, "–"),
      rule.enum.map((/** @type {string} */ one) => h("option", { value: one }, one)))
      : rule.type === "array" || (rule.maxLength ?? 0) > 500 ? h("textarea", { id, rows: 3, required })
        : h("input", { id, type: rule.type === "integer" ? "number" : "text", required, autocomplete: "off" });
    control.setAttribute("aria-describedby", `${id}-error`);
    const suggestions = member === "ticker" ? h("datalist", { id: "tickers" }) : null;
    if (suggestions) {
      control.setAttribute("list", "tickers");
      control.addEventListener("input", () => suggest(control.value, suggestions));
    }
    return { member, input: control, set(value) { control.value = value; },
      element: h("div", { class: "field" }, h("label", { for: id }, name, !required && h("span", { class: "quiet-text" }, " optional"),
        hint && h("span", { class: "quiet-text" }, ` ${hint}`)), control, suggestions, error),
      value() {
        const text = control.value.trim();
        if (!text) return required && rule.type === "array" ? [] : required ? "" : undefined;
        if (rule.type === "integer") return Number(text);
        if (rule.type !== "array") return text;
        if (rule.items?.type !== "object") return text.split("\n").map((/** @type {string} */ line) => line.trim()).filter(Boolean);
        try { return JSON.parse(text); } catch { return text; }
      } };
  }

  /** @param {string} member @param {string} name @param {HTMLElement} error @returns {Field} */
  function personaField(member, name, error) {
    const radios = personas.map((one, index) => h("input", { type: "radio", name: member, value: one.id, checked: index === 0,
      "aria-describedby": "input-persona-error" }));
    return { member, input: radios[0], value: () => radios.find((one) => one.checked)?.value,
      set(value) { for (const one of radios) one.checked = one.value === value; },
      element: h("fieldset", { class: "personas" }, h("legend", {}, name), personas.map((one, index) =>
        h("label", { class: "persona" }, radios[index], h("strong", {}, outside(one.name)), h("span", { class: "second" }, outside(one.summary)),
          one.voice && h("q", {}, outside(one.voice)))), error) };
  }

  let timer = 0;
  function suggest(/** @type {string} */ text, /** @type {HTMLElement} */ list) {
    clearTimeout(timer);
    if (text.length < 1) return;
    timer = window.setTimeout(async () => {
      try {
        const { data } = await read(`/api/v1/stocks/search?limit=8&q=${encodeURIComponent(text)}`, controller.signal);
        fill(list, data.map((/** @type {any} */ one) => h("option", { value: one.ticker }, one.name)));
      } catch { /* The field takes any text without suggestions. */ }
    }, 200);
  }

  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (busy || !kind) return;
    busy = true;
    fill(notes);
    for (const one of fields) mark(one, "");
    show();
    try {
      const { data } = await write("POST", "/api/v1/jobs", { kind: kind.kind, input: input() }, { "Idempotency-Key": key });
      page.announce("The job has started");
      page.go(`/console/jobs/${data.id}`);
      return;
    } catch (error) {
      refuse(error);
    }
    busy = false;
    show();
  });
  form.addEventListener("input", () => { key = newKey(); if (kind) show(); });
  choice.addEventListener("change", choose);

  /** @param {any} error */
  function refuse(error) {
    const member = error instanceof ApiError ? String(error.details.field ?? "").replace(/^input\.?/, "").split(/[.[]/)[0] : "";
    const wrong = fields.find((one) => one.member === member);
    if (!wrong) {
      fill(notes, failure(error, () => form.requestSubmit()));
      return;
    }
    mark(wrong, error.detail || error.message);
    wrong.input.focus();
  }

  /** @param {Field} field @param {string} text */
  function mark(field, text) {
    fill(/** @type {Element} */ (field.element.querySelector(".field-error")), text);
    if (text) field.input.setAttribute("aria-invalid", "true"); else field.input.removeAttribute("aria-invalid");
  }

  load();
  return { title: "Start a job", element, close: () => controller.abort() };
}

function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
