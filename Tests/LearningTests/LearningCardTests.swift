import JobQueue
import JSON
import TestSupport
import Testing

@testable import Learning

/// Cards in stores, and the concepts that they show as known or weak.
@Suite struct LearningCardTests {
    private static let day: Duration = .seconds(86_400)
    private static let start = Timestamp(milliseconds: 1_800_000_000_123)

    private func card(_ concept: String, _ question: String = "Why?", _ form: RecallQuestion.Form = .open)
        -> LearningCard
    {
        LearningCard(
            RecallQuestion(
                form: form, question: question, options: form == .mcq ? ["a", "b"] : [], answer: "a",
                concept: concept, sourceSpan: "So it is.",
                source: .init(url: "https://a.example/", title: "T", kind: "article"), analysis: "j"),
            of: 1, at: Self.start)
    }

    private func answered(_ card: LearningCard, _ ratings: ReviewRating...) -> LearningCard {
        ratings.enumerated().reduce(card) { card, next in
            card.reviewed(
                CardReview(id: "\(next.offset)", rating: next.element, answeredAt: card.schedule.due, fingerprint: "f"))
        }
    }

    @Test func aStoredCardIsReadAsItWas() throws {
        for card in [
            card("margin"), answered(card("margin", "How?", .mcq), .good, .good, .hard, .again, .easy),
        ] {
            #expect(LearningCard(card.record) == card)
        }
    }

    @Test func aRecordThatIsNoCardIsNotRead() {
        var record = card("margin").record
        record.schedule = "{}"
        #expect(LearningCard(record) == nil)
        record.schedule = "["
        #expect(LearningCard(record) == nil)
    }

    @Test func aCardKeepsItsLatestHundredReviewsAndCountsAll() {
        let card = (0..<120).reduce(card("margin")) { card, index in
            card.reviewed(CardReview(id: "\(index)", rating: .again, answeredAt: card.schedule.due))
        }
        #expect(card.reviews.count == 100 && card.reviews.first?.id == "20")
        #expect(card.answers == 120 && card.lapses == 120 && card.revision == 120)
    }

    @Test func aClockThatWasSetBackDoesNotMakeAReviewEarlierThanTheOneBefore() {
        let once = answered(card("margin"), .good)
        let twice = once.reviewed(CardReview(id: "x", rating: .good, answeredAt: Self.start - Self.day))
        #expect(twice.schedule.lastReview == Self.start)
    }

    // MARK: Concepts

    private func level(_ cards: [LearningCard], after days: Int = 0) -> ConceptStanding.Level? {
        let last = cards.compactMap(\.schedule.lastReview).max() ?? Self.start
        return ConceptHistory(cards, at: last + Self.day * days).standings.first?.level
    }

    @Test func aConceptIsKnownWhenItsCardsAreRecalledForAWeek() {
        let once = answered(card("gross margin"), .good, .good)
        #expect(level([once]) == .learning)
        let later = answered(card("gross margin"), .good, .good, .good)
        #expect((later.schedule.memory?.stability ?? 0) > 7)
        #expect(level([later]) == .known)
        #expect(level([later, card("Gross margins", "What?")]) == .learning)
    }

    @Test func aConceptIsWeakAfterAWrongAnswerOrWhenItIsForgotten() {
        #expect(level([answered(card("m"), .good, .again)]) == .weak)
        #expect(level([answered(card("m"), .again, .again, .good)]) == .weak)
        #expect(level([answered(card("m"), .again, .good)]) == .learning)
        let known = answered(card("m"), .good, .good, .good)
        #expect(level([known], after: 1) == .known)
        #expect(level([known], after: 1000) == .weak)
    }

    @Test func conceptsWithTheSameWordsAreOneAndUnansweredOnesAreNone() {
        let history = ConceptHistory(
            [answered(card("Gross margin"), .good), answered(card("gross margins", "B?"), .easy), card("debt")],
            at: Self.start)
        #expect(history.standings.count == 1)
        #expect(history.standings.first?.cards == 2 && history.standings.first?.answers == 2)
        #expect(history.concepts(.weak, limit: 9).isEmpty)
    }
}
