// Comparisons, as the wire has them. Days are `YYYY-MM-DD`.

import type { Open } from "./open.js"
import type { Mention, Prose, Provenance } from "./research.js"

/** The result of a job of kind `comparison`: a table that code makes, and a text that explains it. */
export interface Comparison {
  comparison: {
    /** What the columns differ in. */
    by: Open<"companies" | "personas">
    columns: ComparisonColumn[]
    rows: ComparisonRow[]
    /** What has to be known before figures are put side by side: years and currencies that differ. */
    notes: string[]
    /** Null where no text passed its checks. */
    text?: {
      summary: string
      differences: {
        title: string
        detail: string
      }[]
    } | null
    /** Why there is no text. */
    text_note?: string | null
  }
  /** The places of the text that state a number of the table. */
  mentions: Mention[]
  provenance: Provenance
}

/** A company as an investor reads it. */
export interface ComparisonColumn {
  company: Prose["company"]
  persona: Prose["persona"] & {version: number}
  /** The day on which the facts were read. */
  as_of: string
  /** Of the filings. */
  currency: string
  fiscal_year?: string | null
  fiscal_year_end?: string | null
  verdict: Open<"fits" | "mixed" | "does_not_fit" | "walks_away" | "abstains">
  /** 0 to 100; null when it abstains. */
  score?: number | null
  confidence: number
  verdict_note?: string | null
  /** Findings that end the reading. */
  walk_aways: string[]
  gaps: string[]
}

/** A metric or a figure in all columns. */
export interface ComparisonRow {
  id: string
  kind: Open<"metric" | "figure">
  title: string
  formula?: string | null
  /** Whether the amounts are of one currency. */
  is_comparable: boolean
  /** In the order of the columns; null where the investor does not ask, or the filings give no figure. */
  cells: (ComparisonCell | null)[]
}

/** A number of the table, or why there is none. */
export interface ComparisonCell {
  /** By which `mentions` name it. */
  id?: string | null
  value?: number | null
  /** The number for readers, with its unit. */
  written?: string | null
  period?: string | null
  /** 0 to 10. */
  score?: number | null
  question?: string | null
  abstained_because?: string | null
  shortfall?: string | null
  /** The filing of a figure. */
  url?: string | null
}
