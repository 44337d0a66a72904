import FoundationEssentials

/// New shares for old ones in lowest terms.
struct SplitRatio: Hashable, Sendable {
    let numerator: Int
    let denominator: Int

    var value: Double { Double(numerator) / Double(denominator) }
    var inverse: SplitRatio { SplitRatio(numerator: denominator, denominator: numerator) }

    /// The ratios in which shares are split. 1000 and more are left out: they are figures in thousands or millions.
    static let usual: [SplitRatio] =
        (2...100).map { SplitRatio(numerator: $0, denominator: 1) }
        + [(3, 2), (4, 3), (5, 4), (5, 2), (5, 3), (6, 5), (7, 2), (11, 10), (21, 20)].map {
            SplitRatio(numerator: $0.0, denominator: $0.1)
        }

    /// Whether it is a stock dividend rather than a split: too near to what corrections do to be seen without proof.
    var isSmall: Bool { (2.0 / 3...1.5).contains(value) }

    /// The usual ratio, forward or reverse, that a quotient of two share counts is within `tolerance` of.
    static func nearest(to quotient: Double, tolerance: Double) -> SplitRatio? {
        guard quotient > 0, quotient.isFinite else { return nil }
        let forward = quotient >= 1 ? quotient : 1 / quotient
        guard let best = usual.min(by: { abs($0.value / forward - 1) < abs($1.value / forward - 1) }),
            abs(best.value / forward - 1) <= tolerance
        else { return nil }
        return quotient >= 1 ? best : best.inverse
    }

    /// Whether this is what a tagged ratio states; filings write a reverse split as 0.1 or as 10, and some a split of
    /// ten as ten thousand, as if it were in thousands.
    func matches(tagged: Double) -> Bool {
        guard tagged > 0 else { return false }
        let ratio = value
        for stated: Double in [tagged, tagged / 1000] {
            let (forward, reverse) = (ratio / stated, ratio * stated)
            if abs(forward - 1) < 0.001 || abs(reverse - 1) < 0.001 { return true }
        }
        return false
    }
}
