internal import Basics
internal import JobQueue
package import JSON
internal import Observability

/// The judgement of an answer to a card.
package struct AnswerGrade: Sendable, Hashable {
    package enum Verdict: String, Sendable, Hashable, CaseIterable { case right, partly, wrong }

    package var verdict: Verdict
    package var rating: ReviewRating
    /// Why, in a sentence or two; `nil` for an `mcq` and for a learner who rated themselves.
    package var reason: String?
    /// The sentence of the source that decides, word for word.
    package var sentence: String

    package init(verdict: Verdict, rating: ReviewRating, reason: String? = nil, sentence: String) {
        self.verdict = verdict
        self.rating = rating
        self.reason = reason
        self.sentence = sentence
    }

    /// The rating that an answer counts with: a wrong one was forgotten, whatever it felt like.
    package static func rating(_ verdict: Verdict, felt: ReviewRating?) -> ReviewRating {
        switch verdict {
        case .wrong: .again
        case .partly: .hard
        case .right: felt.map { $0 == .again ? .hard : $0 } ?? .good
        }
    }

    /// Grades the choice of an option.
    package init(choice: String, felt: ReviewRating?, of question: RecallQuestion) {
        let verdict: Verdict = choice.hasSameBytes(as: question.answer) ? .right : .wrong
        self.init(
            verdict: verdict, rating: Self.rating(verdict, felt: felt), sentence: question.sourceSpan)
    }

    /// The judgement of learners who compared the answer themselves.
    package init(own rating: ReviewRating, of question: RecallQuestion) {
        let verdict: Verdict = rating == .again ? .wrong : rating == .hard ? .partly : .right
        self.init(verdict: verdict, rating: rating, sentence: question.sourceSpan)
    }

    /// The outcome as clients read it, with the card after the answer. An answer to a card that is not due is graded for
    /// practice and not counted.
    package func json(of card: LearningCard, isCounted: Bool) -> JSON {
        [
            "card_id": JSON(card.id), "verdict": JSON(verdict.rawValue), "is_right": .bool(verdict == .right),
            "rating": JSON(rating.word), "reason": JSON(reason), "answer": JSON(card.question.answer),
            "sentence": JSON(sentence), "source": card.question.source.json, "counted": .bool(isCounted),
            "due_at": JSON(ISO8601.text(milliseconds: card.schedule.due.milliseconds)),
        ]
    }
}
