package import DataSources
internal import JobQueue
internal import JSON
internal import Prices

/// Reads the parts of a stock through the cache.
struct StockReader: Sendable {
    /// The outcome of one read.
    enum Outcome: Sendable {
        case found(CachedValue)
        /// The source has no such data.
        case missing(DataSourceError)
        case failed(DataSourceError)
        /// The timeout passed; the fetch goes on.
        case pending
        /// The subject is no company and files nothing, with the reason.
        case filesNothing(String)
        /// No source is configured, with the reason.
        case notConfigured(String)

        /// The value that was found; `nil` for null.
        var value: CachedValue? {
            if case .found(let value) = self, !value.json.isNull { value } else { nil }
        }
    }

    /// The version of the documents' form, a part of the cache key, so that no version reads an unknown form.
    private static let formVersion = "2:"

    let sources: StockSources
    let cache: DocumentCache<DataSourceError>
    let calls: SourceCallLimiter
    /// `nil` without a source of prices.
    private let history: PriceHistory?
    /// The user whose request is answered.
    private(set) var requester: UserID = .system

    /// Makes a reader; `now` gives milliseconds since 1970.
    init(
        sources: StockSources, cache: DocumentCache<DataSourceError>, calls: SourceCallLimiter,
        now: @escaping @Sendable () -> Int64
    ) {
        (self.sources, self.cache, self.calls) = (sources, cache, calls)
        history = sources.prices.map { PriceHistory($0, cache: cache, now: now) }
    }

    /// The reader for the request of a user, whose calls to sources count against the user's limit.
    func asked(by user: UserID) -> StockReader {
        var reader = self
        reader.requester = user
        return reader
    }

    /// The company from the SEC: a `Company`.
    func filer(_ ticker: Ticker) async -> Outcome {
        if CryptoAsset.name(of: ticker.text) != nil { return Self.noFilings(ticker) }
        let found = await filings(CacheKey(.profile, Self.formVersion + "sec:" + ticker.text)) {
            source throws(DataSourceError) in
            try await source.company(ticker.text).json
        }
        // Some funds are on the SEC's list; the others are known nevertheless.
        if case .missing(.notFound) = found, Self.assetWithoutFilings(ticker) != nil { return Self.noFilings(ticker) }
        return found
    }

    /// The company from the market data source: a `StockProfile`; null when the source does not know it.
    func profile(_ ticker: Ticker) async -> Outcome {
        await market(ticker, CacheKey(.profile, Self.formVersion + "fmp:" + ticker.text)) {
            source throws(DataSourceError) in
            try await source.profile(of: ticker)?.json ?? .null
        }
    }

    /// A `StockQuote`; null when the source does not know it.
    func quote(_ ticker: Ticker) async -> Outcome {
        await market(ticker, CacheKey(.quote, Self.formVersion + ticker.text)) { source throws(DataSourceError) in
            try await source.quote(of: ticker)?.json ?? .null
        }
    }

    /// The company's reported figures, as `FundamentalsDocument` renders them.
    func fundamentals(_ ticker: Ticker) async -> Outcome {
        if Self.assetWithoutFilings(ticker) != nil { return Self.noFilings(ticker) }
        return await filings(CacheKey(.fundamentals, Self.formVersion + ticker.text)) {
            source throws(DataSourceError) in
            FundamentalsDocument.json(of: try await source.fundamentals(ticker.text))
        }
    }

    /// The market's ratios, as figures by name.
    func ratios(_ ticker: Ticker) async -> Outcome {
        await market(ticker, CacheKey(.ratios, Self.formVersion + ticker.text)) { source throws(DataSourceError) in
            FundamentalsDocument.json(of: try await source.ratios(of: ticker))
        }
    }

