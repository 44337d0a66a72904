// Stocks and forecasts, as the wire has them. Times are texts of ISO 8601 in UTC, days `YYYY-MM-DD`.

import type { Open } from "./open.js"

/** Profile, price and head figures of a stock. A part that cannot be had is null, and `parts` says why. */
export interface Stock {
  ticker: string
  name?: string | null
  profile?: StockProfile | null
  quote?: StockQuote | null
  fundamentals?: StockHeadline | null
  parts: {
    profile: StockPart
    quote: StockPart
    fundamentals: StockPart
  }
}

/** Where a part of a stock is from, or why it is missing. */
export interface StockPart {
  status: Open<"ok" | "missing" | "unavailable" | "pending" | "not_configured">
  reason?: string | null
  code?: string | null
  sources: string[]
  fetched_at?: string | null
  is_stale: boolean
}

/** What a company is. */
export interface StockProfile {
  name?: string | null
  /** The SEC's number of the filer. */
  cik?: string | null
  exchange?: string | null
  sector?: string | null
  industry?: string | null
  industry_code?: string | null
  country?: string | null
  currency?: string | null
  fiscal_year_end?: string | null
  website?: string | null
  ceo?: string | null
  description?: string | null
  employees?: number | null
  beta?: number | null
  ipo_date?: string | null
  is_etf?: boolean | null
  is_crypto?: boolean | null
}

/** The price of a stock. 1.5 in `change_percent` is 1.5 %. */
export interface StockQuote {
  price: number
  currency?: string | null
  change?: number | null
  /** 1.5 is 1.5 percent. */
  change_percent?: number | null
  open?: number | null
  previous_close?: number | null
  day_low?: number | null
  day_high?: number | null
  year_low?: number | null
  year_high?: number | null
  volume?: number | null
  market_cap?: number | null
  as_of?: string | null
  source: string
  /** Whether the source made the price up. */
  simulated?: boolean | null
}

/** The figures of a company's latest reports, by concept. */
export interface StockHeadline {
  currency: string
  latest_period_end?: string | null
  figures: Record<string, Figure>
}

/** A filing that a report on a company reads. */
export interface ListedFiling {
  accession_number: string
  form: string
  role: Open<"annual_report" | "prior_annual_report" | "quarterly_report" | "results_release" | "proxy_statement">
  filed: string
  period?: string | null
  url: string
}

/** The text of a filing, by items and paragraphs. */
export interface FiledText {
  accession_number: string
  form: string
  ticker: string
  company: string
  filed: string
  period?: string | null
  url: string
  /** The version of the reader, on which the ids of paragraphs depend. */
  parser: number
  items: {
    item: string
    status: Open<"found" | "by_reference" | "omitted" | "missing" | "uncertain">
    paragraphs: number
    /** What an item by reference says of where its text is. */
    pointer?: string | null
  }[]
  paragraphs: {
    id: string
    item: string
    text: string
    is_row: boolean
  }[]
  paragraph_count: number
  /** The first of the paragraphs after these. */
  next?: number | null
}

/** A company that a search has found. */
export interface StockMatch {
  ticker: string
  name: string
  /** None for a coin or a fund. */
  cik?: string | null
}

/** A period of a company with its reported figures, by concept. */
export interface Fundamentals {
  ticker: string
  period: Period
  currency?: string | null
  source: string
  figures: Record<string, Figure>
}

/** The time that figures are about. */
export interface Period {
  /** Such as FY2025. */
  label: string
  kind: Open<"annual" | "quarter" | "ttm" | "transition">
  start?: string | null
  end?: string | null
}

/** A figure with everything that is needed to find it where it was reported. */
export interface Figure {
  /** Such as revenue.FY2025. */
  id: string
  label: string
  concept: string
  /** On today's shares. */
  value: number
  /** The value in the filing. */
  reported?: number | null
  unit: string
  /** Its tag in the filing or field at the source. */
  tag: string
  period: Period
  form?: string | null
  accession_number?: string | null
  filing_date?: string | null
  url?: string | null
  adjustment?: Adjustment | null
  restated_from?: Restatement | null
  derivation?: Derivation | null
}

