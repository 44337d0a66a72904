package import DataSources
internal import JSON

/// Reads what is shown of a stock, through the cache.
struct StockReader: Sendable {
    /// What became of one question.
    enum Outcome: Sendable {
        case found(CachedValue)
        /// The source knows the ticker, or not, but has nothing of this.
        case missing(DataSourceError)
        case failed(DataSourceError)
        /// It did not come in time; it is still being fetched.
        case pending
        /// Why nobody could be asked.
        case notConfigured(String)

        /// What was found; null counts as nothing.
        var value: CachedValue? {
            if case .found(let value) = self, !value.json.isNull { value } else { nil }
        }
    }

    /// Documents of another shape have another name, so that none is read by a version that does not know it.
    private static let shape = "1:"

    let sources: StockSources
    let cache: DocumentCache<DataSourceError>

    /// The company as the SEC has it: a `Company`.
    func filer(_ ticker: Ticker) async -> Outcome {
        await filings(CacheKey(.profile, Self.shape + "sec:" + ticker.text)) { source throws(DataSourceError) in
            try await source.company(ticker.text).json
        }
    }

    /// The company as the market has it: a `StockProfile`; null when the source does not know it.
    func profile(_ ticker: Ticker) async -> Outcome {
        await market(CacheKey(.profile, Self.shape + "fmp:" + ticker.text)) { source throws(DataSourceError) in
            try await source.profile(of: ticker)?.json ?? .null
        }
    }

    /// A `StockQuote`; null when the source does not know it.
    func quote(_ ticker: Ticker) async -> Outcome {
        await market(CacheKey(.quote, Self.shape + ticker.text)) { source throws(DataSourceError) in
            try await source.quote(of: ticker)?.json ?? .null
        }
    }

    /// What the company has reported, as `FundamentalsDocument` writes it.
    func fundamentals(_ ticker: Ticker) async -> Outcome {
        await filings(CacheKey(.fundamentals, Self.shape + ticker.text)) { source throws(DataSourceError) in
            FundamentalsDocument.json(of: try await source.fundamentals(ticker.text))
        }
    }

    /// The market's ratios, as figures by name.
    func ratios(_ ticker: Ticker) async -> Outcome {
        await market(CacheKey(.ratios, Self.shape + ticker.text)) { source throws(DataSourceError) in
            FundamentalsDocument.json(of: try await source.ratios(of: ticker))
        }
    }

    // MARK: Tickers

    /// The list of all tickers.
    func tickers() async throws(APIError) -> TickerDirectory {
        guard let companies = sources.companies else { throw .noSources }
        let answer = await Timeout.wait(sources.timeout) { () -> Result<TickerDirectory, DataSourceError> in
            do throws(DataSourceError) {
                return .success(try await companies.tickers())
            } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .success(let directory): return directory
        case .failure(let error): throw APIError(error)
        case nil: throw .sourcesPending
        }
    }

    /// What the company behind a ticker is called; `nil` when nobody can be asked now.
    ///
    /// - Throws: `stockNotFound` when every source that there is has answered and none knows the ticker.
    func name(of ticker: Ticker) async throws(APIError) -> String? {
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
        case .found, .notConfigured, .missing(.notFound): break
        case .missing, .failed, .pending: isSure = false
        }
        if isSure { throw .stockNotFound(ticker.text) }
        return nil
    }

    // MARK: Asking

    private func filings(
        _ key: CacheKey, _ fetch: @escaping @Sendable (any CompanyDirectorySource) async throws(DataSourceError) -> JSON
    ) async -> Outcome {
        guard let source = sources.companies else { return .notConfigured("The service has no contact for the SEC.") }
        return await ask(key) { () async throws(DataSourceError) in try await fetch(source) }
    }

    private func market(
        _ key: CacheKey, _ fetch: @escaping @Sendable (any StockMarketSource) async throws(DataSourceError) -> JSON
    ) async -> Outcome {
        guard let source = sources.market else {
            return .notConfigured("The service has no key for \(DataSource.fmp.rawValue).")
        }
        return await ask(key) { () async throws(DataSourceError) in try await fetch(source) }
    }

    private func ask(
        _ key: CacheKey, _ fetch: @escaping @Sendable () async throws(DataSourceError) -> JSON
    ) async -> Outcome {
        // What is there is given out at once, however little patience there is.
        if cache.known(key) != nil { return await outcome(key, fetch) }
        return await Timeout.wait(sources.timeout) { await outcome(key, fetch) } ?? .pending
    }

    private func outcome(
        _ key: CacheKey, _ fetch: @escaping @Sendable () async throws(DataSourceError) -> JSON
    ) async -> Outcome {
        do throws(DataSourceError) {
            return .found(try await cache.value(for: key, fetch: fetch))
        } catch {
            switch error {
            case .notFound, .noData, .notCovered: return .missing(error)
            case .cancelled: return .pending
            default: return .failed(error)
            }
        }
    }
}

/// Whom the broker asks about stocks. Answers go through the cache; no model is asked.
package struct StockSources: Sendable {
    /// Filings and the list of tickers; `nil` where no contact for the SEC is set.
    package var companies: (any CompanyDirectorySource)?
    /// Prices; `nil` where no key is set.
    package var market: (any StockMarketSource)?
    /// How long an answer waits for a part; what comes later is there for the next one.
    package var timeout: Duration

    package init(
        companies: (any CompanyDirectorySource)? = nil, market: (any StockMarketSource)? = nil,
        timeout: Duration = .seconds(10)
    ) {
        self.companies = companies
        self.market = market
        self.timeout = timeout
    }
}

/// Waiting for something, but not for long.
enum Timeout {
    /// What the body gives, or `nil` when the time is up; the body's task is cancelled then.
    static func wait<Value: Sendable>(
        _ time: Duration, for body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await body() }
            group.addTask {
                try? await Task.sleep(for: time)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
