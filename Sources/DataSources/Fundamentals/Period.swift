/// The time that a figure is about.
package struct Period: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// A fiscal year of 52, 53 weeks or twelve months.
        case annual
        /// A fiscal quarter.
        case quarter
        /// The twelve months up to the end of the latest quarter.
        case trailing = "ttm"
        /// A shorter period between two fiscal years when a company moves the end of its year (10-KT).
        case transition
    }

    package let kind: Kind
    /// The first day; `nil` for a figure of a moment (a balance sheet).
    package let start: CalendarDate?
    /// The last day, or the moment itself.
    package let end: CalendarDate
    /// `FY2025`, `FY2026 Q1`, `TTM`; the company's own count of years.
    package let label: String

    package init(kind: Kind, start: CalendarDate?, end: CalendarDate, label: String) {
        self.kind = kind
        self.start = start
        self.end = end
        self.label = label
    }

    /// Whether the figure is of a moment: `kind` then says which year or quarter ended there.
    package var isInstant: Bool { start == nil }
}