/** How splits changed a figure. */
export interface Adjustment {
  factor: number
  reason: string
  splits: {
    numerator: number
    denominator: number
    effective?: string | null
    boundary: string
  }[]
}

/** The filing whose figure a later one replaced. */
export interface Restatement {
  reported: number
  form: string
  accession_number: string
  filing_date: string
}

/** How a figure follows from others. */
export interface Derivation {
  method: string
  components: {
    sign: Open<"+" | "-">
    value: number
    tag: string
    start?: string | null
    end: string
    form: string
    accession_number: string
    filing_date: string
  }[]
}

/** A stock that the user watches. */
export interface WatchlistItem {
  ticker: string
  name?: string | null
  added_at: string
}

/** The bars of a chart, oldest first, adjusted for splits. */
export interface Prices {
  ticker: string
  interval: Open<"1d" | "1h">
  source: string
  simulated: boolean
  adjustment: string
  from: string
  to: string
  bars: {
    date: string
    open: number
    high: number
    low: number
    close: number
    volume?: number | null
  }[]
}

/** The answer to `POST /train-model`. */
export interface TrainingResult {
  symbol: string
  timeframe: string
  horizon: string
  lookbackDays: number
  status: Open<"success">
  trainingMetrics: {
    /** The share of right answers on the earlier three quarters of the tested rows. */
    validationAccuracy: number
    trainSamples: number
    validationSamples: number
    /** In nats; 0.693 is a coin's. */
    trainLoss: number
    validationLoss: number
    /** In sample. */
    trainAccuracy: number
    /** On the last quarter. */
    testAccuracy: number
    testSamples: number
  }
  ensembleWeights: {
    random_forest: number
    gradient_boosting: number
  }
  modelInfo: ModelInfo
  featureImportance: Record<string, number>
  baseline: ForecastBaseline
  testBaseline: ForecastBaseline
  accuracyInterval: number[]
  forecast: Forecast
  pValue: number
  evidence: number
  tested: TestedRows
  issues: ForecastIssue[]
  provenance: ForecastProvenance
  timestamp: string
  job_id: string
}

/** The answer to `POST /forecast-quality`. */
export interface ForecastQuality {
  symbol: string
  horizon: string
  timeframe: string
  lookbackDays: number
  /** At most 0.5 without an edge. */
  qualityScore: number
  confidence: number
  modelAgreement: number
  agreementByChance: number
  qualityParts: {
    sample: number
    freshness: number
    data: number
    calibration: number
    evidence: number
  }
  accuracy: number
  baseline: ForecastBaseline
  accuracyInterval: number[]
  modelInfo: ModelInfo
  reliability: {
    from: number
    to: number
    rows: number
    expectedUp: number
    up: number
  }[]
  calibrationError: number
  forecast: Forecast
  pValue: number
  evidence: number
  tested: TestedRows
  issues: ForecastIssue[]
  provenance: ForecastProvenance
  timestamp: string
  job_id: string
}

/** The model behind a forecast. */
export interface ModelInfo {
  modelHash: string
  featureCount: number
  trainedAt: string
}

/** What always saying the more frequent direction would have got. Show it beside every accuracy. */
export interface ForecastBaseline {
  accuracy: number
  loss: number
  rule: string
}

/** A published probability. */
export interface Forecast {
  probabilityUp: number
  direction: Open<"up" | "down">
  source: Open<"ensemble" | "base_rate">
  asOf: string
  targetDate: string
}

/** The rows on which a model was tested. */
export interface TestedRows {
  rows: number
  from: string
  to: string
  independentRows: number
  accuracy: number
  loss: number
}

/** What is to be said about a forecast. */
export interface ForecastIssue {
  level: Open<"info" | "warning" | "error">
  /** Such as `no_edge`, `few_samples`, `stale_data`. */
  type: string
  message: string
  action: string
}

/** The prices behind a forecast. */
export interface ForecastProvenance {
  source: string
  simulated: boolean
  from: string
  to: string
  bars: number
  repaired: number
  digest: string
  featureVersion: number
  seed: number
  library: string
}
