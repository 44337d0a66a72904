internal import Foundation
internal import JobQueue

/// The formulas of FSRS-6 for stability, difficulty and retrievability.
///
/// They are those of the page "The Algorithm" of the FSRS wiki (open-spaced-repetition/fsrs4anki), in its symbols: S
/// stability, D difficulty, R retrievability, G the rating, w the weights.
extension FSRSParameters {
    /// The exponent of the forgetting curve.
    private var decay: Double { -weights[20] }

    /// Makes the curve pass 90 % where the elapsed days are the stability.
    private var factor: Double { pow(0.9, 1 / decay) - 1 }

    /// The probability of recall after some days.
    func retrievability(of memory: MemoryState, afterDays days: Int) -> Double {
        pow(1 + factor * Double(days) / memory.stability, decay)
    }

    /// The days until the probability of recall has fallen to the desired one.
    func interval(of memory: MemoryState) -> Int {
        let days = memory.stability / factor * (pow(desiredRetention, 1 / decay) - 1)
        guard days < Double(maximumInterval) else { return maximumInterval }
        return max(1, Int(days.rounded(.toNearestOrEven)))
    }

    /// The memory after the first review of a card.
    func firstMemory(_ rating: ReviewRating) -> MemoryState {
        MemoryState(stability: weights[rating.rawValue - 1], difficulty: initialDifficulty(rating))
    }

    /// The memory after a further review, whole days after the last one. A review on the same day strengthens memory by
    /// a rule of its own.
    func memory(after rating: ReviewRating, of memory: MemoryState, afterDays days: Int) -> MemoryState {
        let stability =
            if days < 1 {
                stabilityOnTheSameDay(memory.stability, rating)
            } else if rating == .again {
                stabilityAfterForgetting(memory, retrievability(of: memory, afterDays: days))
            } else {
                stabilityAfterRecall(memory, retrievability(of: memory, afterDays: days), rating)
            }
        return MemoryState(stability: stability, difficulty: difficulty(after: rating, of: memory.difficulty))
    }

    // MARK: Stability

    /// S′ = S · (1 + e^w8 · (11 − D) · S^−w9 · (e^(w10 · (1 − R)) − 1) · w15 when hard · w16 when easy)
    private func stabilityAfterRecall(_ memory: MemoryState, _ retrievability: Double, _ rating: ReviewRating) -> Double
    {
        let growth =
            exp(weights[8]) * (11 - memory.difficulty) * pow(memory.stability, -weights[9])
            * (exp((1 - retrievability) * weights[10]) - 1)
        let scale =
            switch rating {
            case .hard: weights[15]
            case .easy: weights[16]
            case .again, .good: 1.0
            }
        return memory.stability * (1 + growth * scale)
    }

    /// S′ = w11 · D^−w12 · ((S + 1)^w13 − 1) · e^(w14 · (1 − R)), at most S / e^(w17 · w18)
    private func stabilityAfterForgetting(_ memory: MemoryState, _ retrievability: Double) -> Double {
        let forgotten =
            weights[11] * pow(memory.difficulty, -weights[12]) * (pow(memory.stability + 1, weights[13]) - 1)
            * exp((1 - retrievability) * weights[14])
        return min(forgotten, memory.stability / exp(weights[17] * weights[18]))
    }

    /// S′ = S · e^(w17 · (G − 3 + w18)) · S^−w19, not below S unless the card was forgotten
    private func stabilityOnTheSameDay(_ stability: Double, _ rating: ReviewRating) -> Double {
        let growth = exp(weights[17] * (Double(rating.rawValue) - 3 + weights[18])) * pow(stability, -weights[19])
        return stability * (rating == .again ? growth : max(growth, 1))
    }

    // MARK: Difficulty

    /// D0 = w4 − e^(w5 · (G − 1)) + 1
    private func initialDifficulty(_ rating: ReviewRating) -> Double {
        weights[4] - exp(weights[5] * Double(rating.rawValue - 1)) + 1
    }

    /// D′ = D − w6 · (G − 3) · (10 − D) / 9, then a share w7 of the way to the first difficulty of an easy card
    private func difficulty(after rating: ReviewRating, of difficulty: Double) -> Double {
        let change = -weights[6] * Double(rating.rawValue - 3)
        let damped = difficulty + change * (10 - difficulty) / 9
        return weights[7] * initialDifficulty(.easy) + (1 - weights[7]) * damped
    }
}
