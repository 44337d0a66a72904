/** Elements are made here alone, and text from anybody becomes text nodes. */

const unsafe = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with a visible mark in place of each control character and change of direction.
 * @param {unknown} value
 * @returns {string} */
export function clean(value) {
  return String(value ?? "").replace(unsafe, "\ufffd");
}

/** @typedef {Node | string | number | null | undefined | false | readonly any[]} Child */

const svgNames = new Set(["svg", "path", "rect", "circle", "line", "g", "title"]);

/** Makes an element. Properties that begin with `on` are listeners; `vars` are custom properties of its style.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {any} */
export function h(tag, properties = {}, ...children) {
  const element = svgNames.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars") setVars(element, value);
    else element.setAttribute(name, value === true ? "" : clean(value));
  }
  append(element, children);
  return element;
}

/** @param {any} element @param {Record<string, string | number>} vars */
export function setVars(element, vars) {
  for (const [name, value] of Object.entries(vars)) element.style.setProperty(name, String(value));
}

/** @param {Element} element @param {any[]} children */
function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(clean(child)));
  }
}

/** A name from outside, whose direction of writing cannot change the text around it.
 * @param {unknown} name */
export function outside(name) {
  return h("bdi", {}, clean(name));
}

/** Replaces the children of an element when they differ in text or kind, and keeps the focus.
 * @param {Element} element @param {...any} children */
export function fill(element, ...children) {
  const next = document.createElement(element.tagName);
  append(next, children);
  if (next.isEqualNode(element) || sameChildren(element, next)) return;
  const key = focusKey(element);
  element.replaceChildren(...next.childNodes);
  if (key) /** @type {HTMLElement | null} */ (element.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
}

/** @param {Element} a @param {Element} b */
function sameChildren(a, b) {
  return a.childNodes.length === b.childNodes.length
    && [...a.childNodes].every((node, index) => node.isEqualNode(b.childNodes[index]));
}

/** @param {Element} element */
function focusKey(element) {
  const active = document.activeElement;
  return active && active !== element && element.contains(active) ? active.getAttribute("data-key") : null;
}

/** Makes the children of an element those of a list: kept by key, updated in place, in the order of the list.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => string} key
 * @param {(item: T) => Element} make
 * @param {(element: Element, item: T) => void} update */
export function reconcile(parent, items, key, make, update) {
  const known = new Map([...parent.children].map((element) => [element.getAttribute("data-row"), element]));
  let place = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    let element = known.get(name);
    known.delete(name);
    if (!element) {
      element = make(item);
      element.setAttribute("data-row", name);
    }
    update(element, item);
    if (element === place) place = place.nextElementSibling;
    else parent.insertBefore(element, place);
  }
  for (const element of known.values()) element.remove();
}
