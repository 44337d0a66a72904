internal import DataSources
internal import JobQueue
internal import JSON

/// The first step of a report: the filings and the price of a company, journalled with the time at which they were
/// read.
struct FactGatherer: Sendable {
    private static let step = "gather"

    let companies: any CompanyFactsSource
    let market: (any MarketDataSource)?
    let now: @Sendable () -> Timestamp

    func gather(_ ticker: String, in context: JobContext) async throws(AgentError) -> GatheredFacts {
        let entry = try await context.journal.step(Self.step, input: ["ticker": JSON(ticker)]) {
            async let price = marketData(ticker)
            let company = try await companies.fundamentals(ticker)
            let (data, problem) = await price
            return GatheredFacts(company: company, market: data, marketProblem: problem, at: now()).json
        }
        return try entry.decoded("facts") { try GatheredFacts($0) }
    }

    /// The facts that this run has gathered, from the journal.
    func facts(in context: JobContext) async throws(AgentError) -> GatheredFacts {
        try await context.journal.reread(Self.step).decoded("facts") { try GatheredFacts($0) }
    }

    /// The price, or why there is none: a report can do without.
    private func marketData(_ ticker: String) async -> (MarketData?, String?) {
        guard let market else { return (nil, "no source of prices is set up") }
        do {
            return (try await market.marketData(ticker), nil)
        } catch {
            return (nil, error.description)
        }
    }
}

/// A company's filings and price.
struct GatheredFacts: Sendable {
    var company: CompanyFundamentals
    var market: MarketData?
    /// Why there is no price.
    var marketProblem: String?
    /// The time at which they were read.
    var at: Timestamp
}

extension GatheredFacts {
    var json: JSON {
        [
            "company": company.json, "market": market?.json ?? .null, "market_problem": JSON(marketProblem),
            "gathered_at": JSON(at.milliseconds),
        ]
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        company = try CompanyFundamentals(field["company"])
        market = try field["market"].optional.map { field throws(JSONFieldError) in try MarketData(field) }
        marketProblem = try field["market_problem"].optional?.string()
        at = Timestamp(milliseconds: try field["gathered_at"].integer())
    }
}

extension GatheredFacts {
    /// The largest ratio of a market's share count and the filings' (buybacks, the time between the two).
    private static let countTolerance = 1.5

    /// The price if it is of the same share that the filings count, else the reason why it is not used.
    ///
    /// A depositary receipt can represent several shares or a part of one, and after a split the price is of new shares
    /// while the filings still count old ones: in both cases every ratio with the price would be wrong.
    var usablePrice: (price: CompanyHistory.Price?, problem: String) {
        guard let market else { return (nil, marketProblem ?? "none was given") }
        guard let price = market.price?.asDouble, price > 0, let currency = market.currency else {
            return (nil, "the source gave none")
        }
        if let split = company.fundamentals.announcedSplits.last {
            return (nil, "a filing of \(split.filing.filed) states a split that the figures do not show yet")
        }
        if let cap = market.marketCap?.asDouble, let shares = company.fundamentals.annual(.dilutedShares).first?.double,
            cap > 0, shares > 0
        {
            let ratio = cap / price / shares
            guard ratio < Self.countTolerance, ratio > 1 / Self.countTolerance else {
                return (nil, "the market counts other shares than the filings do")
            }
        }
        return (CompanyHistory.Price(value: price, currency: currency), "")
    }
}
