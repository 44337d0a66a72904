// Jobs and reports, as the wire has them. Times are texts of ISO 8601 in UTC, days `YYYY-MM-DD`.

import type { Open } from "./open.js"
import type { Figure } from "./stocks.js"

/** A piece of work that the server does in the background. */
export interface Job {
  id: string
  kind: string
  /** What it is about, in a line for lists: `AAPL as Warren Buffett`. */
  subject?: string | null
  status: Open<"pending" | "processing" | "completed" | "failed" | "cancelled">
  /** 0 to 100. */
  progress: number
  /** The step that runs, in words for the user. */
  current_step?: string | null
  attempt: number
  error?: JobFailure | null
  blocked_by?: JobBlock | null
  /** ISO 8601 in UTC. */
  created_at: string
  started_at?: string | null
  completed_at?: string | null
  /** The expected time of the result, in the answer to a submit with `within`. */
  estimated_at?: string | null
  /** Grows with every visible change; from `ETag` and the ids of events. Absent in lists. */
  revision?: number
}

/** Why a job failed or, while it waits for another attempt, why the last one did. */
export interface JobFailure {
  code: string
  message: string
  user_message: string
}

/** What a pending job waits for. */
export interface JobBlock {
  reason: Open<"run_at" | "retry" | "provider" | "batch" | "job" | "limit" | "shared" | "no_worker">
  until?: string | null
  job_id?: string | null
}

/** The answer to `POST /research/generate`. */
export interface ReportTicket {
  report_id: string
  status: string
  estimated_seconds: number
  poll_url: string
}

/** How a report is doing. */
export interface ReportStatus {
  status: Open<"pending" | "processing" | "completed" | "failed">
  progress: number
  current_step?: string | null
  error_message?: string | null
  completed_at?: string | null
  /** In the order of the work. */
  steps: {
    /** The progress at the end of the step. */
    progress: number
    title: string
    state: Open<"pending" | "running" | "done" | "failed">
  }[]
}

/** How a report differs from another one on the same company. */
export interface ReportChanges {
  since: string
  report_id: string
  ticker?: string | null
  verdict: {
    before?: string | null
    now?: string | null
    changed: boolean
  }
  score: {
    before?: number | null
    now?: number | null
    changed: boolean
  }
  investor_persona: {
    before?: string | null
    now?: string | null
    changed: boolean
  }
  added: ChangedFigure[]
  removed: ChangedFigure[]
  changed: ChangedFigure[]
  /** Figures that are the same in both. */
  unchanged: number
  /** The questions whose score differs. */
  checklist: {
    id: string
    question?: string | null
    score?: number | null
    score_before?: number | null
    value?: number | null
    value_before?: number | null
  }[]
}

/** A figure that two reports do not share. */
export interface ChangedFigure {
  id?: string | null
  label?: string | null
  concept?: string | null
  value?: number | null
  unit?: string | null
  form?: string | null
  accession_number?: string | null
  filing_date?: string | null
  period?: string | null
  /** The figure as the earlier report has it. */
  before?: unknown
}

/** A report as `/research/reports` shows it; a report is a job of kind `research`. Lists leave out the result. */
export interface Report {
  report_id: string
  ticker?: string | null
  investor_persona?: string | null
  status: Open<"pending" | "processing" | "completed" | "failed">
  progress: number
  current_step?: string | null
  error_message?: string | null
  created_at: string
  completed_at?: string | null
  /** Present from here on when it is completed. */
  report?: Prose | null
  facts?: Figure[] | null
  computed?: ComputedFigure[] | null
  scorecard?: Scorecard | null
  provenance?: Provenance | null
  /** Whether a filing is newer than those of the report; null when that is not known now. */
  is_outdated?: boolean | null
  newer_filing?: {
    accession_number: string
    form?: string | null
    filed?: string | null
  } | null
}

/** The result of a job of kind `research`: prose, and every figure with its filing. */
export interface ResearchReport {
  report: Prose
  facts: Figure[]
  computed: ComputedFigure[]
  /** The places of the prose that state a figure. Absent in a report from before these were kept. */
  mentions?: Mention[] | null
  /** The sentences that are the investor's view. */
  views?: View[] | null
  scorecard: Scorecard
  provenance: Provenance
}

/** What a report says. */
export interface Prose {
  company: {
    name: string
    ticker: string
    cik?: number | null
    industry?: string | null
  }
  persona: {
    id: string
    name: string
  }
  verdict: Open<"fits" | "mixed" | "does_not_fit" | "walks_away" | "abstains">
  /** 0 to 100; null when it abstains. */
  score?: number | null
  /** 0 to 100. */
  confidence: number
  /** The questions that the verdict leaves open. */
  verdict_note?: string | null
  summary: string
  thesis: string
  strengths: {
    title: string
    detail: string
  }[]
  risks: {
    title: string
    detail: string
  }[]
  valuation: string
  what_would_change_the_view: {
    text: string
    threshold?: string | null
  }[]
  sources_note?: string | null
  gaps: string[]
  sources: {
    form: string
    accession_number: string
    filed: string
    url?: string | null
  }[]
  /** The reports whose text was read. */
  filings_read?: FilingRead[]
  /** The business in the company's own words. */
  business?: Passage[]
  /** What changed in the risks between the last two annual reports. */
  risk_changes?: RiskChanges | null
  /** What the quarterly report after the annual report says of risks. */
  risk_updates?: RiskUpdates | null
  /** What the report says by the filings, each with its proof. */
  segments?: SegmentTable | null
  claims?: Claim[]
}

