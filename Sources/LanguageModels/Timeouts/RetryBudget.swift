/// Bounds the second calls to a provider as a share of the calls that it answers, so that a bad day of one provider is
/// not a flood for the next.
struct RetryBudget: Hashable, Sendable {
    static let size = 50.0
    /// Put in by each answer.
    private static let refill = 0.1

    private(set) var level = Self.size

    /// The cost of a second call.
    static func cost(afterStall: Bool) -> Double { afterStall ? 2 : 1 }

    func covers(afterStall: Bool) -> Bool { level >= Self.cost(afterStall: afterStall) }

    mutating func succeeded() { level = min(Self.size, level + Self.refill) }

    /// Takes the cost of a second call.
    ///
    /// - Returns: Whether the budget held it; an empty budget stays as it is.
    mutating func take(afterStall: Bool) -> Bool {
        guard covers(afterStall: afterStall) else { return false }
        level -= Self.cost(afterStall: afterStall)
        return true
    }
}
