import Basics
import FoundationEssentials
import JSON

/// Turns the facts of a company into its fundamentals.
struct FundamentalsExtractor: Sendable {
    private static let yearCount = 10
    private static let quarterCount = 8

    private let table: FactTable
    private let calendar: FiscalCalendar
    private let splits: [StockSplit]
    private let concepts: ConceptRules
    private let periods: PeriodRules

    init(_ table: FactTable) {
        self.table = table
        calendar = FiscalCalendar(table)
        splits = SplitDetector(table).splits()
        let ends = Set((calendar.years + calendar.transitions).map(\.end))
        concepts = ConceptRules(selector: FactSelector(table, splits, yearEnds: ends))
        periods = PeriodRules(concepts: concepts, calendar: calendar)
    }

    func fundamentals() -> Fundamentals {
        Fundamentals(
            currency: table.currency, fiscalYears: calendar.years.suffix(Self.yearCount).reversed().map(\.label),
            latestPeriodEnd: calendar.latestEnd, splits: splits, announcedSplits: announcedSplits(),
            figures: Concept.allCases.flatMap(figures))
    }

    /// Newest first: years, quarters, trailing twelve months, transition periods, then the latest cover page.
    private func figures(_ concept: Concept) -> [Figure] {
        let isInstant = concept.measure.isInstant
        func figure(_ amount: Amount?, _ kind: Period.Kind, _ label: String) -> Figure? {
            guard let amount else { return nil }
            let period = Period(kind: kind, start: amount.span.start, end: amount.span.end, label: label)
            return amount.figure(concept, period)
        }
        func span(_ year: FiscalYear) -> FactPeriod {
            isInstant ? .timestamp(year.end) : .duration(start: year.start, end: year.end)
        }
        let years = calendar.years.suffix(Self.yearCount).reversed().compactMap {
            figure(yearAmount(concept, $0, span($0)), .annual, $0.label)
        }
        let quarters = calendar.quarters.suffix(Self.quarterCount).reversed().compactMap {
            figure(periods.quarter(concept, $0), .quarter, $0.label)
        }
        let trailing = [figure(periods.trailing(concept), .trailing, "TTM")].compactMap { $0 }
        let transitions = coveredTransitions.compactMap {
            figure(concepts.amount(concept, span($0)), .transition, $0.label)
        }
        return years + quarters + trailing + transitions + (concept == .sharesOutstanding ? coverShares() : [])
    }

    private var coveredTransitions: [FiscalYear] {
        guard let first = calendar.years.suffix(Self.yearCount).first else { return [] }
        return calendar.transitions.reversed().filter { $0.end > first.start }
    }

    /// Share counts of balance sheet days are missing in many filings; then the count on the cover of the annual
    /// report, some weeks later, is used for the year's end.
    private func yearAmount(_ concept: Concept, _ year: FiscalYear, _ span: FactPeriod) -> Amount? {
        if let amount = concepts.amount(concept, span) { return amount }
        guard concept == .sharesOutstanding else { return nil }
        let covers = table.facts(Tags.coverShares.tags[0], .shares).filter {
            $0.filing.isAnnualReport && (0...150).contains($0.end - year.end)
                && (0...200).contains($0.filing.filed - year.end)
        }
        return covers.map(\.end).max().flatMap { concepts.selector.amount(Tags.coverShares, .shares, .timestamp($0)) }
    }

    /// The count on the cover of the latest report, which is of a day of its own.
    private func coverShares() -> [Figure] {
        guard let latest = calendar.latestEnd,
            let day = table.facts(Tags.coverShares.tags[0], .shares).map(\.end).max(), day > latest,
            let amount = concepts.selector.amount(Tags.coverShares, .shares, .timestamp(day))
        else { return [] }
        let period = Period(kind: .quarter, start: nil, end: day, label: "\(day)")
        return [amount.figure(.sharesOutstanding, period)]
    }

    /// Ratios that the latest filings state without an effect on any figure yet: announced, or so recent that no
    /// report in new shares exists. Share figures and prices of today may then be on different shares.
    private func announcedSplits() -> [AnnouncedSplit] {
        let stated = Tags.splitRatio.tags.flatMap { table[$0] }
        guard let newest = Tags.netIncome.tags.flatMap({ table[$0] }).map(\.filing.filed).max() else { return [] }
        let open = stated.filter { fact in
            newest - fact.filing.filed <= 100 && fact.end > newest + -100
                && !splits.contains { split in
                    SplitRatio(numerator: split.numerator, denominator: split.denominator)
                        .matches(tagged: fact.value.double) && split.boundary > fact.end + -200
                }
        }
        var seen: Set<CalendarDate> = []
        return open.sorted { $0.filing.filed > $1.filing.filed }.filter { seen.insert($0.end).inserted }.map {
            AnnouncedSplit(ratio: $0.value, date: $0.end, filing: $0.filing)
        }
    }
}