/** A place of the prose that states a figure. */
export interface Mention {
  /** The text: `summary`, or `risks[0].detail`. */
  path: string
  /** In UTF-16 units, as `slice` counts. */
  from: number
  /** The first unit behind it. */
  to: number
  /** The id of the figure in `facts` or `computed`. */
  figure: string
}

/** A figure that is computed from reported ones. */
export interface ComputedFigure {
  id: string
  label: string
  value: number
  unit: string
  period?: string | null
  source: string
  figures: string[]
}

/** A persona's checklist with its answers. */
export interface Scorecard {
  verdict: Open<"fits" | "mixed" | "does_not_fit" | "walks_away" | "abstains">
  score?: number | null
  thresholds?: Thresholds | null
  confidence: number
  verdict_note?: string | null
  remarks: string[]
  items: {
    id: string
    question: string
    weight: number
    score?: number | null
    evidence: Evidence
  }[]
  walk_aways: {
    id: string
    holds: boolean
    because: string
    evidence: Evidence
  }[]
}

/** The figure that answers a question of a checklist. */
export interface Evidence {
  metric: string
  title: string
  formula: string
  unit: string
  value?: number | null
  abstained_because?: string | null
  shortfall?: string | null
  figures: string[]
}

/** Which versions of prompts made a result and what the models cost. */
export interface Provenance {
  job_id: string
  /** Hash of the prompts and personas. */
  bundle: string
  persona?: {
    id: string
    version: number
  } | null
  prompts: Record<string, string>
  gathered_at?: string | null
  market_data?: string | null
  /** The readings of the annual report that a report used, which were paid once for all reports. */
  filing_readings?: {
    accession_number: string
    item: string
    findings: number
    job_id?: string | null
    cost_micro_dollars: number
  }[] | null
  model_calls: ModelCall[]
  repaired: boolean
  cost_micro_dollars: number
}

/** A call of a model: its ids, tokens by type and cost. */
export interface ModelCall {
  step: string
  provider: string
  model: string
  response_id?: string | null
  request_id?: string | null
  /** The call beside which this one was made since its first byte was late. */
  hedge_of?: string | null
  usage?: Record<string, number> | null
  cost_micro_dollars?: number | null
}

/** An investor in whose voice reports are written. */
export interface Persona {
  id: string
  name: string
  summary: string
  version: number
  /** A sentence as the investor would say it. */
  voice?: string | null
  thresholds: Thresholds
}

/** The lowest scores (0 to 100) with which a company fits an investor, and with which the picture is mixed. */
export interface Thresholds {
  fits: number
  mixed: number
}

/** A filing whose text was read. */
export interface FilingRead {
  accession_number: string
  form: string
  role: string
  filed: string
  period?: string | null
  url: string
  items: {
    item: string
    status: string
  }[]
  /** Why it was not read. */
  problem?: string | null
}

/** A paragraph of a filing, word for word. */
export interface Passage {
  id: string
  item: string
  text: string
  url?: string | null
}

/** What a quarterly report says of risks since the annual report. */
export interface RiskUpdates {
  accession_number: string
  filed: string
  url: string
  /** Whether it says that nothing material changed, and has nothing new. */
  is_unchanged: boolean
  new: Passage[]
  changed: {
    before: Passage
    after: Passage
  }[]
}

/** What changed between the risk factors of two annual reports. */
export interface RiskChanges {
  before: string
  after: string
  new_count: number
  removed_count: number
  changed_count: number
  new: Passage[]
  removed: Passage[]
  changed: {
    before: Passage
    after: Passage
  }[]
}

/** The revenue of a company's segments, as its annual report has it. */
export interface SegmentTable {
  accession_number: string
  url: string
  currency: string
  /** The newest first. */
  years: {
    start: string
    end: string
    /** Of the company. */
    revenue: number
    parts: {
      name: string
      revenue: number
      /** Where that of all segments adds up. */
      operating_income?: number | null
      /** Whether it is no segment but what lies between the segments and the company. */
      is_reconciliation: boolean
    }[]
  }[]
}

/** A sentence of the prose that neither a figure nor a claim with its proof bears out. */
export interface View {
  path: string
  /** In UTF-16 units. */
  from: number
  to: number
}

/** A sentence of a report with its proof. */
export interface Claim {
  topic: string
  text: string
  /** As a passage has it; null for a view. */
  quote?: string | null
  item?: string | null
  year?: string | null
  /** Ids of the paragraphs that it rests on. */
  passages: string[]
  /** Shows the quote marked in the filing. */
  url?: string | null
  status: Open<"verified" | "repaired" | "view">
}
