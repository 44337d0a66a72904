/// The bounds of the fleet's hedges: calls made beside another one for the same answer, since its first byte is late.
///
/// The losers among both may cost 2 % of the last hour's spend, and hedges may be 5 % of its calls. One hedge in an
/// hour is always allowed, so the losers cost at most 2 % of the spend and one call.
package struct HedgeBudget: Hashable, Sendable {
    /// The share of the spend and of the calls: one fiftieth and one twentieth.
    private static let (spendPart, callPart): (Int64, Int64) = (50, 20)

    /// The most hedges in an hour, beyond the first.
    package let calls: Int64
    /// The most that losers in an hour may cost.
    package let microDollars: Int64

    /// - Parameter hour: The calls of the last hour.
    package init(_ hour: CallSum) {
        calls = hour.calls / Self.callPart
        microDollars = hour.microDollars / Self.spendPart
    }

    /// Whether another hedge fits.
    ///
    /// - Parameters:
    ///   - cost: What it may add to the cost of losers.
    ///   - used: The hedges of the last hour, with the cost of the losers.
    /// - Returns: Whether it may be made.
    package func allows(_ cost: Int64, after used: CallSum) -> Bool {
        used.calls == 0 || (used.calls < calls && used.microDollars + cost <= microDollars)
    }
}

/// A number of model calls, and a cost.
package struct CallSum: Hashable, Sendable {
    package var calls: Int64
    package var microDollars: Int64

    package init(calls: Int64, microDollars: Int64) {
        self.calls = calls
        self.microDollars = microDollars
    }
}
