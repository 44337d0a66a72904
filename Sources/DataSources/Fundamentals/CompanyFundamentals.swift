/// A company and its figures.
public struct CompanyFundamentals: Sendable, Hashable {
    public let company: Company
    public let fundamentals: Fundamentals

    public init(company: Company, fundamentals: Fundamentals) {
        self.company = company
        self.fundamentals = fundamentals
    }

    /// Where the filing of a figure can be read.
    public func url(of figure: Figure) -> String { figure.filing.url(cik: company.cik) }
}

/// Who a company is, as the SEC has it.
public struct Company: Sendable, Hashable {
    public let ticker: Ticker
    public let cik: CIK
    public let name: String
    /// Standard industrial classification, four digits (`7372`).
    public let industryCode: String?
    public let industry: String?
    public let exchanges: [String]
    /// Month and day, `0930`; 52-week companies end some days before or after it.
    public let fiscalYearEnd: String?

    public init(
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
