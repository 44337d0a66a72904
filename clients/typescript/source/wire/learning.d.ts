// Analyses, recall cards, conversations and the account, as the wire has them. Times are texts of ISO 8601 in UTC.

import type { Open } from "./open.js"
import type { Provenance } from "./research.js"

/** What an article or a video teaches somebody with a goal, and questions to remember it by. */
export interface Analysis {
  trace_id: string
  concepts: string[]
  relevance_score: number
  learning_value_score: number
  decision: Open<"triggered" | "ignored">
  recall_questions: RecallQuestion[]
  relevance_reasons?: string[] | null
  concept_details?: {
    name: string
    source_span: string
    depth: string
    bearing: string
    standing: string
  }[] | null
  content?: AnalyzedContent | null
  history?: {
    known: string[]
    weak: string[]
  } | null
  provenance?: Provenance | null
}

/** What an article or a video is analyzed for. */
export interface AnalysisInput {
  content_url: string
  user_id_hash: string
  goal_id: string
  goal_description: string
  known_concepts?: string[] | null
  weak_concepts?: string[] | null
}

/** The text that was analyzed. */
export interface AnalyzedContent {
  url: string
  kind: Open<"article" | "video">
  title?: string | null
  site?: string | null
  language?: string | null
  published_at?: string | null
  characters: number
  characters_read: number
}

/** A question to remember a text by. */
export interface RecallQuestion {
  question: string
  type: Open<"open" | "mcq">
  concept?: string | null
  options?: string[] | null
  answer?: string | null
  source_span?: string | null
  /** The recall card of the question; null when the user has such a question already. */
  card_id?: string | null
}

/** The grade of an answer to a recall card, and when the card is due again. */
export interface AnswerGrade {
  card_id: string
  verdict: Open<"right" | "partly" | "wrong">
  is_right: boolean
  /** What the answer counts as. */
  rating: Open<"again" | "hard" | "good" | "easy">
  /** Why; null where no model judged. */
  reason?: string | null
  /** The right answer. */
  answer: string
  /** The passage of the source that decides. */
  sentence: string
  source: RecallSource
  /** Whether the answer changed the schedule. */
  counted: boolean
  due_at: string
  job_id?: string | null
  provenance?: Provenance | null
}

/** The text that a recall card is about. */
export interface RecallSource {
  url: string
  title?: string | null
  kind?: string | null
}

/** A recall card without its answer. */
export interface DueCard {
  id: string
  type: Open<"open" | "mcq">
  question: string
  options?: string[] | null
  concept: string
  source: RecallSource
  due_at: string
  state: Open<"new" | "learning" | "review" | "relearning">
  answers: number
  last_answered_at?: string | null
}

/** How well the user remembers a concept. */
export interface ConceptStanding {
  concept: string
  standing: Open<"weak" | "learning" | "known">
  cards: number
  answers: number
  /** Answers that were wrong. */
  lapses: number
  last_answered_at: string
  /** The least probability of recall of its cards, 0 to 1. */
  recall: number
}

/** A recall card with its answer and schedule. */
export interface RecallCard {
  /** 32 hexadecimal digits; made of the question and its source when an import leaves it out. */
  id?: string | null
  type: Open<"open" | "mcq">
  question: string
  options?: string[] | null
  concept: string
  answer: string
  /** The passage that holds the answer. */
  source_span: string
  source: RecallSource
  analysis_id?: string | null
  created_at?: string | null
  schedule?: CardSchedule | null
  reviews?: CardReview[] | null
}

/** When a recall card is due, by FSRS-6. */
export interface CardSchedule {
  state: Open<"learning" | "review" | "relearning">
  step?: number | null
  /** Days until the probability of recall is 90 %. */
  stability?: number | null
  /** 1 to 10. */
  difficulty?: number | null
  last_review?: string | null
  due: string
}

/** An answer that counted. */
export interface CardReview {
  rating: string
  answered_at: string
}

/** Recall cards to keep or to move. */
export interface RecallExport {
  format: string
  version: number
  algorithm: string
  cards: RecallCard[]
  next_cursor?: string | null
}

/** The answer to a question about an article. */
export interface ArticleAnswer {
  conversation_id: string
  article_id: string
  form_factor: Open<"phone" | "watch">
  answer: string
  /** Whether the article says it. */
  in_article: boolean
  citations: Citation[]
  provenance?: Provenance | null
  job_id: string
}

/** The answer to a question about investing. */
export interface EducationAnswer {
  conversation_id: string
  answer: string
  /** False when no source answers it. */
  known: boolean
  citations: Citation[]
  provenance?: Provenance | null
  job_id: string
}

/** What an answer rests on. */
export interface Citation {
  kind: Open<"document" | "report" | "article" | "story">
  id: string
  title: string
  url?: string | null
  quote: string
}

/** A conversation as the list shows it. */
export interface ConversationEntry {
  id: string
  subject: Open<"article" | "education">
  article_id?: string | null
  /** The first question. */
  title: string
  created_at: string
  updated_at: string
  turns: number
}

/** A conversation with its messages. */
export interface Conversation {
  id: string
  subject: Open<"article" | "education">
  article_id?: string | null
  updated_at: string
  messages: ConversationMessage[]
}

/** A question or an answer of a conversation. */
export interface ConversationMessage {
  role: Open<"user" | "assistant">
  text: string
  citations: Citation[]
  at: string
  job_id: string
}

/** `granted` is the sum of `remaining`, `held` and `used`. */
export interface Credits {
  granted: number
  remaining: number
  held: number
  used: number
}

/** Numbers that a movement of credits changes, or that hold after it. */
export interface CreditSums {
  remaining: number
  held: number
  used: number
}

/** One movement of a user's credits. */
export interface LedgerEntry {
  id: number
  type: Open<"grant" | "hold" | "settle" | "release">
  amount: number
  effect: CreditSums
  after: CreditSums
  source?: string | null
  month?: string | null
  job_id?: string | null
  kind?: string | null
  at: string
}

/** The sums of a user's credits in one month. */
export interface CreditStatement {
  month: string
  opening: number
  granted: Record<string, number>
  used: Record<string, number>
  expired: number
  closing: number
  jobs: number
}

/** What a job cost, in words and in movements of credits. */
export interface Receipt {
  job_id: string
  kind: string
  status: string
  charged: number
  held: number
  sentence: string
  entries: LedgerEntry[]
}

/** The account that is signed in. */
export interface User {
  id: number
  subject: string
  created_at: string
  credits: Credits
}
