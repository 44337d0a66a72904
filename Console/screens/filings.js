// Filings as they were read: one whole, and the passage of one that a sentence of a report rests on.
import {fill, h, outside, popover} from "../dom.js";
import {get} from "../api.js";
import {opened, toPlace} from "../live.js";
import {failure, link, loading, named} from "../parts.js";

/** @param {any} filing */
const name = ({company, form, filed}) => `${company}, ${form} of ${filed}`;

/**
 * An item with all of its paragraphs.
 * @param {string} accession
 * @param {string} item
 * @param {AbortSignal} [signal]
 */
async function whole(accession, item, signal) {
  const paragraphs = [];
  for (let found, from = 0; ; from = found.next) {
    found = await get(`filings/${encodeURIComponent(accession)}?limit=200&item=${encodeURIComponent(item)}&from=${from}`, signal);
    paragraphs.push(...found.paragraphs);
    if (typeof found.next !== "number") return {...found, paragraphs};
  }
}

/** @param {Page} page */
export function filing(page) {
  const content = h("div.stack");
  const {show, close} = opened(content, "the filing", async (query, signal) => {
    const first = await get(`filings/${encodeURIComponent(page.id)}?limit=200`, signal);
    const item = query.get("item") ?? first.items.find((/** @type {any} */ one) => one.paragraphs)?.item;
    const {paragraphs} = await whole(page.id, item, signal);
    return [h("h1", name(first)), h("p.meta", outside(first.url, "Open at the SEC")),
      h("div.row", first.items.map((/** @type {any} */ one) => one.paragraphs
        ? link(`/console/filings/${page.id}?item=${one.item}`, `Item ${one.item}`, {key: one.item, class: "tag", "aria-current": one.item === item ? "true" : null}) : null)),
      h("div.told", h("h2", `Item ${item}`), paragraphs.map((/** @type {any} */ one) => h("p", {id: one.id, tabindex: "-1"}, one.text)))];
  }, () => h("h1", "Filing"));
  show(page.query).then(toPlace);
  return {element: content, update: show, close};
}

/**
 * Shows the paragraph of a filing that a sentence rests on, between those beside it.
 * @param {any} claim what it says, its quote, the ids of its paragraphs, and how it was checked
 * @param {Element} from the element that opened it
 */
export function showPassage({quote, item, passages: [id], status, url}, from) {
  const [accession] = id.split("/");
  const content = h("div.stack", loading("the passage"));
  const title = `Item ${item}`;
  popover(title, from, status ? h("div.row", named(status)) : null,
  content, h("div.row", link(`/console/filings/${accession}?item=${item}#${id}`, "Read the item", {class: "button first"}), outside(url, "Open at the SEC")));
  whole(accession, item).then((found) => {
    const place = found.paragraphs.findIndex((/** @type {any} */ one) => one.id === id);
    if (place < 0) return fill(content, h("p", quote));
    const {text} = found.paragraphs[place];
    const at = text.indexOf(quote);
    fill(content, h("p.faint", `${name(found)}, paragraph ${place + 1}`), h("p.passage", at < 0 ? text
      : [text.slice(0, at), h("mark", quote), text.slice(at + quote.length)]));
  }, (error) => fill(content, failure(error)));
}
