// What can be read: addresses with their lifetime. The names are those of the Swift client.

import { FreshnessPolicy } from "./freshness.js"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const { lifetime, standard, never } = FreshnessPolicy
const escape = encodeURIComponent

function make(path, { query = {}, freshness = standard, isKept = false, ...more } = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, String(value)])
  pairs.sort(([one], [other]) => one < other ? -1 : one > other ? 1 : 0)
  const search = new URLSearchParams(pairs).toString()
  const body = more.body === undefined ? "" : `#${JSON.stringify(more.body)}`
  return Object.freeze({
    method: "GET", wait: 0, ...more, path, query: Object.fromEntries(pairs), freshness, isKept,
    name: path + (search ? `?${search}` : "") + body,
  })
}

/** Values that can be read and cached. */
export const resource = Object.freeze({
  stock: ticker => make(`/api/v1/stocks/${escape(ticker)}`, { freshness: lifetime(minute) }),
  fundamentals: (ticker, { period = "annual", limit } = {}) =>
    make(`/api/v1/stocks/${escape(ticker)}/fundamentals`, { query: { period, limit }, freshness: lifetime(day) }),
  prices: (ticker, { interval, from, to } = {}) =>
    make(`/api/v1/stocks/${escape(ticker)}/prices`, { query: { interval, from, to } }),
  filings: ticker => make(`/api/v1/stocks/${escape(ticker)}/filings`, { freshness: lifetime(day) }),
  filing: (accession, { item, from, limit } = {}) =>
    make(`/api/v1/filings/${escape(accession)}`, { query: { item, from, limit }, freshness: lifetime(day) }),
  stockSearch: (text, { limit = 20 } = {}) =>
    make("/api/v1/stocks/search", { query: { q: text, limit }, freshness: lifetime(day) }),
  watchlist: () => make("/api/v1/watchlist", { isKept: true }),
  personas: () => make("/api/v1/personas", { freshness: lifetime(day), isKept: true }),
  report: id => make(`/api/v1/research/reports/${escape(id)}`, {
    freshness: lifetime(7 * day), isKept: true, isStored: report => report.status === "completed",
  }),
  reportChanges: (id, { since }) =>
    make(`/api/v1/research/reports/${escape(id)}/changes`, { query: { since }, freshness: lifetime(7 * day) }),
  storyGroups: ({ date, limitGlobal = 5, limitPerTicker = 3 } = {}) => make("/v1/feed/story-groups", {
    query: { date, limit_global: limitGlobal, limit_per_ticker: limitPerTicker },
  }),
  latestBrief: () => make("/v1/brief/latest"),
  preferences: () => make("/v1/preferences", { freshness: lifetime(10 * minute), isKept: true }),
  article: id => make(`/api/v1/news/articles/${escape(id)}`, { freshness: lifetime(hour) }),
  summary: (article, { formFactor = "phone" } = {}) => make(`/api/v1/news/articles/${escape(article)}/summary`, {
    method: "POST", body: { form_factor: formFactor }, wait: 30_000, isStored: summary => summary.source !== "original",
  }),
  newsAvailability: () => make("/api/v1/news/availability", { freshness: lifetime(minute) }),
  statement: ({ month } = {}) =>
    make("/api/v1/credits/statement", { query: { month }, freshness: lifetime(minute) }),
  receipt: job => make(`/api/v1/jobs/${escape(job)}/receipt`, { freshness: lifetime(minute) }),
  conversation: id => make(`/api/v1/conversations/${escape(id)}`),
  recallCard: id => make(`/api/v1/recall/${escape(id)}`),
  recallExport: ({ limit, cursor } = {}) =>
    make("/api/v1/recall/export", { query: { limit, cursor }, freshness: never }),
  training: input => make("/train-model", { method: "POST", body: input, wait: 30_000 }),
  forecastQuality: input => make("/forecast-quality", { method: "POST", body: input, wait: 30_000 }),
  credits: () => make("/api/v1/credits", { freshness: lifetime(minute) }),
  currentUser: () => make("/api/v1/users/me", { freshness: lifetime(10 * minute) }),
  health: () => make("/health", { freshness: never }),
  readiness: () => make("/ready", { freshness: never }),
  metrics: () => make("/metrics", { freshness: never, isText: true }),
  openAPI: () => make("/openapi.json", { freshness: never }),
  /** Any address, such as one of a newer server. */
  of: (path, { query, freshness, isKept } = {}) => make(path, { query, freshness, isKept }),
})

