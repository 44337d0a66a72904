internal import Basics
package import JobQueue
internal import JSON

/// An answer of a learner to a card that counted for its schedule.
package struct CardReview: Sendable, Hashable {
    /// Names the answer: a repeat has the same id and is not counted again.
    package var id: String
    package var rating: ReviewRating
    package var answeredAt: Timestamp
    /// A digest of the request, so that a repeat with other content is noticed.
    package var fingerprint: String?

    package init(id: String, rating: ReviewRating, answeredAt: Timestamp, fingerprint: String? = nil) {
        self.id = id
        self.rating = rating
        self.answeredAt = answeredAt
        self.fingerprint = fingerprint
    }
}

/// A recall card with its question, its schedule and its reviews.
package struct LearningCard: Sendable, Hashable {
    /// A card keeps its latest reviews.
    package static let mostReviews = 100

    package private(set) var user: UserID
    package private(set) var id: String
    package private(set) var revision: Int64
    package private(set) var createdAt: Timestamp
    package var question: RecallQuestion
    package private(set) var schedule: CardSchedule
    /// The oldest first, the latest hundred.
    package private(set) var reviews: [CardReview]
    /// The number of all reviews, and of those that were forgotten.
    package private(set) var answers: Int
    package private(set) var lapses: Int

    /// A card that is due at once.
    package init(_ question: RecallQuestion, of user: UserID, at time: Timestamp) {
        self.init(
            question, id: Self.id(of: question), of: user, schedule: CardSchedule(due: time), reviews: [],
            createdAt: time)
    }

    /// A card with a past, as an import brings it.
    package init(
        _ question: RecallQuestion, id: String, of user: UserID, schedule: CardSchedule, reviews: [CardReview],
        createdAt: Timestamp
    ) {
        (self.question, self.id, self.user, self.schedule) = (question, id, user, schedule)
        self.reviews = Array(reviews.suffix(Self.mostReviews))
        answers = reviews.count
        lapses = reviews.count { $0.rating == .again }
        (revision, self.createdAt) = (0, createdAt)
    }

    /// The same question about the same text has the same id.
    package static func id(of question: RecallQuestion) -> String {
        String(SHA256.hex("\(question.source.url)\n\(question.form.rawValue)\n\(question.question)").prefix(32))
    }

    package static func isID(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy("0123456789abcdef".utf8.contains)
    }

    package func isDue(at time: Timestamp) -> Bool { schedule.due <= time }

    package func review(_ id: String) -> CardReview? { reviews.last { $0.id == id } }

    /// The card after an answer that counts.
    package func reviewed(_ review: CardReview, _ parameters: FSRSParameters = .standard) -> LearningCard {
        var card = self
        // A clock that was set back must not make a memory younger than its last review.
        let time = max(review.answeredAt, schedule.lastReview ?? review.answeredAt)
        card.schedule = parameters.schedule(schedule, after: review.rating, at: time)
        card.reviews = (reviews + [review]).suffix(Self.mostReviews)
        card.answers += 1
        if review.rating == .again { card.lapses += 1 }
        card.revision += 1
        return card
    }

    /// This card in the place of a stored one with its id.
    package func replacing(_ stored: LearningCard) -> LearningCard {
        var card = self
        (card.revision, card.createdAt) = (stored.revision + 1, min(createdAt, stored.createdAt))
        return card
    }
}

// MARK: In stores

extension LearningCard {
    package var record: RecallCard {
        RecallCard(
            user: user, id: id, concept: question.concept, source: question.source.url,
            content: question.stored.compact, schedule: storedSchedule.compact, dueAt: schedule.due,
            revision: revision, createdAt: createdAt)
    }

    private var storedSchedule: JSON {
        let (phase, step) = schedule.phase.stored
        return [
            "phase": JSON(phase), "step": JSON(step), "stability": JSON(schedule.memory?.stability),
            "difficulty": JSON(schedule.memory?.difficulty), "last_review": JSON(schedule.lastReview?.milliseconds),
            "answers": JSON(answers), "lapses": JSON(lapses),
            "reviews": .array(
                reviews.map { review in
                    [
                        "id": JSON(review.id), "rating": JSON(review.rating.rawValue),
                        "at": JSON(review.answeredAt.milliseconds), "fingerprint": JSON(review.fingerprint),
                    ]
                }),
        ]
    }

    /// Reads a stored card; `nil` for one that this version cannot read.
    package init?(_ record: RecallCard) {
        guard let content = try? JSON(parsing: record.content), let stored = try? JSON(parsing: record.schedule),
            let question = RecallQuestion(stored: content, concept: record.concept, url: record.source),
            let phase = CardSchedule.Phase(stored["phase"]?.string, step: Int(stored["step"]?.integer ?? 0))
        else { return nil }
        var memory: MemoryState?
        if let stability = stored["stability"]?.double, let difficulty = stored["difficulty"]?.double {
            memory = MemoryState(stability: stability, difficulty: difficulty)
        }
        (user, id, revision, createdAt) = (record.user, record.id, record.revision, record.createdAt)
        self.question = question
        schedule = CardSchedule(
            phase: phase, memory: memory,
            lastReview: stored["last_review"]?.integer.map { Timestamp(milliseconds: $0) }, due: record.dueAt)
        reviews = (stored["reviews"]?.array ?? []).compactMap { review in
            guard let id = review["id"]?.string,
                let rating = review["rating"]?.integer.flatMap({ ReviewRating(rawValue: Int($0)) }),
                let time = review["at"]?.integer
            else { return nil }
            return CardReview(
                id: id, rating: rating, answeredAt: Timestamp(milliseconds: time),
                fingerprint: review["fingerprint"]?.string)
        }
        answers = Int(stored["answers"]?.integer ?? 0)
        lapses = Int(stored["lapses"]?.integer ?? 0)
    }
}

extension CardSchedule.Phase {
    /// `learning`, `review` or `relearning`, and the step.
    package var stored: (word: String, step: Int) {
        switch self {
        case .learning(let step): ("learning", step)
        case .review: ("review", 0)
        case .relearning(let step): ("relearning", step)
        }
    }

    package init?(_ word: String?, step: Int) {
        switch word {
        case "learning": self = .learning(step: step)
        case "review": self = .review
        case "relearning": self = .relearning(step: step)
        default: return nil
        }
    }
}
