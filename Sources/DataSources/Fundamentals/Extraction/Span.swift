/// A stretch of time or a moment that facts are looked up for.
enum Span: Hashable, Sendable {
    case duration(start: CalendarDate, end: CalendarDate)
    case timestamp(CalendarDate)

    /// Filings differ by a few days in how they write the ends of 52-week years and of months.
    private static let tolerance = 6

    /// How far a fact is from this span in days; `nil` when it is about another time.
    func distance(to fact: ReportedFact) -> Int? {
        switch (self, fact.start) {
        case (.timestamp(let date), nil):
            let days = abs(fact.end - date)
            return days <= Self.tolerance ? days : nil
        case (.duration(let start, let end), let factStart?):
            let (first, last) = (abs(factStart - start), abs(fact.end - end))
            return first <= Self.tolerance && last <= Self.tolerance ? first + last : nil
        default: return nil
        }
    }

    var start: CalendarDate? {
        if case .duration(let start, _) = self { start } else { nil }
    }

    var end: CalendarDate {
        switch self {
        case .duration(_, let end): end
        case .timestamp(let end): end
        }
    }

    /// Whether regular reports of whole years are the ones to trust for this span.
    var isYear: Bool {
        if case .duration(let start, let end) = self {
            FiscalCalendar.yearLengths.contains(end - start + 1)
        } else {
            false
        }
    }
}