    /// The prices of a ticker over time.
    func prices(_ ticker: Ticker, _ timeframe: Timeframe) async -> Result<PriceHistory.Answer, PriceReadFailure> {
        guard let history else { return .failure(.noSource) }
        let answer = await Timeout.run(within: sources.timeout) {
            await counted { () async throws(DataSourceError) in try await history.prices(of: ticker, timeframe) }
        }
        return switch answer {
        case .success(let prices): .success(prices)
        case .failure(.cancelled), nil: .failure(.pending)
        case .failure(let error): .failure(.source(error))
        }
    }

    /// The name of a crypto asset or a fund, which files no reports of a company; `nil` for other tickers.
    static func assetWithoutFilings(_ ticker: Ticker) -> String? {
        CryptoAsset.name(of: ticker.text) ?? ListedFund.name(of: ticker.text)
    }

    /// A crypto asset is no company, nor is a fund.
    private static func noFilings(_ ticker: Ticker) -> Outcome {
        if let coin = CryptoAsset.name(of: ticker.text) {
            return .filesNothing("\(coin) is a crypto asset and no company, so it files no reports.")
        }
        let fund = ListedFund.name(of: ticker.text) ?? ticker.text
        return .filesNothing("\(fund) is a fund, so it reports what it holds and no figures of a company.")
    }

    // MARK: Tickers

    /// Refuses a ticker that no company of the SEC's list has. A list that is not there within `listWait` decides
    /// nothing: the job reads it again.
    ///
    /// - Throws: `stockNotFound`.
    func requireListed(_ ticker: Ticker) async throws(APIError) {
        guard let companies = sources.companies else { return }
        let answer = await Timeout.run(within: min(sources.timeout, Self.listWait)) {
            await counted { () async throws(DataSourceError) in try await companies.tickers() }
        }
        if case .success(let directory) = answer, directory[ticker] == nil { throw .stockNotFound(ticker.text) }
    }

    private static let listWait = Duration.seconds(2)

    /// What a body reads from the filings; the download goes on when the time is over.
    func filed<Value: Sendable>(
        _ body: @escaping @Sendable (FilingLibrary) async throws(DataSourceError) -> Value
    ) async throws(APIError) -> Value {
        guard let library = sources.library else { throw .noSources }
        let answer = await Timeout.run(within: sources.timeout) {
            await counted { () async throws(DataSourceError) in try await body(library) }
        }
        switch answer {
        case .success(let value): return value
        case .failure(.cancelled), nil: throw .sourcesPending
        case .failure(let error): throw APIError(error)
        }
    }

    /// The newest annual or quarterly report of a company that is known within a time; `nil` for what files none.
    func newestReport(_ ticker: Ticker, within limit: Duration) async -> FilingEntry? {
        guard let library = sources.library, Self.assetWithoutFilings(ticker) == nil else { return nil }
        let answer = await Timeout.run(within: limit) {
            await counted { () async throws(DataSourceError) in await library.currentReport(ticker) }
        }
        if case .success(let entry?) = answer { return entry }
        return await library.newestReport(ticker)
    }

    /// All tickers.
    func tickers() async throws(APIError) -> TickerDirectory {
        guard let companies = sources.companies else { throw .noSources }
        let answer = await Timeout.run(within: sources.timeout) {
            await counted { () async throws(DataSourceError) in try await companies.tickers() }
        }
        switch answer {
        case .success(let directory): return directory
        case .failure(let error): throw APIError(error)
        case nil: throw .sourcesPending
        }
    }

    /// The name of the company with a ticker; `nil` when no source can be read now.
    ///
    /// - Throws: `stockNotFound` when every configured source has answered and none knows the ticker.
    func name(of ticker: Ticker) async throws(APIError) -> String? {
        if let name = Self.assetWithoutFilings(ticker) { return name }
        var isSure = sources.companies != nil || sources.market != nil
        if sources.companies != nil {
            do {
                if let entry = try await tickers()[ticker] { return entry.title }
            } catch {
                isSure = false
            }
        }
        let profile = await profile(ticker)
        if let known = profile.value { return known.json["name"]?.string }
        switch profile {
        case .found, .filesNothing, .notConfigured, .missing(.notFound): break
        case .missing, .failed, .pending: isSure = false
        }
        if isSure { throw .stockNotFound(ticker.text) }
        return nil
    }

