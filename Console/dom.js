// Making and updating elements. Text from anybody enters the page here, as text nodes alone.

/** Bidirectional overrides and control characters, which change the text around them or show nothing. */
const harmful = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/**
 * A text with each harmful character shown as one.
 * @param {unknown} text
 * @returns {string}
 */
export function clean(text) {
  return String(text).replace(harmful, "\uFFFD");
}

/**
 * Makes an element. Buttons submit no form and inputs remember nothing, unless their properties say so; forms leave no page.
 * @param {string} name its tag, and its classes behind points
 * @param {Record<string, any> | Child} [properties] attributes; functions whose name begins with `on` are listeners, `vars`
 * are custom properties of its style, `key` is its name among its siblings; may be left out
 * @param {...Child} children
 * @returns {any}
 */
export function h(name, properties, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  if (tag === "button") element.setAttribute("type", "button");
  if (tag === "input") element.setAttribute("autocomplete", "off");
  if (tag === "form") element.addEventListener("submit", (event) => event.preventDefault());
  if (Object.getPrototypeOf(properties ?? 0) === Object.prototype) set(element, /** @type {any} */ (properties));
  else append(element, [/** @type {Child} */ (properties)]);
  append(element, children);
  return element;
}

/**
 * As `h`, in SVG.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {any}
 */
export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, properties);
  append(element, children);
  return element;
}

/**
 * @param {any} element
 * @param {Record<string, any>} properties
 */
function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars") {
      for (const [variable, amount] of Object.entries(value)) element.style.setProperty(variable, String(amount));
    } else if (name === "key") element.dataset.key = value;
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") element[name] = value;
    else element.setAttribute(name, value === true ? "" : clean(value));
  }
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
export function append(element, children) {
  for (const child of children) {
    if (child == null || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : clean(child));
  }
}

/**
 * Replaces what an element holds, and keeps the focus where an element with the same `key` or id is there again.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  const active = document.activeElement instanceof HTMLElement && element.contains(document.activeElement)
    ? document.activeElement : null;
  const name = active?.dataset.key ?? null;
  const id = active?.id ?? "";
  element.replaceChildren();
  append(element, children);
  if (!active) return;
  const again = name !== null
    ? element.querySelector(`[data-key="${CSS.escape(name)}"]`) : id ? document.getElementById(id) : null;
  if (again instanceof HTMLElement) again.focus({preventScroll: true});
  else if (element instanceof HTMLElement) {
    element.tabIndex = -1;
    element.focus({preventScroll: true});
  }
}

/**
 * Brings the rows of a list up to date: rows stay the same elements, by their keys.
 * @template Item
 * @param {Element} list
 * @param {Item[]} items
 * @param {(item: Item) => string} key
 * @param {(item: Item, row: HTMLElement | null) => HTMLElement} make makes a row, or updates the one that is there
 */
export function reconcile(list, items, key, make) {
  /** @type {Map<string, HTMLElement>} */
  const present = new Map();
  for (const row of list.children) {
    if (row instanceof HTMLElement && row.dataset.key !== undefined) present.set(row.dataset.key, row);
  }
  let place = list.firstElementChild;
  for (const item of items) {
    const name = key(item);
    const known = present.get(name) ?? null;
    const row = make(item, known);
    row.dataset.key = name;
    present.delete(name);
    if (known && row !== known) known.replaceWith(row);
    if (row === place) place = place.nextElementSibling;
    else if (known && row !== known) place = row.nextElementSibling;
    else list.insertBefore(row, place);
  }
  for (const row of present.values()) row.remove();
}

/**
 * A link from data, when its address is of the web; else its text alone.
 * @param {string | null | undefined} address
 * @param {Child} label
 */
