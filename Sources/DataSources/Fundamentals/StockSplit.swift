public import FoundationEssentials

/// A change of the number of shares without a change of the company: `numerator` new shares for `denominator` old ones.
public struct StockSplit: Sendable, Hashable {
    public let numerator: Int
    public let denominator: Int
    /// When it took effect, where a filing names a date that fits the figures.
    public let effective: CalendarDate?
    /// Figures of filings made before this day are in old shares, those made on it and later in new ones.
    public let boundary: CalendarDate

    public init(numerator: Int, denominator: Int, effective: CalendarDate?, boundary: CalendarDate) {
        self.numerator = numerator
        self.denominator = denominator
        self.effective = effective
        self.boundary = boundary
    }

    /// New shares for one old share.
    public var factor: Decimal { Decimal(numerator) / Decimal(denominator) }

    /// `4-for-1 split (2020-08-28)`, `1-for-8 reverse split (first seen in a filing of 2021-10-29)`.
    public var text: String {
        let name = numerator > denominator ? "split" : "reverse split"
        let date = effective.map { "\($0)" } ?? "first seen in a filing of \(boundary)"
        return "\(numerator)-for-\(denominator) \(name) (\(date))"
    }
}

/// What was done to a reported figure to put it on today's shares.
public struct Adjustment: Sendable, Hashable {
    /// In the order in which they happened; never empty.
    public let splits: [StockSplit]

    public init(splits: [StockSplit]) { self.splits = splits }

    /// Today's shares for one share of the filing: share counts were multiplied by it, per-share figures divided.
    public var factor: Decimal { splits.reduce(1) { $0 * $1.factor } }

    public var reason: String { splits.map(\.text).joined(separator: ", ") }
}
