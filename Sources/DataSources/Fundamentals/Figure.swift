package import FoundationEssentials

/// One figure of a company with everything that is needed to find it in its filing.
package struct Figure: Sendable, Hashable {
    package let concept: Concept
    package let period: Period
    /// The number as the filing reports it. For a derived figure the result of the calculation, on today's shares.
    package let reported: Decimal
    /// The number on today's shares: `reported` unless there is an `adjustment`. Per-share figures are rounded to six
    /// decimals, share counts to whole shares.
    package let value: Decimal
    /// `USD`, `USD/shares`, `shares`, `EUR`, …
    package let unit: String
    /// Taxonomy and tag (`us-gaap:NetIncomeLoss`); of a derived figure those of its components, joined by `, `.
    package let tag: String
    /// Where the number stands; for a derived figure the latest of the filings of its components.
    package let filing: Filing
    package let adjustment: Adjustment?
    /// The number of an earlier filing that this one replaced.
    package let restatement: Restatement?
    /// How the figure was calculated when no filing reports it.
    package let derivation: Derivation?

    package init(
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
    package var id: String { "\(concept.rawValue).\(period.label.filter { $0 != " " })" }

    package var double: Double { value.double }

    package var isDerived: Bool { derivation != nil }
}

/// An earlier report of the same period with another number (beyond rounding and splits).
package struct Restatement: Sendable, Hashable {
    /// As the earlier filing reported it.
    package let reported: Decimal
    package let filing: Filing

    package init(reported: Decimal, filing: Filing) {
        self.reported = reported
        self.filing = filing
    }
}

/// A calculation from reported numbers.
package struct Derivation: Sendable, Hashable {
    /// One reported number in the sum.
    package struct Component: Sendable, Hashable {
        /// Added when true, subtracted when false.
        package let isAdded: Bool
        /// On today's shares.
        package let value: Decimal
        package let tag: String
        /// `nil` for a moment.
        package let start: CalendarDate?
        package let end: CalendarDate
        package let filing: Filing

        package init(
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
    package let method: String
    package let components: [Component]

    package init(method: String, components: [Component]) {
        self.method = method
        self.components = components
    }
}
