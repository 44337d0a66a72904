import Basics
import FoundationEssentials
import JSON

/// The facts of one company by tag, in one currency.
struct FactTable: Sendable {
    /// ISO 4217, the currency of the company's statements.
    let currency: String
    private var facts: [String: [ReportedFact]] = [:]

    /// - Parameter json: a `companyfacts` document of the SEC.
    /// - Throws: `DataSourceError.unexpected` when it is none.
    init(companyFacts json: JSON) throws(DataSourceError) {
        guard let taxonomies = json["facts"]?.object else {
            throw .unexpected(.edgar, problem: "the company facts have no 'facts' object")
        }
        for tag in Tags.all {
            let (taxonomy, name) = Tags.split(tag)
            guard let units = taxonomies[taxonomy]?[name]?["units"]?.object else { continue }
            for (unit, list) in units {
                let read = (list.array ?? []).compactMap { ReportedFact($0, tag: tag, unit: unit) }
                if !read.isEmpty { facts[tag, default: []] += read }
            }
        }
        currency = Self.reportingCurrency(facts)
    }

    subscript(tag: String) -> [ReportedFact] { facts[tag] ?? [] }

    /// The facts of a tag in the unit that the measure has in this company's currency.
    func facts(_ tag: String, _ measure: Concept.Measure) -> [ReportedFact] {
        let wanted = unit(of: measure)
        let all = self[tag]
        return all.allSatisfy { $0.unit == wanted } ? all : all.filter { $0.unit == wanted }
    }

    func unit(of measure: Concept.Measure) -> String {
        switch measure {
        case .flow, .balance: currency
        case .flowPerShare: currency + "/shares"
        case .averageShares, .shares: "shares"
        }
    }

    /// The currency in which the most periods of the recent past are reported. Foreign filers add a translation of
    /// the latest year to US dollars: on a tie the other currency is the company's own.
    private static func reportingCurrency(_ facts: [String: [ReportedFact]]) -> String {
        let tags = (Tags.totalAssets.tags + Tags.netIncome.tags + Tags.operatingCashFlow.tags + Tags.revenue.tags)
        let money = tags.flatMap { facts[$0] ?? [] }.filter { fact in
            fact.unit.utf8.count == 3 && fact.unit.utf8.allSatisfy { (65...90).contains($0) }
        }
        guard let latest = money.map(\.end).max() else { return "USD" }
        var periods: [String: Set<String>] = [:]
        for fact in money where latest - fact.end < 800 {
            periods[fact.unit, default: []].insert("\(fact.tag) \(fact.start?.dayNumber ?? 0) \(fact.end.dayNumber)")
        }
        let ranked = periods.sorted {
            ($0.value.count, $0.key == "USD" ? 0 : 1, $1.key) > ($1.value.count, $1.key == "USD" ? 0 : 1, $0.key)
        }
        return ranked.first?.key ?? "USD"
    }
}

/// One number of one filing, as the company facts list it.
struct ReportedFact: Sendable, Hashable {
    let tag: String
    let unit: String
    /// `nil` for an instant.
    let start: CalendarDate?
    let end: CalendarDate
    let value: Decimal
    let filing: Filing
    /// The fiscal year of the filing (not of this fact), as the SEC states it.
    let filingFiscalYear: Int?

    /// Days of the period, first and last included; 0 for an instant.
    var days: Int { start.map { end - $0 + 1 } ?? 0 }
}

extension ReportedFact {
    /// Reads one element of a `units` list; `nil` when it cannot be a report of the past: a missing field, a period
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
        // Cover pages may carry the day of filing; no fact has a later one, except ratios of announced splits.
        guard end <= filed || tag == Tags.splitRatio.tags[0], end.year >= 1980 else { return nil }
        self.tag = tag
        self.unit = unit
        self.end = end
        self.value = value
        filing = Filing(form: form, accession: accession, filed: filed)
        filingFiscalYear = json["fy"]?.integer.flatMap { Int(exactly: $0) }
    }
}

/// A period or an instant for which facts are looked up.
enum FactPeriod: Hashable, Sendable {
    case duration(start: CalendarDate, end: CalendarDate)
    case timestamp(CalendarDate)

    /// Filings differ by a few days in how they write the ends of 52-week years and of months.
    private static let tolerance = 6

    /// The distance of a fact from this span in days; `nil` when it is about another time.
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
