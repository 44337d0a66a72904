package import FoundationEssentials

/// A change of the number of shares without a change of the company: `numerator` new shares for `denominator` old ones.
package struct StockSplit: Sendable, Hashable {
    package let numerator: Int
    package let denominator: Int
    /// When it took effect, where a filing names a date that fits the figures.
    package let effective: CalendarDate?
    /// Figures of filings made before this day are in old shares, those made on it and later in new ones.
    package let boundary: CalendarDate

    package init(numerator: Int, denominator: Int, effective: CalendarDate?, boundary: CalendarDate) {
        self.numerator = numerator
        self.denominator = denominator
        self.effective = effective
        self.boundary = boundary
    }

    /// New shares for one old share.
    package var factor: Decimal { Decimal(numerator) / Decimal(denominator) }

    /// `4-for-1 split (2020-08-28)`, `1-for-8 reverse split (first seen in a filing of 2021-10-29)`.
    package var text: String {
        let name = numerator > denominator ? "split" : "reverse split"
        let date = effective.map { "\($0)" } ?? "first seen in a filing of \(boundary)"
        return "\(numerator)-for-\(denominator) \(name) (\(date))"
    }
}

/// What was done to a reported figure to put it on today's shares.
package struct Adjustment: Sendable, Hashable {
    /// In the order in which they happened; never empty.
    package let splits: [StockSplit]

    package init(splits: [StockSplit]) { self.splits = splits }

    /// Today's shares for one share of the filing: share counts were multiplied by it, per-share figures divided.
    package var factor: Decimal { splits.reduce(1) { $0 * $1.factor } }

    package var reason: String { splits.map(\.text).joined(separator: ", ") }
}
