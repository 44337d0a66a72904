// Elements are made by these functions alone. Text enters the page as text nodes.

import { clean } from "./format.js";

/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Sets attributes and listeners: `onclick` adds a listener, `true` an empty attribute; `null` and `false` are left out.
 * @param {Element} element
 * @param {Record<string, any>} properties
 */
function assign(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Makes an HTML element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  assign(element, properties);
  fill(element, ...children);
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  /** @type {Node[]} */
  const nodes = [];
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    nodes.push(child instanceof Node ? child : document.createTextNode(clean(String(child))));
  }
  element.replaceChildren(...nodes);
}

/**
 * Shows a text from outside, isolated from the direction of its surroundings.
 * @param {string} text
 */
export function bdi(text) {
  return h("bdi", {}, text);
}

/**
 * Changes the text of an element only when it differs, so that a selection in it stays.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  const next = clean(text);
  if (element.textContent !== next) element.textContent = next;
}

/**
 * Draws a small picture that is hidden from screen readers.
 * @param {string} path
 * @param {{box?: number, name?: string, filled?: boolean}} options
 */
export function icon(path, { box = 10, name = "icon", filled = false } = {}) {
  const picture = document.createElementNS(SVG, "svg");
  assign(picture, { viewBox: `0 0 ${box} ${box}`, class: name, "aria-hidden": "true", focusable: "false" });
  const line = document.createElementNS(SVG, "path");
  assign(line, { d: path, class: filled ? "filled" : "drawn" });
  picture.append(line);
  return picture;
}

/**
 * Brings the children of a list in line with its items. An item that was there keeps its element and with it focus.
 * @template Item
 * @param {Element} parent
 * @param {Item[]} items
 * @param {(item: Item) => string} key
 * @param {(item: Item) => HTMLElement} make
 * @param {(element: HTMLElement, item: Item) => void} update
 */
export function reconcile(parent, items, key, make, update) {
  /** @type {Map<string, HTMLElement>} */
  const present = new Map();
  for (const child of parent.children) {
    if (child instanceof HTMLElement && child.dataset.key !== undefined) present.set(child.dataset.key, child);
  }
  /** @type {Element | null} */
  let previous = null;
  const kept = new Set();
  for (const item of items) {
    const name = key(item);
    let element = present.get(name);
    if (!element) {
      element = make(item);
      element.dataset.key = name;
    }
    update(element, item);
    kept.add(element);
    /** @type {Element | null} */
    const place = previous ? previous.nextElementSibling : parent.firstElementChild;
    if (place !== element) parent.insertBefore(element, place);
    previous = element;
  }
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
}
