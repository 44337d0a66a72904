/// Fisher's exact test on two rows of passed and failed runs: how likely a difference at least as great as this one is
/// when nothing has changed. Right for few runs, where a comparison of percentages misleads.
enum FisherExactTest {
    /// The two-sided p-value: the sum over all tables of the same margins that are no likelier than this one.
    ///
    /// - Returns: From 0 to 1; 1 when a margin is zero.
    static func twoSided(_ passedBefore: Int, _ failedBefore: Int, _ passedNow: Int, _ failedNow: Int) -> Double {
        let before = passedBefore + failedBefore
        let now = passedNow + failedNow
        let passed = passedBefore + passedNow
        let (low, high) = (max(0, passed - now), min(before, passed))
        guard low < high else { return 1 }
        // Weights relative to the likeliest table, so that no factorial overflows.
        let mode = min(max((before + 1) * (passed + 1) / (before + now + 2), low), high)
        var weights = [Double](repeating: 1, count: high - low + 1)
        for count in stride(from: mode, to: high, by: 1) {
            weights[count + 1 - low] = weights[count - low] * growth(count, before, now, passed)
        }
        for count in stride(from: mode, to: low, by: -1) {
            weights[count - 1 - low] = weights[count - low] / growth(count - 1, before, now, passed)
        }
        let observed = weights[passedBefore - low]
        // Tables that are equally likely must count although their weights were rounded differently.
        let extreme = weights.filter { $0 <= observed * (1 + 1e-7) }.reduce(0, +)
        return min(1, extreme / weights.reduce(0, +))
    }

    /// How much likelier one passed run more in the first row is.
    private static func growth(_ count: Int, _ before: Int, _ now: Int, _ passed: Int) -> Double {
        Double(before - count) * Double(passed - count) / (Double(count + 1) * Double(now - passed + count + 1))
    }
}
