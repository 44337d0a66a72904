// Starting a job: a form made from the schema of its kind.
import {h, fill} from "../dom.js";
import {curl, get, post, Refusal} from "../api.js";
import {reason} from "../live.js";
import {duration, plural, words} from "../format.js";
import {card, copy, failure, loading, note} from "../parts.js";

/** @param {Page} page */
export function start(page) {
  const content = h("div", loading("the kinds of jobs"));
  const controller = new AbortController();
  // Made when the form is opened, so that a second click is the same request.
  let key = crypto.randomUUID();

  /** The members of the form when it is opened, as text: those of the address, or of the job that is started again.
   * @type {Record<string, string>} */
  const given = {};
  for (const [name, value] of page.query) given[name] = value;

  async function read() {
    const again = page.query.get("again");
    const [kinds, personas, credits, input] = await Promise.all([get("kinds", controller.signal), get("personas", controller.signal),
      get("credits", controller.signal), again ? get(`jobs/${encodeURIComponent(again)}/input`, controller.signal) : null]);
    for (const [name, value] of Object.entries(input ?? {})) {
      given[name] = typeof value !== "object" ? String(value)
        : Array.isArray(value) && value.every((one) => typeof one !== "object") ? value.join("\n") : JSON.stringify(value, null, 2);
    }
    show(kinds, personas, credits);
  }
  read().catch((error) => {
    if (!controller.signal.aborted) fill(content, failure(error));
  });

  /** @param {any[]} kinds @param {any[]} personas @param {any} credits */
  function show(kinds, personas, credits) {
    const choice = h("select", {id: "kind", onchange: () => showForm()},
      kinds.map((kind) => h("option", {value: kind.kind}, kind.title)));
    const wanted = page.query.get("kind") ?? "research";
    if (kinds.some((kind) => kind.kind === wanted)) choice.value = wanted;
    const place = h("div");
    fill(content, h("p.field", h("label", {for: "kind"}, "Kind"), choice), place);

    function showForm() {
      const kind = kinds.find((one) => one.kind === choice.value);
      key = crypto.randomUUID();
      const schema = kind.input.oneOf ? {...kind.input, properties: kind.input.properties ?? {}} : kind.input;
      const required = new Set(schema.required ?? []);
      const names = Object.keys(schema.properties ?? {}).sort((one, other) => Number(required.has(other)) - Number(required.has(one)));
      const problem = h("p.problem", {role: "alert"});
      const fields = names.map((name) => field(name, schema.properties[name], required.has(name), personas));
      const request = h("pre", {tabindex: "0", role: "group", "aria-label": "Request"});
      const way = h("select", {"aria-label": "Form of the request", onchange: () => showRequest()}, ["curl", "CLI"].map((name) => h("option", name)));
      const isPaid = kind.credits > 0;
      const button = h("button", {type: "submit", class: "first",
        disabled: isPaid && credits.remaining < kind.credits},
      isPaid ? `Start for ${plural(kind.credits, "credit")}` : "Start, free");

      function body() {
        /** @type {Record<string, any>} */
        const input = {};
        for (const one of fields) {
          const value = one.read();
          if (value !== undefined) input[one.name] = value;
        }
        return {kind: kind.kind, input};
      }

      function showRequest() {
        const {input} = body();
        fill(request, way.value === "curl" ? curl("POST", "jobs", body())
          : `dossier submit ${kind.kind}${Object.keys(input).length ? ` --input '${JSON.stringify(input).replaceAll("'", "'\\''")}'` : ""}`);
      }

      const form = h("form", {"aria-label": "Job", class: "form", novalidate: true, oninput: showRequest,
        onsubmit: async () => {
          button.disabled = true;
          fill(problem);
          for (const one of fields) one.fail("");
          try {
            const job = await post("jobs", body(), key);
            page.go(`/console/jobs/${job.id}`);
          } catch (error) {
            const place = error instanceof Refusal ? String(error.details.field ?? "").replace(/^input\./, "").split(/[.[]/)[0] : "";
            const one = fields.find((candidate) => candidate.name === place);
            const text = reason(error);
            if (one) one.fail(/match/.test(text) && schema.properties[place].description ? `Here belongs: ${schema.properties[place].description}.` : text);
            else fill(problem, text);
            key = crypto.randomUUID();
          } finally {
            button.disabled = false;
          }
        }}, fields.map((one) => one.element), problem, h("div.row", button,
        h("span.faint", `Takes about ${duration(kind.estimate_seconds * 1000)}. You have ${
          plural(credits.remaining, "credit")}${isPaid && credits.remaining < kind.credits ? ": an operator can grant more" : ""}.`)));
      fill(place, kind.paused ? note("These jobs are paused.", "Yours waits until an operator ends it.", "wait") : null,
        form, card("The same request", {actions: [way, h("button", {onclick: () => copy(request.textContent ?? "", "The request")}, "Copy")]}, request));
      for (const one of fields) one.prefill(given[one.name] ?? null);
      showRequest();
    }
    showForm();
  }
  return {element: h("div", h("h1", "Start a job"), content), close: () => controller.abort()};
}

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {HTMLElement} element
 * @property {() => any} read
 * @property {(text: string) => void} fail
 * @property {(value: string | null) => void} prefill
 */

/**
 * @param {string} name
 * @param {any} schema
 * @param {boolean} isRequired
 * @param {any[]} personas
 * @returns {Field}
 */
function field(name, schema, isRequired, personas) {
  const label = schema.title ?? words(name);
  const id = `field-${name}`;
  const problem = h("p.problem", {id: `${id}-problem`, role: "alert"});
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (name === "persona") {
    const options = personas.map((persona, index) => h("label.choice",
      h("input", {type: "radio", name: id, value: persona.id, checked: index === 0}),
      h("span", h("strong", persona.name), h("span.second", persona.summary),
        persona.voice ? h("q.voice", persona.voice) : null)));
    const element = h("fieldset.choices", h("legend", label), options, problem);
    const inputs = () => [...element.querySelectorAll("input")];
    return {
      name, element, read: () => inputs().find((input) => input.checked)?.value,
      fail: (text) => { fill(problem, text); if (text) inputs()[0]?.focus(); },
      prefill: (value) => { for (const input of inputs()) if (input.value === value) input.checked = true; },
    };
  }
  const isLong = type === "string" && (schema.maxLength ?? 0) > 400;
  const isList = type === "array";
  const isDeep = type === "object" || (isList && schema.items?.type === "object");
  const input = schema.enum
    ? h("select", {id, "aria-describedby": problem.id, required: isRequired}, isRequired ? null : h("option", {value: ""}, "–"),
      schema.enum.map((/** @type {string} */ one) => h("option", {value: one}, words(String(one)))))
    : type === "boolean"
    ? h("input", {type: "checkbox", id, "aria-describedby": problem.id})
    : isLong || isList || isDeep
      ? h("textarea", {id, rows: isDeep ? 6 : 3, "aria-describedby": problem.id, required: isRequired})
      : h("input", {type: type === "integer" || type === "number" ? "number" : "text", id, "aria-describedby": problem.id, required: isRequired, list: name === "ticker" ? `${id}-list` : null});
  const hint = [schema.description, isDeep ? "As JSON." : isList ? "One a line." : isRequired || schema.description ? "" : "May be left out."].filter(Boolean).join(". ");
  const suggestions = name === "ticker" ? h("datalist", {id: `${id}-list`}) : null;
  if (suggestions) suggest(input, suggestions);
  return {
    name,
    element: h("div.field", h("label", {for: id}, label), hint ? h("span.faint", hint) : null, input,
      suggestions, problem),
    read() {
      if (type === "boolean") return input.checked || undefined;
      const text = input.value.trim();
      if (text === "") return undefined;
      if (isDeep) {
        try {
          return JSON.parse(text);
        } catch {
          return text;
        }
      }
      if (isList) return text.split(schema.items?.pattern ? /[\n,]/ : "\n").map((/** @type {string} */ line) => line.trim()).filter(Boolean);
      return type === "integer" || type === "number" ? Number(text) : text;
    },
    fail(text) {
      fill(problem, text);
      if (text) {
        input.setAttribute("aria-invalid", "true");
        input.focus();
      } else input.removeAttribute("aria-invalid");
    },
    prefill(value) {
      if (value === null) return;
      if (type === "boolean") input.checked = value === "true";
      else input.value = value;
    },
  };
}

/** @param {HTMLInputElement} input @param {HTMLElement} list */
function suggest(input, list) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    const text = input.value.trim();
    if (text.length < 1) return;
    timer = setTimeout(async () => {
      try {
        const found = await get(`stocks/search?q=${encodeURIComponent(text)}`);
        fill(list, found.slice(0, 8).map((/** @type {any} */ one) => h("option", {value: one.ticker}, one.name ?? "")));
      } catch {
        // Suggestions are a help alone.
      }
    }, 250);
  });
}

