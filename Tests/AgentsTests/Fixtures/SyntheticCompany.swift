import Basics
import FoundationEssentials
import JSON
import TestSupport
import Testing

@testable import Agents
@testable import DataSources

/// A company that does not exist, with the figures that a test gives it: fiscal year (calendar year) → concept →
/// amount.
struct SyntheticCompany {
    var years: [Int: [Concept: Decimal]] = [:]
    var currency = "USD"
    /// The last days of years that do not end with December.
    var ends: [Int: String] = [:]
    var announcedSplits: [AnnouncedSplit] = []

    init(_ years: [Int: [Concept: Decimal]]) { self.years = years }

    /// The same figures in each year, from the newest back.
    init(count: Int, latest: Int = 2024, _ figures: [Concept: Decimal]) {
        for year in (latest - count + 1)...latest { years[year] = figures }
    }

    /// One concept over years, newest first; `nil` leaves a year's figure out.
    mutating func set(_ concept: Concept, latest: Int = 2024, _ values: [Decimal?]) {
        for (place, value) in values.enumerated() { years[latest - place, default: [:]][concept] = value }
    }

    func fundamentals() throws -> Fundamentals {
        var figures: [Figure] = []
        let newestFirst = years.keys.sorted(by: >)
        for year in newestFirst {
            let end = try #require(CalendarDate(ends[year] ?? "\(year)-12-31"))
            for (concept, value) in years[year] ?? [:] {
                let start: CalendarDate? = concept.measure.isInstant ? nil : end + -364
                figures.append(
                    Figure(
                        concept: concept, period: Period(kind: .annual, start: start, end: end, label: "FY\(year)"),
                        reported: value, value: value, unit: unit(of: concept), tag: "us-gaap:Made",
                        filing: Filing(form: "10-K", accession: "0000000001-\(year)-000001", filed: end + 50)))
            }
        }
        return Fundamentals(
            currency: currency, fiscalYears: newestFirst.map { "FY\($0)" },
            latestPeriodEnd: figures.map(\.period.end).max(), announcedSplits: announcedSplits, figures: figures)
    }

    func company() throws -> CompanyFundamentals {
        CompanyFundamentals(
            company: Company(ticker: try Ticker("MADE"), cik: try #require(CIK(1)), name: "Made Up Corp"),
            fundamentals: try fundamentals())
    }

    private func unit(of concept: Concept) -> String {
        switch concept.measure {
        case .averageShares, .shares: "shares"
        case .flowPerShare: currency + "/shares"
        case .flow, .balance: currency
        }
    }

    /// A metric of the company.
    func outcome(_ name: String, price: Double? = nil, in currency: String = "USD") throws -> MetricOutcome {
        let metric = try #require(Metric.all[name], "no metric \(name)")
        let price = price.map { CompanyHistory.Price(value: $0, currency: currency) }
        return MetricOutcome(metric, of: CompanyHistory(try fundamentals(), price: price))
    }
}

func isNear(_ one: Double?, _ other: Double) -> Bool {
    guard let one else { return false }
    return abs(one - other) <= max(abs(other), 1) * 1e-9
}

/// Real documents of the SEC beside the checkout; tests that need one are skipped where it is absent.
enum SharedFilings {
    static let apple = "sec/companyfacts-CIK0000320193-AAPL.json"
    static let snowflake = "sec/companyfacts-CIK0001640147-SNOW.json"
    static let absence: Comment = "../shared/data/sec is not there"

    static var areThere: Bool { SharedData.isThere(apple) }

    /// Read once: the document is large and tests are built without optimisation.
    static let appleFundamentals = Result { try fundamentals(apple) }

    static func fundamentals(_ document: String) throws -> Fundamentals {
        try Fundamentals(companyFacts: JSON(parsing: SharedData.bytes(document)))
    }
}
