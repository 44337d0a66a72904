/// How concepts are found for fiscal periods: quarters and trailing twelve months that no filing reports by themselves
/// are calculated from the periods that filings do report.
struct PeriodRules: Sendable {
    let concepts: ConceptRules
    let calendar: FiscalCalendar

    /// A quarter: as reported, or the year to its end less the year to its beginning. The fourth is the year less nine
    /// months; average share counts do not subtract.
    func quarter(_ concept: Concept, _ quarter: FiscalQuarter) -> Amount? {
        let measure = concept.measure
        if measure.isInstant { return concepts.amount(concept, .timestamp(quarter.end)) }
        let span = Span.duration(start: quarter.start, end: quarter.end)
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
        let lastYear = Span.duration(start: year.start, end: year.end)
        if year.end == end { return concepts.amount(concept, lastYear) }
        guard let latest = calendar.quarters.last, latest.end == end,
            calendar.quarters.suffix(4).count == 4, let first = calendar.quarters.suffix(4).first,
            FiscalCalendar.yearLengths.contains(end - first.start + 1)
        else { return nil }
        let span = Span.duration(start: first.start, end: end)
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
