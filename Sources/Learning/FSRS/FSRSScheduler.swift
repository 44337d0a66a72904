package import JobQueue

extension FSRSParameters {
    private static let day: Duration = .seconds(86_400)

    /// The schedule of a card after a review.
    ///
    /// A pure function: intervals have no random part, so that equal answers give equal times.
    package func schedule(_ card: CardSchedule, after rating: ReviewRating, at time: Timestamp) -> CardSchedule {
        let memory =
            if let memory = card.memory {
                self.memory(after: rating, of: memory, afterDays: wholeDays(since: card.lastReview, until: time))
            } else {
                firstMemory(rating)
            }
        let (phase, pause) = next(card.phase, rating, memory)
        return CardSchedule(phase: phase, memory: memory, lastReview: time, due: time + pause)
    }

    /// The probability that a card is recalled now; `nil` before its first review.
    package func retrievability(of card: CardSchedule, at time: Timestamp) -> Double? {
        card.memory.map {
            retrievability(of: $0, afterDays: max(0, wholeDays(since: card.lastReview, until: time)))
        }
    }

    // MARK: Phases

    private func next(
        _ phase: CardSchedule.Phase, _ rating: ReviewRating, _ memory: MemoryState
    ) -> (phase: CardSchedule.Phase, pause: Duration) {
        let review = (CardSchedule.Phase.review, Self.day * interval(of: memory))
        switch phase {
        case .review:
            guard rating == .again, let first = relearningSteps.first else { return review }
            return (.relearning(step: 0), first)
        case .learning(let step):
            return self.step(step, of: learningSteps, rating).map { (.learning(step: $0.step), $0.pause) } ?? review
        case .relearning(let step):
            return self.step(step, of: relearningSteps, rating).map { (.relearning(step: $0.step), $0.pause) }
                ?? review
        }
    }

    /// The next step of a card and the pause before it; `nil` when the card goes on to review.
    private func step(
        _ step: Int, of steps: [Duration], _ rating: ReviewRating
    ) -> (step: Int, pause: Duration)? {
        guard !steps.isEmpty, step < steps.count || rating == .again else { return nil }
        switch rating {
        case .again: return (0, steps[0])
        case .hard:
            if step > 0 { return (step, steps[step]) }
            return (0, steps.count == 1 ? steps[0] * 3 / 2 : (steps[0] + steps[1]) / 2)
        case .good: return step + 1 < steps.count ? (step + 1, steps[step + 1]) : nil
        case .easy: return nil
        }
    }

    /// Days of 24 hours, rounded down.
    private func wholeDays(since start: Timestamp?, until end: Timestamp) -> Int {
        guard let start else { return 0 }
        let (days, rest) = (end - start).wholeMilliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        return Int(rest < 0 ? days - 1 : days)
    }
}