// How the pages of a list are asked for: by number, by the server's cursor, or by either.
const byPage = { size: "per_page", page: "page" }
const byPageSize = { size: "page_size", page: "page" }
const byCursor = { size: "limit", cursor: "cursor" }

const list = (path, { pageSize, paging = byPage, query, ...options } = {}) =>
  make(path, { ...options, query: { ...query, [paging.size]: pageSize }, paging })

/** Lists that come in pages. */
export const listing = Object.freeze({
  jobs: ({ status, kind, pageSize = 20 } = {}) => list("/api/v1/jobs", {
    query: { status, kind }, pageSize, freshness: never, paging: { ...byPage, cursor: "cursor" },
  }),
  reports: ({ pageSize = 20 } = {}) => list("/api/v1/research/reports", { pageSize, isKept: true }),
  feed: ({ pageSize = 20 } = {}) => list("/v1/feed", { pageSize, paging: byCursor }),
  personalizedFeed: ({ pageSize = 50 } = {}) => list("/v1/personalized-feed", { pageSize, paging: byCursor }),
  headlines: ({ category, pageSize = 20 } = {}) =>
    list("/api/v1/news/top-headlines", { query: { category }, pageSize, paging: byPageSize }),
  newsSearch: (words, { category, pageSize = 20 } = {}) =>
    list("/api/v1/news/search", { query: { q: words, category }, pageSize, paging: byPageSize }),
  conversations: ({ pageSize = 20 } = {}) => list("/api/v1/conversations", { pageSize }),
  ledger: ({ pageSize = 50 } = {}) => list("/api/v1/credits/ledger", { pageSize }),
  dueCards: ({ pageSize = 20 } = {}) => list("/api/v1/recall/due", { pageSize, freshness: never }),
  recallConcepts: ({ pageSize = 20 } = {}) => list("/api/v1/recall/concepts", { pageSize }),
  /** Any address with `cursor` or `page`, such as one of a newer server. */
  of: (path, { query, freshness } = {}) =>
    make(path, { query, freshness, paging: { page: "page", cursor: "cursor" } }),
})

/** The page of a listing behind a cursor, as a resource. */
export function pageResource(listing, cursor) {
  const [kind, value] = cursor === undefined ? [] : splitCursor(cursor)
  const query = kind === undefined ? listing.query : { ...listing.query, [listing.paging[kind] ?? kind]: value }
  return { ...make(listing.path, { query, freshness: listing.freshness, isKept: listing.isKept }), isPage: true }
}

function splitCursor(cursor) {
  const colon = cursor.indexOf(":")
  return [cursor.slice(0, colon), cursor.slice(colon + 1)]
}

/** One form for the pages of all lists: `{ items, next, totalItems }`. */
export function pageOf(body) {
  if (Array.isArray(body?.data)) {
    const { next_cursor: cursor, has_next: hasNext, page, total_items: totalItems } = body.pagination ?? {}
    let next
    if (cursor) next = `cursor:${cursor}`
    else if (hasNext && typeof page === "number") next = `page:${page + 1}`
    return { items: body.data, next, totalItems }
  }
  if (!Array.isArray(body?.items)) return undefined
  return { items: body.items, next: body.next_cursor ? `cursor:${body.next_cursor}` : undefined, totalItems: undefined }
}

/** What tells the items of a list apart when they move between pages. */
export function identity(item) {
  return item?.id ?? item?.report_id ?? item?.card_id ?? item?.ticker ?? JSON.stringify(item)
}
