package import Basics
package import FoundationEssentials

/// A company and its figures.
package struct CompanyFundamentals: Sendable, Hashable {
    package let company: Company
    package let fundamentals: Fundamentals

    package init(company: Company, fundamentals: Fundamentals) {
        self.company = company
        self.fundamentals = fundamentals
    }

    /// The address of the filing of a figure.
    package func url(of figure: Figure) -> String { figure.filing.url(cik: company.cik) }
}

/// The identity of a company as registered with the SEC.
package struct Company: Sendable, Hashable {
    package let ticker: Ticker
    package let cik: CIK
    package let name: String
    /// Standard industrial classification, four digits (`7372`).
    package let industryCode: String?
    package let industry: String?
    package let exchanges: [String]
    /// Month and day, `0930`; 52-week companies end some days before or after it.
    package let fiscalYearEnd: String?

    package init(
        ticker: Ticker, cik: CIK, name: String, industryCode: String? = nil, industry: String? = nil,
        exchanges: [String] = [], fiscalYearEnd: String? = nil
    ) {
        self.ticker = ticker
        self.cik = cik
        self.name = name
        self.industryCode = industryCode
        self.industry = industry
        self.exchanges = exchanges
        self.fiscalYearEnd = fiscalYearEnd
    }

    init(_ entry: TickerDirectory.Entry, _ profile: SECProfile) {
        self.init(
            ticker: entry.ticker, cik: entry.cik, name: profile.name ?? entry.title,
            industryCode: profile.industryCode, industry: profile.industry, exchanges: profile.exchanges,
            fiscalYearEnd: profile.fiscalYearEnd)
    }
}

/// A change of the number of shares without a change of the company: `numerator` new shares for `denominator` old ones.
package struct StockSplit: Sendable, Hashable {
    package let numerator: Int
    package let denominator: Int
    /// The date on which it took effect, if a filing names a date that fits the figures.
    package let effective: CalendarDate?
    /// Figures of filings made before this day are in old shares, those made on it and later in new ones.
    package let boundary: CalendarDate

    package init(numerator: Int, denominator: Int, effective: CalendarDate?, boundary: CalendarDate) {
        self.numerator = numerator
        self.denominator = denominator
        self.effective = effective
        self.boundary = boundary
    }

    /// New shares for one old share.
    package var factor: Decimal { Decimal(numerator) / Decimal(denominator) }

    /// `4-for-1 split (2020-08-28)`, `1-for-8 reverse split (first seen in a filing of 2021-10-29)`.
    package var text: String {
        let name = numerator > denominator ? "split" : "reverse split"
        let date = effective.map { "\($0)" } ?? "first seen in a filing of \(boundary)"
        return "\(numerator)-for-\(denominator) \(name) (\(date))"
    }
}

/// The adjustment that puts a reported figure on today's shares.
package struct Adjustment: Sendable, Hashable {
    /// In the order in which they happened; never empty.
    package let splits: [StockSplit]

    package init(splits: [StockSplit]) { self.splits = splits }

    /// Today's shares for one share of the filing: share counts were multiplied by it, per-share figures divided.
    package var factor: Decimal { splits.reduce(1) { $0 * $1.factor } }

    package var reason: String { splits.map(\.text).joined(separator: ", ") }
}

/// The filing that a figure was taken from.
package struct Filing: Sendable, Hashable {
    /// `10-K`, `10-Q`, `20-F`, … with `/A` for an amendment.
    package let form: String
    /// `0000320193-25-000079`.
    package let accession: String
    package let filed: CalendarDate

    package init(form: String, accession: String, filed: CalendarDate) {
        self.form = form
        self.accession = accession
        self.filed = filed
    }

    /// The folder of the filing at the SEC.
    package func url(cik: CIK) -> String {
        "https://www.sec.gov/Archives/edgar/data/\(cik.number)/\(accession.filter { $0 != "-" })/"
    }
}

extension Filing {
    /// Whether the form reports whole fiscal years with audited statements.
    var isAnnualReport: Bool {
        form.hasPrefix("10-K") || form.hasPrefix("20-F") || form.hasPrefix("40-F")
    }

    /// Whether the form is a regular report of a year or a quarter, not a prospectus or a current report.
    var isPeriodicReport: Bool { isAnnualReport || form.hasPrefix("10-Q") }
}

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
    /// The first day; `nil` for a figure of an instant (a balance sheet).
    package let start: CalendarDate?
    /// The last day, or the day of the instant.
    package let end: CalendarDate
    /// `FY2025`, `FY2026 Q1`, `TTM`; the company's own count of years.
    package let label: String

    package init(kind: Kind, start: CalendarDate?, end: CalendarDate, label: String) {
        self.kind = kind
        self.start = start
        self.end = end
        self.label = label
    }

    /// Whether the figure is of an instant: `kind` then names the year or quarter that ended there.
    package var isInstant: Bool { start == nil }
}
