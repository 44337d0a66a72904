package import Basics
package import FoundationEssentials
package import JSON

/// The figures of a company over time, each with its source: ten fiscal years, eight quarters and the trailing twelve
/// months of every concept that the company reports.
///
/// A figure that no filing reports is missing; a missing number is never replaced by zero or an estimate. Share counts
/// and per-share figures are on today's shares.
package struct Fundamentals: Sendable, Hashable {
    /// ISO 4217 code of all money figures.
    package let currency: String
    /// Labels of the fiscal years that are covered, newest first.
    package let fiscalYears: [String]
    /// The end of the latest period that the company reported.
    package let latestPeriodEnd: CalendarDate?
    /// The splits that were found in the facts, oldest first.
    package let splits: [StockSplit]
    /// Splits that filings state but no figure shows yet.
    package let announcedSplits: [AnnouncedSplit]
    /// All figures, by concept, newest first within each kind of period.
    package let figures: [Figure]

    package init(
        currency: String, fiscalYears: [String], latestPeriodEnd: CalendarDate?, splits: [StockSplit] = [],
        announcedSplits: [AnnouncedSplit] = [], figures: [Figure]
    ) {
        self.currency = currency
        self.fiscalYears = fiscalYears
        self.latestPeriodEnd = latestPeriodEnd
        self.splits = splits
        self.announcedSplits = announcedSplits
        self.figures = figures
    }

    /// Reads a `companyfacts` document of the SEC.
    ///
    /// - Throws: `DataSourceError.unexpected` when it is none. A document without usable facts gives no figures.
    package init(companyFacts json: JSON) throws(DataSourceError) {
        self = FundamentalsExtractor(try FactTable(companyFacts: json)).fundamentals()
    }
}

/// A split that a filing states and that is not yet in the figures.
package struct AnnouncedSplit: Sendable, Hashable {
    /// As stated: mostly new shares for one old share, of reverse splits often the other way round.
    package let ratio: Decimal
    package let date: CalendarDate
    package let filing: Filing

    package init(ratio: Decimal, date: CalendarDate, filing: Filing) {
        self.ratio = ratio
        self.date = date
        self.filing = filing
    }
}

extension Fundamentals {
    /// The fiscal years of a concept, newest first; years that were not reported are left out.
    package func annual(_ concept: Concept) -> [Figure] { figures(concept, .annual) }

    /// The figure of one fiscal year (`FY2025`).
    package func annual(_ concept: Concept, _ year: String) -> Figure? {
        annual(concept).first { $0.period.label == year }
    }

    /// The latest quarters of a concept, newest first.
    package func quarterly(_ concept: Concept) -> [Figure] {
        figures(concept, .quarter).filter { $0.period.label.contains(" Q") }
    }

    /// The twelve months up to `latestPeriodEnd`; `nil` when they cannot be determined.
    package func trailingTwelveMonths(_ concept: Concept) -> Figure? { figures(concept, .trailing).first }

    /// The newest figure of an instant or of a quarter, but only when it is of the latest period that the company
    /// reported: a line that a company stopped reporting has no latest figure. For share counts that is the latest
    /// cover page.
    package func latest(_ concept: Concept) -> Figure? {
        guard let latestPeriodEnd else { return nil }
        let preferred: Period.Kind = concept.measure.isInstant ? .annual : .quarter
        let recent = figures.indices.filter {
            figures[$0].concept == concept && figures[$0].period.kind != .trailing
                && figures[$0].period.end >= latestPeriodEnd
        }
        return recent.map { figures[$0] }.max {
            ($0.period.end, $0.period.kind == preferred ? 1 : 0) < ($1.period.end, $1.period.kind == preferred ? 1 : 0)
        }
    }

    package func figures(_ concept: Concept, _ kind: Period.Kind) -> [Figure] {
        // By place, since a filter would copy each of the hundreds of figures.
        figures.indices.filter { figures[$0].concept == concept && figures[$0].period.kind == kind }.map { figures[$0] }
    }

