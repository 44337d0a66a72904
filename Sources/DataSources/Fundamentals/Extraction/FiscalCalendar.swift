import Basics

/// A fiscal year as the filings show it.
struct FiscalYear: Hashable, Sendable {
    let start: CalendarDate
    let end: CalendarDate
    /// `FY2025`.
    let label: String
}

/// A fiscal quarter and the fiscal year that it belongs to, which may not have ended yet.
struct FiscalQuarter: Hashable, Sendable {
    let yearStart: CalendarDate
    let start: CalendarDate
    let end: CalendarDate
    /// 1 to 4.
    let number: Int
    /// `FY2026 Q1`.
    let label: String
}

/// The fiscal years and quarters of a company, read from the periods of its own reports: the SEC's `fy` and `fp`
/// describe the filing, not the period of a fact.
struct FiscalCalendar: Sendable {
    /// 52 or 53 weeks, or twelve months.
    static let yearLengths = 350...380
    /// From the 12-week quarters of some retailers to their 17-week ones.
    static let quarterLengths = 75...125

    /// Oldest first.
    let years: [FiscalYear]
    /// Shorter periods between fiscal years, from transition reports; oldest first.
    let transitions: [FiscalYear]
    /// Oldest first; each year's fourth quarter ends with it.
    let quarters: [FiscalQuarter]

    init(_ table: FactTable) {
        let core = Self.coreTags.flatMap { table[$0] }.filter { $0.start != nil }
        let bare = Self.findYears(core)
        let offset = Self.labelOffset(core, bare)
        years = Self.label(bare, offset)
        transitions = Self.findTransitions(core, years, offset)
        quarters = Self.findQuarters(core, years, transitions, offset)
    }

    /// The end of the latest period that was reported.
    var latestEnd: CalendarDate? { [years.last?.end, quarters.last?.end].compactMap { $0 }.max() }

    private static let coreTags =
        Tags.netIncome.tags + Tags.revenue.tags + Tags.operatingCashFlow.tags + Tags.revenueNetOfInterest.tags
        + Tags.dilutedEPS.tags + Tags.basicEPS.tags + Tags.operatingIncome.tags + Tags.incomeTax.tags

    private struct Candidate: Hashable {
        let start: CalendarDate
        let end: CalendarDate
    }

    // MARK: Years

    /// Periods of a year's length in annual reports that do not overlap; of two that do, the one that more facts report
    /// (after a change of year end, a filing shows an unaudited year up to another month beside the fiscal years).
    private static func findYears(_ core: [ReportedFact]) -> [Candidate] {
        let annual = core.filter { yearLengths.contains($0.days) }
        let audited = annual.filter { $0.filing.isAnnualReport }
        let weights = weigh(audited.isEmpty ? annual.filter { !$0.filing.form.hasPrefix("10-Q") } : audited)
        var accepted: [Candidate] = []
        for (candidate, _) in weights {
            let overlaps = accepted.contains { other in
                min(other.end, candidate.end) - max(other.start, candidate.start) >= 20
            }
            if !overlaps { accepted.append(candidate) }
        }
        return accepted.sorted { $0.end < $1.end }
    }

    /// Candidates with the number of distinct (tag, filing) that report them, heaviest first.
    private static func weigh(_ facts: [ReportedFact]) -> [(candidate: Candidate, weight: Int)] {
        var votes: [Candidate: Set<String>] = [:]
        for fact in facts {
            guard let start = fact.start else { continue }
            votes[Candidate(start: start, end: fact.end), default: []].insert(fact.tag + fact.filing.accession)
        }
        return votes.map { ($0.key, $0.value.count) }.sorted {
            ($0.1, $0.0.end, $0.0.start) > ($1.1, $1.0.end, $1.0.start)
        }
    }

