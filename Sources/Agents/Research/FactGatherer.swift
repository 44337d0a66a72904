internal import DataSources
internal import JobQueue
internal import JSON

/// The first step of a report: what the filings and the market say, journalled with the moment at which it was read.
struct FactGatherer: Sendable {
    let companies: any CompanyFactsSource
    let market: (any MarketDataSource)?
    let now: @Sendable () -> Int64

    func gather(
        _ ticker: String, in context: JobContext
    ) async throws(AgentError) -> (GatheredFacts, GatheredPlace) {
        let entry = try await context.journal.step("gather", input: ["ticker": JSON(ticker)]) {
            () async throws(AgentError) in
            async let price = marketData(ticker)
            let company: CompanyFundamentals
            do {
                company = try await companies.fundamentals(ticker)
            } catch let error as DataSourceError {
                throw AgentError(error)
            } catch {
                throw AgentError.interrupted
            }
            let (data, problem) = await price
            return (GatheredFacts(company: company, market: data, marketProblem: problem, at: now()).json, [])
        }
        let place = GatheredPlace(sequence: entry.sequence)
        return (try Self.read(entry.output, at: place), place)
    }

    /// What was gathered earlier in this run, from the journal.
    func facts(at place: GatheredPlace, in context: JobContext) async throws(AgentError) -> GatheredFacts {
        try Self.read(try await context.journal.output(at: place.sequence), at: place)
    }

    private static func read(_ output: JSON, at place: GatheredPlace) throws(AgentError) -> GatheredFacts {
        do {
            return try GatheredFacts(JSONField(output))
        } catch {
            throw .failed(
                AgentFailure(
                    .internalFailure("the journalled facts cannot be read: \(error)"), isTransient: false,
                    dropStepsFrom: place.sequence))
        }
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

/// Where in a job's journal its facts stand.
struct GatheredPlace: Sendable {
    let sequence: Int64
}

/// What was found, and when.
struct GatheredFacts: Sendable {
    var company: CompanyFundamentals
    var market: MarketData?
    /// Why there is no price.
    var marketProblem: String?
    /// Milliseconds since 1970.
    var at: Int64
}

extension GatheredFacts {
    var json: JSON {
        [
            "company": company.json, "market": market?.json ?? .null, "market_problem": JSON(marketProblem),
            "gathered_at": JSON(at),
        ]
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        company = try CompanyFundamentals(field["company"])
        market = try field["market"].optional.map { field throws(JSONFieldError) in try MarketData(field) }
        marketProblem = try field["market_problem"].optional?.string()
        at = try field["gathered_at"].integer()
    }
}

extension AgentError {
    init(_ error: DataSourceError) {
        let code: String
        let userMessage: String
        switch error {
        case .cancelled:
            self = .interrupted
            return
        case .invalidTicker: (code, userMessage) = ("VAL_3002", "That does not look like a ticker.")
        case .notFound: (code, userMessage) = ("BIZ_2004", "We could not find a company with that ticker.")
        case .noData, .notCovered:
            (code, userMessage) = ("EXT_4005", "There are no filings with figures for this company.")
        default:
            (code, userMessage) = (
                "EXT_4005", "The company's filings cannot be read right now. Please try again later."
            )
        }
        self = .failed(
            AgentFailure(
                JobError(code: code, message: "\(error)", userMessage: userMessage), isTransient: error.isTransient,
                retryAfter: error.retryAfter))
    }
}

extension GatheredFacts {
    /// A market's share count and the filings' may differ by so much (buybacks, the time between the two).
    private static let countTolerance = 1.5

    /// The price, when it is of the same share that the filings count; else why it is not used.
    ///
    /// A depositary receipt can stand for several shares or a part of one, and after a split the price is of new shares
    /// while the filings are still of old ones: in both cases every ratio with the price would be wrong.
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
