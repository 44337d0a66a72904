public import FoundationEssentials

/// One figure of a company with everything that is needed to find it in its filing.
public struct Figure: Sendable, Hashable {
    public let concept: Concept
    public let period: Period
    /// The number as the filing reports it. For a derived figure the result of the calculation, on today's shares.
    public let reported: Decimal
    /// The number on today's shares: `reported` unless there is an `adjustment`. Per-share figures are rounded to six
    /// decimals, share counts to whole shares.
    public let value: Decimal
    /// `USD`, `USD/shares`, `shares`, `EUR`, …
    public let unit: String
    /// Taxonomy and tag (`us-gaap:NetIncomeLoss`); of a derived figure those of its components, joined by `, `.
    public let tag: String
    /// Where the number stands; for a derived figure the latest of the filings of its components.
    public let filing: Filing
    public let adjustment: Adjustment?
    /// The number of an earlier filing that this one replaced.
    public let restatement: Restatement?
    /// How the figure was calculated when no filing reports it.
    public let derivation: Derivation?

    public init(
        concept: Concept, period: Period, reported: Decimal, value: Decimal, unit: String, tag: String, filing: Filing,
        adjustment: Adjustment? = nil, restatement: Restatement? = nil, derivation: Derivation? = nil
    ) {
        self.concept = concept
        self.period = period
        self.reported = reported
        self.value = value
        self.unit = unit
        self.tag = tag
        self.filing = filing
        self.adjustment = adjustment
        self.restatement = restatement
        self.derivation = derivation
    }

    /// `revenue.FY2025`, `revenue.FY2026Q1`, `revenue.TTM`: one for each figure of a company.
    public var id: String { "\(concept.rawValue).\(period.label.filter { $0 != " " })" }

    public var double: Double { value.double }

    public var isDerived: Bool { derivation != nil }
}

/// An earlier report of the same period with another number (beyond rounding and splits).
public struct Restatement: Sendable, Hashable {
    /// As the earlier filing reported it.
    public let reported: Decimal
    public let filing: Filing

    public init(reported: Decimal, filing: Filing) {
        self.reported = reported
        self.filing = filing
    }
}

/// A calculation from reported numbers.
public struct Derivation: Sendable, Hashable {
    /// One reported number in the sum.
    public struct Component: Sendable, Hashable {
        /// Added when true, subtracted when false.
        public let isAdded: Bool
        /// On today's shares.
        public let value: Decimal
        public let tag: String
        /// `nil` for a moment.
        public let start: CalendarDate?
        public let end: CalendarDate
        public let filing: Filing

        public init(
            isAdded: Bool, value: Decimal, tag: String, start: CalendarDate?, end: CalendarDate, filing: Filing
        ) {
            self.isAdded = isAdded
            self.value = value
            self.tag = tag
            self.start = start
            self.end = end
            self.filing = filing
        }
    }

    /// In words: `revenue less cost of revenue`, `fiscal year less nine months`.
    public let method: String
    public let components: [Component]

    public init(method: String, components: [Component]) {
        self.method = method
        self.components = components
    }
}
