/// A company and its figures.
package struct CompanyFundamentals: Sendable, Hashable {
    package let company: Company
    package let fundamentals: Fundamentals

    package init(company: Company, fundamentals: Fundamentals) {
        self.company = company
        self.fundamentals = fundamentals
    }

    /// Where the filing of a figure can be read.
    package func url(of figure: Figure) -> String { figure.filing.url(cik: company.cik) }
}

/// Who a company is, as the SEC has it.
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
