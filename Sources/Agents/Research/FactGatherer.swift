internal import Basics
internal import DataSources
internal import FoundationEssentials
internal import JSON
internal import JobQueue
internal import Prices
internal import Prompts
internal import Synchronization

/// The first step of a report: the filings and the price of a company, journalled with the time at which they were
/// read.
struct FactGatherer: Sendable {
    private static let step = "gather"

    let companies: any CompanyFactsSource
    let market: (any MarketDataSource)?
    let history: PriceHistory?
    let now: @Sendable () -> Timestamp
    private let recent = RecentFacts()
    private let companyParts = CompanyPartsCache()

    init(
        companies: any CompanyFactsSource, market: (any MarketDataSource)?, history: PriceHistory?,
        now: @escaping @Sendable () -> Timestamp
    ) {
        (self.companies, self.market, self.history, self.now) = (companies, market, history, now)
    }

    func gather(_ ticker: String, in context: JobContext) async throws(AgentError) -> GatheredFacts {
        let entry = try await context.journal.sharedStep(Self.step, input: ["ticker": JSON(ticker)]) {
            async let price = marketData(ticker)
            let company = try await companies.fundamentals(ticker)
            let (data, problem) = await price
            var facts = GatheredFacts(company: company, market: data, marketProblem: problem, at: now())
            let parts = companyParts.parts(of: company)
            facts.parts = parts
            recent.keep(facts, of: context.job.lease)
            return SharedOutput(parts.journalled, facts.ownMembers)
        }
        if !entry.isReplayed, let facts = recent[context.job.lease] { return facts }
        return try decoded(entry)
    }

    private func decoded(_ entry: Journal.Entry) throws(AgentError) -> GatheredFacts {
        var facts = try entry.decoded("facts") { try GatheredFacts($0) }
        facts.parts = companyParts.parts(of: facts.company)
        return facts
    }

    /// The facts that this run has gathered: those of the latest jobs are in memory, others are read from the journal.
    func facts(in context: JobContext) async throws(AgentError) -> GatheredFacts {
        if let facts = recent[context.job.lease] { return facts }
        return try decoded(await context.journal.reread(Self.step))
    }

    /// What a persona says of a run's facts: the same for the question and for each check of an answer.
    func review(of facts: GatheredFacts, by persona: Persona, in context: JobContext) -> CompanyReview {
        if let review = recent.review(of: context.job.lease) { return review }
        let review = CompanyReview(of: facts, by: persona)
        recent.keep(review, of: context.job.lease)
        return review
    }

    /// The price, or why there is none: a report can do without. The last close stands in for a missing quote.
    private func marketData(_ ticker: String) async -> (MarketData?, String?) {
        var (quoted, problem): (MarketData?, String?) = (nil, nil)
        if let market {
            do {
                quoted = try await market.marketData(ticker)
                if quoted?.price != nil { return (quoted, nil) }
            } catch {
                problem = error.description
            }
        }
        switch await lastClose(ticker, quoted) {
        case .success(let close): return (close, nil)
        case .failure(let missing): return (quoted, quoted == nil ? problem ?? missing.reason : nil)
        }
    }

    private struct NoClose: Error {
        var reason: String
    }

    /// The newest close of at most a week ago. Sources of prices over time name no currency; their stocks are listed
    /// in the United States.
    private func lastClose(_ ticker: String, _ quoted: MarketData?) async -> Result<MarketData, NoClose> {
        guard let history else { return .failure(NoClose(reason: "no source of prices is set up")) }
        let (symbol, prices): (Ticker, PriceHistory.Answer)
        do throws(DataSourceError) {
            symbol = try Ticker(ticker)
            prices = try await history.prices(of: symbol, .daily)
        } catch {
            return .failure(NoClose(reason: error.description))
        }
        guard !prices.isSimulated, let bar = prices.series.bars.last else {
            return .failure(NoClose(reason: "the only prices are a simulator's"))
        }
        guard bar.time > now().milliseconds / 1000 - 7 * 86_400 else {
            let day = CalendarDate(secondsSinceEpoch: bar.time)
            return .failure(NoClose(reason: "the newest close from \(prices.source.rawValue) is of \(day)"))
        }
        let close = MarketData(
            ticker: symbol, source: prices.source, price: Decimal(string: "\(bar.close)"),
            currency: quoted?.currency ?? "USD", marketCap: quoted?.marketCap, asOf: bar.time,
            companyName: quoted?.companyName, sector: quoted?.sector, industry: quoted?.industry,
            country: quoted?.country, exchange: quoted?.exchange, beta: quoted?.beta,
            description: quoted?.description)
        return .success(close)
    }
}

/// The facts of the runs that gathered them last, so that most answers are checked without reading and parsing the
/// journal again. What one job gathered is never another job's.
///
/// Jobs on the same company share the storage of its figures; at most 64 companies' figures are held.
final class RecentFacts: Sendable {
    private static let most = 64

    private struct Run {
        var lease: Lease
        var facts: GatheredFacts
        var review: CompanyReview?
    }

    private let runs = Mutex<[Run]>([])

    func keep(_ facts: GatheredFacts, of lease: Lease) {
        runs.withLock { runs in
            if runs.count >= Self.most { runs.removeFirst(runs.count - Self.most + 1) }
            runs.append(Run(lease: lease, facts: facts))
        }
    }

    subscript(lease: Lease) -> GatheredFacts? {
        runs.withLock { runs in runs.last { $0.lease == lease }?.facts }
    }

    /// Keeps a review as long as its facts.
    func keep(_ review: CompanyReview, of lease: Lease) {
        runs.withLock { runs in
            guard let place = runs.lastIndex(where: { $0.lease == lease }) else { return }
            runs[place].review = review
        }
    }

    func review(of lease: Lease) -> CompanyReview? {
        runs.withLock { runs in runs.last { $0.lease == lease }?.review }
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
    /// What reports on the company share; `nil` where it has not been computed.
    var parts: CompanyParts?
}

extension GatheredFacts {
    /// The members beside `company`, which jobs on the same company do not share.
    var ownMembers: JSONObject {
        [
            "market": market?.json ?? .null, "market_problem": JSON(marketProblem),
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
