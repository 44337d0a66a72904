// News, as the wire has them. Times are texts of ISO 8601 in UTC, days `YYYY-MM-DD`.

import type { Open } from "./open.js"
import type { Provenance } from "./research.js"

/** Whether a piece of news matters, and why. */
export interface Signal {
  /** The address of the first article of the story. */
  id: string
  url: string
  title: string
  source: string
  published_at: string
  verdict: Open<"aware" | "ignore">
  why: string[]
  action: string
  horizon?: Open<"short" | "medium" | "long"> | null
  opportunity_type: Open<"none" | "positive" | "negative">
  opportunity_note: string
  /** 0 to 100. */
  confidence: number
  /** 0 to 100. */
  importance_score: number
  /** Of the members from verdict on. */
  judged_by: Open<"rule" | "model">
}

/** A text or an address of the user's own, interpreted: a signal and its explanation. */
export interface Interpretation {
  id: string
  /** Of the article, or text:// with a number. */
  url: string
  title: string
  source: string
  published_at: string
  verdict: Open<"aware" | "ignore">
  why: string[]
  action: string
  horizon?: Open<"short" | "medium" | "long"> | null
  opportunity_type: Open<"none" | "positive" | "negative">
  opportunity_note: string
  /** 0 to 100. */
  confidence: number
  /** 0 to 100. */
  importance_score: number
  explanation?: StoryExplanation | null
  provenance?: Provenance | null
  job_id: string
}

/** An item of the personalized feed. */
export interface PersonalizedSignal {
  id: string
  title: string
  shortSummary: string
  tickerSummary: string
  impactLevel: Open<"high" | "medium" | "low">
  scopeType: Open<"company" | "industry" | "macro">
  opportunitySignal: Open<"positive" | "negative" | "neutral">
  relevanceType: string
  profileTier: Open<"high" | "medium" | "low">
  published_at: string
  rank_reason: string
  rawArticles: RawArticle[]
  /** Null until it is written. */
  explanation?: PersonalExplanation | null
  /** Of the impact. */
  judged_by: Open<"rule" | "model">
}

/** An article behind an item of the personalized feed. */
export interface RawArticle {
  articleNumber: number
  source: string
  title: string
  description: string
  body: string
  url: string
}

/** The explanation of an item of the personalized feed. */
export interface PersonalExplanation {
  summary: string
  whyItMattersForYou: string
  whyThisHappened: string
  mostLikelyScenarios: Scenario[]
  whatToKeepInMind: string[]
  sources: {
    name: string
    type: Open<"Primary" | "Secondary">
    reason: string
    url: string
  }[]
  /** 0 to 1. */
  confidence: number
  headline: string
  impact: string
  action: string
  context: string
}

/** A possible course of events. */
export interface Scenario {
  scenario: string
  likelihood: Open<"Low" | "Medium" | "High">
  whatConfirmsIt: string
  whatMakesItUnlikely: string
}

/** The stories of a day. */
export interface StoryGroups {
  date: string
  user_id: number
  user_holdings: string[]
  generated_at: string
  global: StoryGroup[]
  by_ticker: Record<string, StoryGroup[]>
  merged_feed: StoryGroup[]
}

/** A story with its articles. */
export interface StoryGroup {
  id: number
  scope: Open<"GLOBAL" | "TICKER">
  primary_ticker?: string | null
  group_title: string
  impact_level: Open<"High" | "Moderate" | "Low" | "Very Low">
  rank_reason?: string | null
  confidence_level: Open<"High" | "Medium" | "Low">
  /** Of the impact. */
  judged_by: Open<"rule" | "model">
  article_count: number
  model_version: string
  pipeline_version: string
  date_bucket: string
  created_at: string
  updated_at: string
  explanation: StoryExplanation
  articles: {
    article_id: string
    similarity_score: number
    added_at: string
  }[]
  related_tickers: {
    ticker: string
    relationship_type?: string | null
  }[]
}

/** The parts of a calm explanation; all null until it is written. */
export interface StoryExplanation {
  /** Null until it is written, like the following fields. */
  what_happened?: string | null
  why_it_happened?: string | null
  why_it_matters_now?: string | null
  what_to_watch_next?: string | null
  what_this_does_not_mean?: string | null
  sources_summary: {
    publisher: string
    title: string
    published_date: string
    url: string
  }[]
  cause_confidence?: Open<"High" | "Medium" | "Low"> | null
  cause_reason?: string | null
  decision_reasoning?: string[] | null
}

/** An article of the news. */
export interface Article {
  id: string
  title: string
  description?: string | null
  url: string
  image_url?: string | null
  url_to_image?: string | null
  source: {
    id?: string | null
    name: string
  }
  author?: string | null
  category?: string | null
  published_at: string
  content?: string | null
  /** In the answer to one article only, like the two that follow. */
  content_is_whole?: boolean
  tickers?: string[]
  suggested_questions?: string[]
}

/** Whether summaries and answers can be expected now. */
export interface NewsAvailability {
  available: boolean
  summary: boolean
  chat: boolean
  reason?: Open<"no_worker" | "no_model" | "models_failing"> | null
  checked_at: string
}

/** Two or three paragraphs of a model, or the article's own text. */
export interface ArticleSummary {
  article_id: string
  form_factor: Open<"phone" | "watch">
  summary: string
  paragraphs: string[]
  sentiment?: Open<"positive" | "negative" | "neutral" | "mixed"> | null
  source: Open<"model" | "original">
  fallback_reason?: Open<"model_unavailable" | "deadline" | "no_usable_summary" | "daily_limit"> | null
  /** Whether the page is for subscribers, so that the summary rests on what its source shows to all. */
  for_subscribers?: boolean
  suggested_questions: string[]
  job_id?: string | null
}

/** What the user owns and how much other news they want to see. */
export interface Preferences {
  success: boolean
  focus_profile: Open<"focused" | "balanced" | "broad">
  holdings_count: number
  holdings: Holding[]
  updated_at?: string | null
}

/** The answer to a change of the preferences. */
export interface PreferencesChanged {
  success: boolean
  focus_profile: string
  holdings_count: number
}

/** A stock that the user owns. */
export interface Holding {
  ticker: string
  label?: string | null
  notes?: string | null
}
