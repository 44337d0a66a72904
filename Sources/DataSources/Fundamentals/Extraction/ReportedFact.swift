import FoundationEssentials
import JSON

/// One number of one filing, as the company facts list it.
struct ReportedFact: Sendable, Hashable {
    let tag: String
    let unit: String
    /// `nil` for a moment.
    let start: CalendarDate?
    let end: CalendarDate
    let value: Decimal
    let filing: Filing
    /// The fiscal year of the filing (not of this fact), as the SEC states it.
    let filingFiscalYear: Int?

    /// Days of the period, first and last included; 0 for a moment.
    var days: Int { start.map { end - $0 + 1 } ?? 0 }
}

extension ReportedFact {
    /// Reads one element of a `units` list; `nil` for what cannot be a report of the past: a missing field, a period
    /// that ends before it starts or after its filing was made, an impossible date.
    init?(_ json: JSON, tag: String, unit: String) {
        guard let end = json["end"]?.string.flatMap({ CalendarDate($0) }),
            let filed = json["filed"]?.string.flatMap({ CalendarDate($0) }),
            let accession = json["accn"]?.string, let form = json["form"]?.string,
            let number = json["val"]?.number, let value = Decimal(exactly: number)
        else { return nil }
        if let text = json["start"]?.string {
            guard let start = CalendarDate(text), start < end else { return nil }
            self.start = start
        } else {
            start = nil
        }
        // Cover pages may carry the day of filing; nothing reports a later one. Ratios of splits may lie ahead.
        guard end <= filed || tag == Tags.splitRatio.tags[0], end.year >= 1980 else { return nil }
        self.tag = tag
        self.unit = unit
        self.end = end
        self.value = value
        filing = Filing(form: form, accession: accession, filed: filed)
        filingFiscalYear = json["fy"]?.integer.flatMap { Int(exactly: $0) }
    }
}
