/// Wilson's score interval of a share that was observed, at 95 %.
enum WilsonInterval {
    /// The 97.5 % point of the normal distribution.
    private static let z = 1.959963984540054
    /// Beyond every floor that a prompt may name.
    private static let mostAnswers = 100_000

    /// The least share of passes that is plausible when `passes` of `asked` passed.
    ///
    /// - Returns: From 0 to 1; 0 when nothing was asked.
    static func lowerBound(_ passes: Int, of asked: Int) -> Double {
        guard asked > 0, passes > 0 else { return 0 }
        let n = Double(asked)
        let share = Double(passes) / n
        let square = z * z
        let centre = share + square / (2 * n)
        let spread = z * (share * (1 - share) / n + square / (4 * n * n)).squareRoot()
        return max(0, (centre - spread) / (1 + square / n))
    }

    /// The number of further answers, all of them passing, that lift the lower bound to `floor`.
    static func furtherPasses(after passes: Int, of asked: Int, toReach floor: Double) -> Int? {
        var (low, high) = (0, mostAnswers)
        guard lowerBound(passes + high, of: asked + high) >= floor else { return nil }
        // The bound grows with each pass.
        while low < high {
            let middle = (low + high) / 2
            if lowerBound(passes + middle, of: asked + middle) >= floor { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// The price of an accepted answer: a draft, and for those that are rejected a repair.
enum AcceptedAnswer {
    /// - Parameters:
    ///   - draft: The cost of a draft and the share of drafts that pass.
    ///   - repair: The cost of a repair of a rejected draft and the share of repairs that pass.
    /// - Returns: (c + f·r) ÷ (p + f·q) with f = 1 − p, in the unit of the costs; `nil` when nothing passes.
    static func price(draft: (cost: Double, rate: Double), repair: (cost: Double, rate: Double)) -> Double? {
        let rejected = 1 - draft.rate
        let accepted = draft.rate + rejected * repair.rate
        guard accepted > 0 else { return nil }
        return (draft.cost + rejected * repair.cost) / accepted
    }
}
