public import Foundation

/// A question to remember something by, with its answer and the times at which it is due.
///
/// Cards are made by analyses whose ``Analysis/decision`` is ``Analysis/Decision/triggered``.
public struct RecallCard: Codable, Hashable, Sendable, Identifiable {
    /// Names a card: 32 hexadecimal digits.
    public struct ID: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Where a question comes from.
    public struct Source: Codable, Hashable, Sendable {
        /// The address of the article or video.
        public let url: String
        /// Its title, where it is known.
        public let title: String?
        /// `article` or `video`.
        public let kind: String?
    }

    /// How well a card is known.
    public struct State: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Never answered.
        public static let new: State = "new"
        /// Answered lately for the first time.
        public static let learning: State = "learning"
        /// Known; due in days or months.
        public static let review: State = "review"
        /// Forgotten, and being learned again.
        public static let relearning: State = "relearning"
    }

    /// How an answer felt, or what it counts as.
    public struct Rating: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Not known.
        public static let again: Rating = "again"
        /// Known with effort.
        public static let hard: Rating = "hard"
        /// Known.
        public static let good: Rating = "good"
        /// Known at once.
        public static let easy: Rating = "easy"
    }

    /// When a card is due, by FSRS-6.
    public struct Schedule: Codable, Hashable, Sendable {
        /// How well the card is known; never ``State/new``.
        public let state: State
        /// The step of learning, from 0; `nil` in review.
        public let step: Int?
        /// Days until the probability of recall is 90 %; `nil` before the first answer.
        public let stability: Double?
        /// 1 to 10; `nil` before the first answer.
        public let difficulty: Double?
        /// When it was answered last.
        public let lastReview: Date?
        /// When it is due.
        public let due: Date
    }

    /// An answer that counted.
    public struct Review: Codable, Hashable, Sendable {
        /// What it counted as.
        public let rating: Rating
        /// When it was given.
        public let answeredAt: Date
    }

    /// Names the card.
    public let id: ID
    /// Whether there are options.
    public let type: Analysis.RecallQuestion.Form
    /// What is asked.
    public let question: String
    /// One of them is the answer; `nil` for an open question.
    public let options: [String]?
    /// What it is about.
    public let concept: String
    /// The right answer.
    public let answer: String
    /// The passage of the source that holds the answer, word for word.
    public let sourceSpan: String
    /// Where the question comes from.
    public let source: Source
    /// The job that made it.
    public let analysisID: Job.ID?
    /// When it was made.
    public let createdAt: Date?
    /// When it is due; `nil` before it was scheduled.
    public let schedule: Schedule?
    /// Its answers, the oldest first.
    public let reviews: [Review]?
}

/// A card that is due, as a learner sees it before the answer.
public struct DueCard: Codable, Hashable, Sendable, Identifiable {
    /// Names the card.
    public let id: RecallCard.ID
    /// Whether there are options.
    public let type: Analysis.RecallQuestion.Form
    /// What is asked.
    public let question: String
    /// One of them is the answer; `nil` for an open question.
    public let options: [String]?
    /// What it is about.
    public let concept: String
    /// Where the question comes from.
    public let source: RecallCard.Source
    /// Since when it has been due.
    public let dueAt: Date
    /// How well it is known.
    public let state: RecallCard.State
    /// The number of answers that counted.
    public let answers: Int
    /// When it was answered last.
    public let lastAnsweredAt: Date?
}

/// What an answer to a card was worth, and what would have been right.
public struct AnswerGrade: Codable, Hashable, Sendable {
    /// How right an answer is.
    public struct Verdict: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Right.
        public static let right: Verdict = "right"
        /// Right in parts.
        public static let partly: Verdict = "partly"
        /// Wrong.
        public static let wrong: Verdict = "wrong"
    }

    /// The card.
    public let cardID: RecallCard.ID
    /// How right the answer is.
    public let verdict: Verdict
    /// Whether it counts as known.
    public let isRight: Bool
    /// What the answer counts as.
    public let rating: RecallCard.Rating
    /// Why; `nil` where no model judged.
    public let reason: String?
    /// The right answer.
    public let answer: String
    /// The passage of the source that decides.
    public let sentence: String
    /// Where the question comes from.
    public let source: RecallCard.Source
    /// Whether the answer changed the schedule: one to a card that was not due is practice.
    public let counted: Bool
    /// When the card is due next.
    public let dueAt: Date
    /// The job that judged; `nil` where no model did.
    public let jobID: Job.ID?
    /// Which model judged; `nil` where none did.
    public let provenance: Provenance?
}

/// How well the user remembers a concept.
public struct ConceptStanding: Codable, Hashable, Sendable {
    /// In three steps.
    public struct Standing: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Often forgotten.
        public static let weak: Standing = "weak"
        /// Between the two others.
        public static let learning: Standing = "learning"
        /// Remembered.
        public static let known: Standing = "known"
    }

    /// The concept.
    public let concept: String
    /// How well it is remembered.
    public let standing: Standing
    /// The number of its cards that were answered.
    public let cards: Int
    /// The number of answers.
    public let answers: Int
    /// The number of answers that were wrong.
    public let lapses: Int
    /// When one of its cards was answered last.
    public let lastAnsweredAt: Date
    /// The least probability of recall of its cards, 0 to 1.
    public let recall: Double
}

/// The user's cards, to be kept elsewhere or brought back.
public struct RecallExport: Codable, Hashable, Sendable {
    /// `dossier-recall`.
    public let format: String?
    /// The version of the format.
    public let version: Int?
    /// How the cards are scheduled: `FSRS-6`.
    public let algorithm: String?
    /// Up to 500 cards.
    public let cards: [RecallCard]
    /// Leads to the next part; `nil` in the last one.
    public let nextCursor: String?
}

/// What an import of cards has done.
public struct RecallImport: Codable, Hashable, Sendable {
    /// Cards that are new.
    public let added: Int
    /// Cards that were reviewed later elsewhere.
    public let updated: Int
    /// Cards that were the same, or older.
    public let unchanged: Int
}

/// The answer to the removal of a card.
public struct RecallCardRemoval: Codable, Hashable, Sendable {
    /// The card.
    public let cardID: RecallCard.ID
    /// True: there was such a card.
    public let removed: Bool
}
