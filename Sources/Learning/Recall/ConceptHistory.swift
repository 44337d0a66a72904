internal import Basics
package import JobQueue

/// How a learner stands with a concept, by their answers to its cards.
package struct ConceptStanding: Sendable, Hashable {
    package enum Level: String, Sendable, Hashable { case weak, learning, known }

    package var concept: String
    package var level: Level
    package var cards: Int
    package var answers: Int
    package var lapses: Int
    package var lastAnsweredAt: Timestamp
    /// The least probability of recall of its cards, 0 to 1.
    package var recall: Double
}

/// The concepts of a learner's cards.
package struct ConceptHistory: Sendable {
    /// A concept is known when each of its cards will be recalled with 90 % after this many days.
    package static let knownStability = 7.0
    /// A concept is weak when one of its cards is recalled with a probability below this.
    package static let weakRecall = 0.7
    /// A concept is weak when two of this many latest answers were wrong.
    package static let latestAnswers = 5
    /// The cards that are considered, the newest ones.
    package static let mostCards = 2000

    /// The concepts with an answered card, the latest answered first.
    package let standings: [ConceptStanding]

    package init(_ cards: [LearningCard], at time: Timestamp, _ parameters: FSRSParameters = .standard) {
        let groups = Dictionary(grouping: cards.filter { $0.answers > 0 }) { Self.key(of: $0.question.concept) }
        let unanswered = Set(cards.filter { $0.answers == 0 }.map { Self.key(of: $0.question.concept) })
        standings = groups.compactMap { key, cards in
            Self.standing(of: cards, isWhole: !unanswered.contains(key), at: time, parameters)
        }
        .sorted { ($1.lastAnsweredAt, $0.concept) < ($0.lastAnsweredAt, $1.concept) }
    }

    package func concepts(_ level: ConceptStanding.Level, limit: Int) -> [String] {
        Array(standings.lazy.filter { $0.level == level }.map(\.concept).prefix(limit))
    }

    /// Concepts with the same words in some inflection are one.
    static func key(of concept: String) -> String {
        let words = concept.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
        return Set(words.map(Stemmer.stem)).sorted().joined(separator: " ")
    }

    private static func standing(
        of cards: [LearningCard], isWhole: Bool, at time: Timestamp, _ parameters: FSRSParameters
    ) -> ConceptStanding? {
        let reviews = cards.flatMap(\.reviews).sorted { $0.answeredAt < $1.answeredAt }
        guard let last = reviews.last, let name = cards.max(by: { $0.createdAt < $1.createdAt }) else { return nil }
        let recall = cards.compactMap { parameters.retrievability(of: $0.schedule, at: time) }.min() ?? 0
        let wrong = reviews.suffix(latestAnswers).count { $0.rating == .again }
        let isKnown =
            isWhole
            && cards.allSatisfy { card in
                card.schedule.phase == .review && (card.schedule.memory?.stability ?? 0) >= knownStability
            }
        let level: ConceptStanding.Level =
            last.rating == .again || wrong >= 2 || recall < weakRecall ? .weak : isKnown ? .known : .learning
        return ConceptStanding(
            concept: name.question.concept, level: level, cards: cards.count,
            answers: cards.reduce(0) { $0 + $1.answers }, lapses: cards.reduce(0) { $0 + $1.lapses },
            lastAnsweredAt: last.answeredAt, recall: recall)
    }
}
