package import JobQueue

/// A learner's judgement of one recall, in the numbers of FSRS.
package enum ReviewRating: Int, Sendable, Hashable, CaseIterable {
    case again = 1
    case hard, good, easy

    /// The word in the API: `again`, `hard`, `good` or `easy`.
    package var word: String { "\(self)" }

    package init?(word: String) {
        guard let rating = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = rating
    }
}

/// The parameters of the Free Spaced Repetition Scheduler, version 6.
package struct FSRSParameters: Sendable, Hashable {
    /// The name of the algorithm and of its version.
    package static let algorithm = "FSRS-6"

    /// The 21 weights `w0` to `w20`.
    package var weights: [Double]
    /// The probability of recall at which a card is due.
    package var desiredRetention: Double
    /// The pauses before a new card is due again on its first day.
    package var learningSteps: [Duration]
    /// The same for a card that was forgotten.
    package var relearningSteps: [Duration]
    /// In days.
    package var maximumInterval: Int

    /// The weights that the algorithm's authors fitted to the reviews of many learners.
    package static let defaultWeights = [
        0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
        1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
    ]

    /// The parameters for every user: default weights, 90 % retention, steps of 1 and 10 minutes, and 10 minutes after
    /// a card was forgotten.
    package static let standard = FSRSParameters()

    package init(
        weights: [Double] = defaultWeights, desiredRetention: Double = 0.9,
        learningSteps: [Duration] = [.seconds(60), .seconds(600)], relearningSteps: [Duration] = [.seconds(600)],
        maximumInterval: Int = 36_500
    ) {
        precondition(weights.count == 21, "FSRS-6 has 21 weights")
        self.weights = weights
        self.desiredRetention = desiredRetention
        self.learningSteps = learningSteps
        self.relearningSteps = relearningSteps
        self.maximumInterval = maximumInterval
    }
}

/// What FSRS supposes of the memory of one card.
package struct MemoryState: Sendable, Hashable {
    package static let difficulties = 1.0...10.0
    package static let leastStability = 0.001

    /// The days after which the probability of recall has fallen to 90 %.
    package var stability: Double
    /// 1 to 10.
    package var difficulty: Double

    package init(stability: Double, difficulty: Double) {
        self.stability = max(stability, Self.leastStability)
        self.difficulty = min(max(difficulty, Self.difficulties.lowerBound), Self.difficulties.upperBound)
    }
}

/// The times of a card's reviews so far, and of the next one.
package struct CardSchedule: Sendable, Hashable {
    package enum Phase: Sendable, Hashable {
        /// New or answered on its first day; the number of the step that it has reached.
        case learning(step: Int)
        case review
        /// Forgotten, and not yet back in review.
        case relearning(step: Int)
    }

    package var phase: Phase
    /// `nil` before the first review.
    package var memory: MemoryState?
    package var lastReview: Timestamp?
    package var due: Timestamp

    package init(
        phase: Phase = .learning(step: 0), memory: MemoryState? = nil, lastReview: Timestamp? = nil, due: Timestamp
    ) {
        self.phase = phase
        self.memory = memory
        self.lastReview = lastReview
        self.due = due
    }
}