    /// The figure of an id such as `revenue.FY2025`.
    package subscript(id: String) -> Figure? { figures.first { $0.id == id } }
}

extension Fundamentals {
    /// The whole value for the journal; `init(_:)` reads an equal one back.
    package var json: JSON {
        [
            "currency": JSON(currency), "fiscal_years": JSON(fiscalYears),
            "latest_period_end": JSON(latestPeriodEnd.map { "\($0)" }), "splits": .array(splits.map(\.json)),
            "announced_splits": .array(announcedSplits.map(\.json)), "figures": .array(figures.map(\.json)),
        ]
    }

    package init(_ field: JSONField) throws(JSONFieldError) {
        self.init(
            currency: try field["currency"].string(), fiscalYears: try field["fiscal_years"].strings(),
            latestPeriodEnd: try field["latest_period_end"].map { field throws(JSONFieldError) in try field.date() },
            splits: try field["splits"].array().map { field throws(JSONFieldError) in try StockSplit(field) },
            announcedSplits: try field["announced_splits"].array().map { field throws(JSONFieldError) in
                try AnnouncedSplit(field)
            },
            figures: try field["figures"].array().map { field throws(JSONFieldError) in try Figure(field) })
    }
}

extension AnnouncedSplit {
    var json: JSON {
        var members = filing.members
        members["ratio"] = ratio.json
        members["date"] = JSON("\(date)")
        return .object(members)
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        self.init(ratio: try field["ratio"].decimal(), date: try field["date"].date(), filing: try Filing(field))
    }
}

extension CompanyFundamentals {
    package var json: JSON { ["company": company.json, "fundamentals": fundamentals.json] }

    package init(_ field: JSONField) throws(JSONFieldError) {
        self.init(company: try Company(field["company"]), fundamentals: try Fundamentals(field["fundamentals"]))
    }
}

extension Company {
    package var json: JSON {
        [
            "ticker": JSON(ticker.text), "cik": JSON(cik.number), "name": JSON(name),
            "industry_code": JSON(industryCode), "industry": JSON(industry), "exchanges": JSON(exchanges),
            "fiscal_year_end": JSON(fiscalYearEnd),
        ]
    }

    package init(_ field: JSONField) throws(JSONFieldError) {
        guard let cik = CIK(try field["cik"].integer()) else { throw field["cik"].failure("must be a CIK") }
        self.init(
            ticker: try field["ticker"].value({ try? Ticker($0) }, "a ticker"), cik: cik,
            name: try field["name"].string(),
            industryCode: try field["industry_code"].map { field throws(JSONFieldError) in try field.string() },
            industry: try field["industry"].map { field throws(JSONFieldError) in try field.string() },
            exchanges: try field["exchanges"].strings(),
            fiscalYearEnd: try field["fiscal_year_end"].map { field throws(JSONFieldError) in try field.string() })
    }
}

extension JSONField {
    func date() throws(JSONFieldError) -> CalendarDate {
        try value({ CalendarDate($0) }, "a date (YYYY-MM-DD)")
    }

    func decimal() throws(JSONFieldError) -> Decimal {
        guard let number = value?.number else { throw failure("must be a number") }
        guard let decimal = Decimal(exactly: number) else { throw failure("has too many digits") }
        return decimal
    }

    func positiveInteger() throws(JSONFieldError) -> Int {
        guard let number = Int(exactly: try integer()), number > 0 else { throw failure("must be positive") }
        return number
    }

    /// A value that is written as text.
    func value<Value>(_ read: (String) -> Value?, _ expected: String) throws(JSONFieldError) -> Value {
        guard let value = read(try string()) else { throw failure("must be \(expected)") }
        return value
    }

    /// The field's value, when it is present and not null.
    func map<Value>(_ read: (JSONField) throws(JSONFieldError) -> Value) throws(JSONFieldError) -> Value? {
        guard let field = optional else { return nil }
        return try read(field)
    }
}