    /// Some companies name a year after the calendar year that contains most of it (a year to 1 February 2025 is their
    /// fiscal 2024): the difference between the name and the year of the end, by the majority of annual reports.
    private static func labelOffset(_ core: [ReportedFact], _ years: [Candidate]) -> Int {
        var latest: [String: (end: CalendarDate, year: Int)] = [:]
        let ends = Set(years.map(\.end))
        for fact in core {
            guard fact.filing.isAnnualReport, !fact.filing.form.hasSuffix("/A"), ends.contains(fact.end),
                let year = fact.filingFiscalYear
            else { continue }
            if latest[fact.filing.accession].map({ $0.end < fact.end }) ?? true {
                latest[fact.filing.accession] = (fact.end, year)
            }
        }
        var votes: [Int: Int] = [:]
        for (end, year) in latest.values { votes[year - nominalYear(end), default: 0] += 1 }
        return (votes[-1] ?? 0) * 2 > votes.values.reduce(0, +) ? -1 : 0
    }

    /// A 52-week year that ends in the first days of January belongs to the year before.
    private static func nominalYear(_ end: CalendarDate) -> Int { (end + -10).year }

    private static func label(_ years: [Candidate], _ offset: Int) -> [FiscalYear] {
        var used: Set<String> = []
        return years.map { year in
            let name = "FY\(nominalYear(year.end) + offset)"
            let label = used.insert(name).inserted ? name : "\(name) to \(year.end)"
            return FiscalYear(start: year.start, end: year.end, label: label)
        }
    }

    // MARK: Transition periods

    private static func findTransitions(_ core: [ReportedFact], _ years: [FiscalYear], _ offset: Int) -> [FiscalYear] {
        let facts = core.filter { $0.filing.form.hasPrefix("10-KT") && (20..<yearLengths.lowerBound).contains($0.days) }
        var found: [FiscalYear] = []
        for (candidate, _) in weigh(facts) {
            let fits =
                years.contains { abs(candidate.start - ($0.end + 1)) <= 6 }
                && !years.contains { $0.start <= candidate.end && candidate.end <= $0.end }
                && !found.contains { $0.start <= candidate.end && candidate.start <= $0.end }
            guard fits else { continue }
            let label = "FY\(nominalYear(candidate.end) + offset) transition"
            found.append(FiscalYear(start: candidate.start, end: candidate.end, label: label))
        }
        return found.sorted { $0.end < $1.end }
    }

    // MARK: Quarters

    private static func findQuarters(
        _ core: [ReportedFact], _ years: [FiscalYear], _ transitions: [FiscalYear], _ offset: Int
    ) -> [FiscalQuarter] {
        let reported = core.filter { $0.filing.isPeriodicReport && $0.days < yearLengths.lowerBound }
        var quarters: [FiscalQuarter] = []
        for year in years {
            var ends = quarterEnds(reported, from: year.start, days: year.end - year.start + 1)
            ends[4] = year.end
            quarters += makeQuarters(ends, year.start, year.label)
        }
        if let last = (years + transitions).map(\.end).max() {
            let start = last + 1
            let label = "FY\(nominalYear(start + 364) + offset)"
            quarters += makeQuarters(quarterEnds(reported, from: start, days: 365), start, label)
        }
        return quarters
    }

    /// The ends of the first three quarters of the year that starts on a day, as far as reports show them.
    private static func quarterEnds(
        _ reported: [ReportedFact], from yearStart: CalendarDate, days: Int
    ) -> [Int: CalendarDate] {
        var votes: [Int: [CalendarDate: Int]] = [:]
        for fact in reported {
            guard let start = fact.start, fact.end > yearStart, fact.end - yearStart < days,
                quarterLengths.contains(fact.days) || abs(start - yearStart) <= 6
            else { continue }
            let share = 4 * Double(fact.end - yearStart + 1) / Double(days)
            let number = Int(share.rounded())
            if (1...3).contains(number), abs(share - Double(number)) <= 0.36 {
                votes[number, default: [:]][fact.end, default: 0] += 1
            }
        }
        return votes.compactMapValues { ends in
            ends.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
        }
    }