export function outside(address, label) {
  let url;
  try {
    url = new URL(address ?? "");
  } catch {
    return h("span", label);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return h("span", label);
  return h("a", {href: url.href, target: "_blank", rel: "noopener noreferrer"}, label, " ",
    h("span.faint", url.host));
}

/** @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/**
 * As `fill`, when what is shown has changed: what it holds stays the same elements else.
 * @param {Element} element
 * @param {any} value all that the content is made of
 * @param {() => Child} make
 */
export function refill(element, value, make) {
  const text = JSON.stringify(value) ?? "";
  if (shown.get(element) === text) return;
  shown.set(element, text);
  fill(element, make());
}

/**
 * Gives a lost focus back to an element, or to the one that has its key now, or else to the screen.
 * @param {any} before
 */
export function refocus(before) {
  const main = document.getElementById("main");
  const key = before?.dataset?.key;
  for (const one of [before, key && document.querySelector(`[data-key="${CSS.escape(key)}"]`), main]) {
    if ([document.body, main].includes(/** @type {HTMLElement} */ (document.activeElement))) one?.focus?.({preventScroll: true});
  }
}

/** What tells a link or a button from others.
 * @param {any} element */
const nameOf = (element) => element.getAttribute("href") ?? element.ariaLabel ?? element.textContent;

/** @param {string} name @returns {any[]} */
const named = (name) => [...document.querySelectorAll("a, button")].filter((one) => nameOf(one) === name);

/**
 * The place of a link or a button, or of what opened the card that it is in: its name, and its number among those of this name.
 * @param {any} element
 */
export function placeOf(element) {
  const from = element?.closest("[popover]")?.from ?? element?.closest("a, button");
  const name = from ? nameOf(from) : "";
  return {name, at: named(name).indexOf(from)};
}

/** What is at a place.
 * @param {{name: string, at: number}} place */
export const placed = ({name, at}) => named(name)[at];

/**
 * Opens a dialog, which is removed when it closes and gives the focus back.
 * @param {Record<string, any>} properties
 * @param {...any} children made with the dialog, where they need it
 * @returns {HTMLDialogElement}
 */
export function dialog(properties, ...children) {
  const /** @type {any} */ active = document.activeElement;
  const before = active?.closest("[popover]")?.from ?? active;
  const element = h("dialog", properties);
  append(element, children.map((child) => typeof child === "function" ? child(element) : child));
  element.addEventListener("close", () => {
    element.remove();
    refocus(before);
  });
  document.body.append(element);
  element.showModal();
  // One that may have the focus itself begins at its head.
  if (properties.tabindex) {
    element.focus();
    element.scrollTop = 0;
  }
  return element;
}

/**
 * Shows something beside an element. Tab stays in it; it closes by Esc or a click elsewhere, and the focus goes back.
 * @param {string} name
 * @param {Element} from
 * @param {...Child} children
 */
export function popover(name, from, ...children) {
  const element = h("div", {popover: true, role: "dialog", "aria-label": name, tabindex: "-1", onkeydown(/** @type {KeyboardEvent} */ event) {
    const stops = [...element.querySelectorAll("a, button")];
    const [first, last] = event.shiftKey ? [stops.at(-1), stops[0]] : [stops[0], stops.at(-1)];
    if (event.key !== "Tab" || ![last, event.shiftKey && element].includes(document.activeElement)) return;
    event.preventDefault();
    first.focus();
  }}, h("div.row", h("p.faint", name), h("button.quiet", {"aria-label": "Close", onclick: () => element.hidePopover()}, "×")), children);
  element.from = from;
  element.addEventListener("toggle", (/** @type {any} */ event) => {
    if (event.newState !== "closed") return;
    element.remove();
    refocus(from);
  });
  document.getElementById("main")?.append(element);
  // A part of a picture is nothing to stand beside.
  element.showPopover({source: from instanceof HTMLElement ? from : from.closest("figure")});
  element.focus();
  return element;
}

/** @param {HTMLDialogElement} dialog @param {string} [label] */
export function closer(dialog, label = "Close") {
  return h("button", {onclick: () => dialog.close("")}, label);
}
