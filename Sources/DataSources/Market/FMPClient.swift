import Articles
package import Basics
import FoundationEssentials
package import HTTP
import JSON

/// The market data shown beside a stock's filings; `FMPClient` in production.
package protocol StockMarketSource: Sendable {
    /// The latest quote of a ticker; `nil` when the source knows no such ticker.
    func quote(of ticker: Ticker) async throws(DataSourceError) -> StockQuote?

    /// The company's profile; `nil` when the source knows no such ticker.
    func profile(of ticker: Ticker) async throws(DataSourceError) -> StockProfile?

    /// Ratios over the trailing twelve months, those that there are.
    func ratios(of ticker: Ticker) async throws(DataSourceError) -> [StockRatio]
}

/// Gives the market data of a company; `FMPClient` in production, anything in tests.
package protocol MarketDataSource: Sendable {
    /// Price and profile of a ticker, which may be in any spelling that `Ticker` accepts.
    func marketData(_ ticker: String) async throws(DataSourceError) -> MarketData
}

/// Reads Financial Modeling Prep's stable API. Only the address of a request contains the key: no error
/// carries an address or a body.
package struct FMPClient: MarketDataSource {
    /// The address of the API unless a base is configured; without a slash at the end.
    package static let defaultBase = "https://financialmodelingprep.com/stable"

    private let base: String
    private let key: Secret
    private let transport: any HTTPTransport
    private let cache: MemoryCache<Ticker, MarketData>

    /// A client for one account. The key is sent percent-encoded, so any text is safe.
    package init(
        key: Secret, base: String? = nil, transport: any HTTPTransport, time: TimeSource = .system
    ) {
        var base = base ?? Self.defaultBase
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.key = key
        self.transport = transport
        cache = MemoryCache(lifetime: .seconds(60), capacity: 512, time: time)
    }

    /// Profile and quote of a ticker. A quote that the plan does not include is left out: the profile has a price too.
    ///
    /// - Throws: `notFound` when the source knows no such ticker.
    package func marketData(_ text: String) async throws(DataSourceError) -> MarketData {
        let ticker = try Ticker(text)
        return try await cache.value(for: ticker) { () async throws(DataSourceError) in try await fetch(ticker) }
    }

    private func fetch(_ ticker: Ticker) async throws(DataSourceError) -> MarketData {
        let profile = try await record("profile", ticker)
        let quote: JSON?
        do throws(DataSourceError) {
            quote = try await record("quote", ticker)
        } catch {
            guard case .notCovered = error, profile != nil else { throw error }
            quote = nil
        }
        guard profile != nil || quote != nil else { throw .notFound(ticker: ticker.text) }
        func text(_ key: String) -> String? { profile?[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        // The source writes 0 for an unknown number.
        func positive(_ json: JSON?) -> Decimal? {
            json?.number.flatMap { Decimal(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
        }
        let quoted = positive(quote?["price"])
        var data = MarketData(
            ticker: ticker, source: .fmp, price: quoted ?? positive(profile?["price"]), currency: text("currency"),
            marketCap: positive(quote?["marketCap"]) ?? positive(profile?["marketCap"]),
            asOf: quoted == nil ? nil : quote?["timestamp"]?.integer,
            companyName: text("companyName") ?? quote?["name"]?.string, sector: text("sector"),
            industry: text("industry"), country: text("country"),
            exchange: text("exchange") ?? quote?["exchange"]?.string,
            beta: profile?["beta"]?.number.flatMap { Decimal(exactly: $0) }, description: text("description"))
        data.isSimulated = [quote, profile].contains { $0?["simulated"] == true }
        return data
    }

    /// The first record of an endpoint; `nil` when it has none.
    func record(_ path: String, _ ticker: Ticker) async throws(DataSourceError) -> JSON? {
        let symbol = CryptoAsset.name(of: ticker.text) == nil ? ticker.text : CryptoAsset.pair(of: ticker.text)
        return try await records(path, [("symbol", symbol)], about: ticker.text).first { $0.object != nil }
    }

    /// The records of an endpoint.
    ///
    /// `about`: the ticker or tickers that errors name.
    func records(_ path: String, _ query: [(String, String)], about: String) async throws(DataSourceError) -> [JSON] {
        try SourceCalls.begin(.fmp)
        var limits = HTTPLimits()
        limits.total = .seconds(30)
        limits.body = 4 << 20
        let response: HTTPResponse
        do throws(HTTPClientError) {
            response = try await transport.send(
                HTTPRequest(
                    .get, URLPath.join(base, path, query: query + [("apikey", key.reveal())]),
                    headers: ["Accept": "application/json"], limits: limits))
        } catch {
            throw DataSourceError(error, from: .fmp)
        }
        let body = try? JSON(parsing: response.body).mapStrings(\.sanitized)
        if response.status == 200, let records = body?.array { return records }
        throw Self.failure(response, body, about)
    }

    /// Errors come as statuses, as plain text, and as an object with the status 200.
    private static func failure(_ response: HTTPResponse, _ body: JSON?, _ ticker: String) -> DataSourceError {
        let message = (body?["Error Message"]?.string ?? String(response.text.prefix(2000))).lowercased()
        let hint = "the key is missing or not valid (FMP_API_KEY)"
        switch response.status {
        case 402: return .notCovered(.fmp, ticker: ticker)
        case 401: return .forbidden(.fmp, hint: hint)
        case 403: return .forbidden(.fmp, hint: "the key does not open this endpoint (FMP_API_KEY)")
        default: break
        }
        if let known = DataSourceError(status: response.status, headers: response.headers, from: .fmp) { return known }
        if message.contains("limit reach") {
            return .rateLimited(.fmp, retryAfter: DataSourceError.retryAfter(response.headers))
        }
        if message.contains("api key") { return .forbidden(.fmp, hint: hint) }
        if ["premium", "exclusive", "subscription", "not available under"].contains(where: message.contains) {
            return .notCovered(.fmp, ticker: ticker)
        }
        return response.status == 404
            ? .notFound(ticker: ticker)
            : .unexpected(.fmp, problem: "HTTP \(response.status) without a list of records")
    }
}

/// None of these is cached here: the caller has a cache that all brokers share.
extension FMPClient: StockMarketSource {
    package func quote(of ticker: Ticker) async throws(DataSourceError) -> StockQuote? {
        try await record("quote", ticker).flatMap { StockQuote(fmp: $0) }
    }

    package func profile(of ticker: Ticker) async throws(DataSourceError) -> StockProfile? {
        try await record("profile", ticker).map { StockProfile(fmp: $0) }
    }

    package func ratios(of ticker: Ticker) async throws(DataSourceError) -> [StockRatio] {
        var ratios: [StockRatio] = []
        for endpoint in ["ratios-ttm", "key-metrics-ttm"] {
            if let record = try await record(endpoint, ticker) { ratios += StockRatio.read(record, from: endpoint) }
        }
        return ratios
    }
}

extension FMPClient {
    /// News of stocks, newest first.
    ///
    /// - `tickers`: in any spelling that `Ticker` accepts.
    /// - `from`: `YYYY-MM-DD`, as is `to`.
    /// - `page`: from 0.
    /// - `limit`: 1 to 250.
    /// - Throws: `invalidTicker`, `notCovered` where the plan has no news.
    package func stockNews(
        of tickers: [String], from: String? = nil, to: String? = nil, page: Int = 0, limit: Int = 50
    ) async throws(DataSourceError) -> NewsPage {
        var symbols: [String] = []
        for ticker in tickers { symbols.append(try Ticker(ticker).text) }
        let list = symbols.joined(separator: ",")
        let query: [(String, String?)] = [
            ("symbols", list), ("from", from), ("to", to), ("page", "\(max(page, 0))"),
            ("limit", "\(min(max(limit, 1), 250))"),
        ]
        let records = try await records(
            "news/stock", query.compactMap { name, value in value.map { (name, $0) } }, about: list)
        return NewsPage(items: records.compactMap(Self.item))
    }

    private static func item(_ json: JSON) -> NewsItem? {
        func text(_ key: String) -> String? { json[key]?.string.map(HTMLText.line).flatMap { $0.isEmpty ? nil : $0 } }
        guard let title = text("title"), let url = json["url"]?.string, WebAddress(url).isWeb else { return nil }
        return NewsItem(
            title: title, url: url, summary: text("text"), image: json["image"]?.string,
            publication: text("publisher") ?? text("site"),
            // The source writes no zone and documents none; UTC errs by hours at most.
            publishedAt: json["publishedDate"]?.string.flatMap { PublishedDate($0) },
            tickers: text("symbol").map { [$0] } ?? [])
    }
}