    /// Quarters with a known start: the first, and each one after a known quarter.
    private static func makeQuarters(
        _ ends: [Int: CalendarDate], _ yearStart: CalendarDate, _ yearLabel: String
    ) -> [FiscalQuarter] {
        (1...4).compactMap { number in
            guard let end = ends[number] else { return nil }
            guard let start = number == 1 ? yearStart : ends[number - 1].map({ $0 + 1 }) else { return nil }
            return FiscalQuarter(
                yearStart: yearStart, start: start, end: end, number: number, label: "\(yearLabel) Q\(number)")
        }
    }
}

/// The rules that find concepts for fiscal periods: quarters and trailing twelve months that no filing reports by
/// themselves are calculated from the periods that filings do report.
struct PeriodRules: Sendable {
    let concepts: ConceptRules
    let calendar: FiscalCalendar

    /// A quarter: as reported, or the year to its end less the year to its beginning. The fourth is the year less nine
    /// months; average share counts do not subtract.
    func quarter(_ concept: Concept, _ quarter: FiscalQuarter) -> Amount? {
        let measure = concept.measure
        if measure.isInstant { return concepts.amount(concept, .timestamp(quarter.end)) }
        let span = FactPeriod.duration(start: quarter.start, end: quarter.end)
        if let reported = concepts.amount(concept, span) { return reported }
        guard measure != .averageShares, quarter.number > 1, let whole = yearToDate(concept, quarter) else {
            return nil
        }
        let earlier = calendar.quarters.filter { $0.yearStart == quarter.yearStart && $0.number < quarter.number }
        if let before = earlier.last, before.number == quarter.number - 1, let part = yearToDate(concept, before),
            whole.kind == part.kind
        {
            let method =
                quarter.number == 4 ? "fiscal year less its first nine months" : "year to date less the quarters before"
            return Amount([.plus(whole), .minus(part)], span: span, kind: whole.kind, method: method)
        }
        let parts = earlier.compactMap { concepts.amount(concept, .duration(start: $0.start, end: $0.end)) }
        guard parts.count == quarter.number - 1, parts.allSatisfy({ $0.kind == whole.kind }) else { return nil }
        return Amount(
            [.plus(whole)] + parts.map { .minus($0) }, span: span, kind: whole.kind,
            method: "year less its other quarters")
    }

    /// The four quarters up to the latest one: the last fiscal year, plus the year to date, less the same part of the
    /// last year; or the sum of the quarters. `nil` unless it reaches to the latest period that the company reported.
    func trailing(_ concept: Concept) -> Amount? {
        let measure = concept.measure
        guard !measure.isInstant, measure != .averageShares, let year = calendar.years.last,
            let end = calendar.latestEnd
        else { return nil }
        let lastYear = FactPeriod.duration(start: year.start, end: year.end)
        if year.end == end { return concepts.amount(concept, lastYear) }
        guard let latest = calendar.quarters.last, latest.end == end,
            calendar.quarters.suffix(4).count == 4, let first = calendar.quarters.suffix(4).first,
            FiscalCalendar.yearLengths.contains(end - first.start + 1)
        else { return nil }
        let span = FactPeriod.duration(start: first.start, end: end)
        if let whole = concepts.amount(concept, lastYear), let toDate = yearToDate(concept, latest),
            let same = calendar.quarters.last(where: { $0.yearStart == year.start && $0.number == latest.number }),
            let before = yearToDate(concept, same), whole.kind == toDate.kind, before.kind == whole.kind
        {
            return Amount(
                [.plus(whole), .plus(toDate), .minus(before)], span: span, kind: whole.kind,
                method: "fiscal year plus year to date less the same part of the fiscal year")
        }
        let quarters = calendar.quarters.suffix(4).compactMap { quarter(concept, $0) }
        guard quarters.count == 4, quarters.allSatisfy({ $0.kind == quarters[0].kind }) else { return nil }
        return Amount(quarters.map { .plus($0) }, span: span, kind: quarters[0].kind, method: "sum of four quarters")
    }

    private func yearToDate(_ concept: Concept, _ quarter: FiscalQuarter) -> Amount? {
        concepts.amount(concept, .duration(start: quarter.yearStart, end: quarter.end))
    }
}