    // MARK: Sources

    private func filings(
        _ key: CacheKey, _ fetch: @escaping @Sendable (any CompanyDirectorySource) async throws(DataSourceError) -> JSON
    ) async -> Outcome {
        guard let source = sources.companies else {
            return .notConfigured("The service has no contact address for the SEC.")
        }
        return await read(key) { () async throws(DataSourceError) in try await fetch(source) }
    }

    /// A part from the market data source, whose calls are few: it is not asked for a ticker that the SEC's list does
    /// not have, unless the list is away.
    private func market(
        _ ticker: Ticker, _ key: CacheKey,
        _ fetch: @escaping @Sendable (any StockMarketSource) async throws(DataSourceError) -> JSON
    ) async -> Outcome {
        guard let source = sources.market else {
            return .notConfigured("The service has no key for \(DataSource.fmp.rawValue).")
        }
        let isListed = Self.assetWithoutFilings(ticker) == nil
        if isListed, cache.known(key) == nil, sources.companies != nil, let known = try? await tickers(),
            known[ticker] == nil
        {
            return .missing(.notFound(ticker: ticker.text))
        }
        return await read(key) { () async throws(DataSourceError) in try await fetch(source) }
    }

    private func read(
        _ key: CacheKey, _ fetch: @escaping @Sendable () async throws(DataSourceError) -> JSON
    ) async -> Outcome {
        // A cached value needs no timeout.
        if cache.known(key) != nil { return await outcome(key, fetch) }
        return await Timeout.run(within: sources.timeout) { await outcome(key, fetch) } ?? .pending
    }

    private func outcome(
        _ key: CacheKey, _ fetch: @escaping @Sendable () async throws(DataSourceError) -> JSON
    ) async -> Outcome {
        switch await counted({ () async throws(DataSourceError) in try await cache.value(for: key, fetch: fetch) }) {
        case .success(let value): .found(value)
        case .failure(let error):
            switch error {
            case .notFound, .noData, .notCovered: .missing(error)
            case .cancelled: .pending
            default: .failed(error)
            }
        }
    }

    /// Runs a read whose calls to sources count for the requester.
    ///
    /// A read that joined the fetch of another user, who had no call left, runs again.
    private func counted<Value: Sendable>(
        _ read: @Sendable () async throws(DataSourceError) -> Value
    ) async -> Result<Value, DataSourceError> {
        while true {
            let result = await SourceCalls.$limiter.withValue(calls.limiter(for: requester)) {
                () async -> Result<Value, DataSourceError> in
                do throws(DataSourceError) {
                    return .success(try await read())
                } catch {
                    return .failure(error)
                }
            }
            if case .failure(.callLimit(_, let limit)) = result, let user = limit.user, user != requester { continue }
            return result
        }
    }
}

/// A broker's sources of stock data, which it reads through the cache.
package struct StockSources: Sendable {
    /// Filings and the list of tickers; `nil` without a contact address for the SEC.
    package var companies: (any CompanyDirectorySource)?
    /// Prices; `nil` without a key.
    package var market: (any StockMarketSource)?
    /// Prices over time; `nil` without a source.
    package var prices: (any PriceSource)?
    /// The text of filings; `nil` without a contact address for the SEC.
    package var library: FilingLibrary?
    /// The longest time that a response waits for a part; a later answer goes into the cache.
    package var timeout: Duration

    package init(
        companies: (any CompanyDirectorySource)? = nil, market: (any StockMarketSource)? = nil,
        prices: (any PriceSource)? = nil, library: FilingLibrary? = nil, timeout: Duration = .seconds(10)
    ) {
        self.companies = companies
        self.market = market
        self.prices = prices
        self.library = library
        self.timeout = timeout
    }
}

/// Runs work with a time limit.
enum Timeout {
    /// The value of the body, or `nil` after the limit, when the body's task is cancelled.
    static func run<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await body() }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
