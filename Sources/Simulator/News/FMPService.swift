internal import Articles
internal import HTTP
internal import HTTPServer
internal import JSON

/// Financial Modeling Prep's news, quotes, prices, profiles and ratios of stocks. Every other endpoint has no records.
struct FMPService: Sendable {
    /// - Throws: the source's error, as an answer.
    func answer(_ request: ServiceRequest) throws(Refusal) -> Answer {
        guard request.request.query("apikey")?.isEmpty == false || request.request.headers["apikey"] != nil else {
            throw Refusal(answer: Answer(status: 401, json: ["Error Message": "Invalid API KEY."]))
        }
        guard request.path == "/stable/news/stock" else {
            let symbol = (request.request.query("symbol") ?? "").uppercased()
            let endpoint = String(request.path.dropFirst("/stable/".count))
            let range = (request.request.query("from"), request.request.query("to"))
            let records =
                FMPMarket.prices(endpoint, symbol: symbol, range, now: request.context.now)
                ?? FMPMarket.records(endpoint, symbol: symbol, now: request.context.now)
            return Answer(json: .array(records ?? []))
        }
        let symbols = (request.request.query("symbols") ?? "").uppercased().split(separator: ",").map(String.init)
        let page = max(request.request.query("page").flatMap { Int($0) } ?? 0, 0)
        let limit = min(max(request.request.query("limit").flatMap { Int($0) } ?? 20, 1), 250)
        let base = NewsSite.base(of: request)
        let found = SimulatedStory.all.sorted { $0.minutesAgo < $1.minutesAgo }.flatMap { story in
            story.tickers.filter { symbols.contains($0) }.map { (story, $0) }
        }
        let now = request.context.now
        // All pages beyond the last one are empty, with any number.
        let start = page.multipliedReportingOverflow(by: limit)
        let records = start.overflow ? [] : Array(found.dropFirst(start.partialValue).prefix(limit))
        return Answer(json: .array(records.map { Self.json($0.0, ticker: $0.1, base, now) }))
    }

    func failure(_ failure: ServiceFailure) -> Answer {
        switch failure.cause {
        case .status(let status):
            Answer(status: status == 529 ? 503 : status, json: ["Error Message": "Simulated failure."])
        case .rateLimit: Answer(status: 429, json: ["Error Message": "Limit Reach . Please upgrade your plan."])
        }
    }

    private static func json(_ story: SimulatedStory, ticker: String, _ base: String, _ now: Int64) -> JSON {
        let date = PublishedDate(secondsSinceEpoch: story.published(now: now)).description
        return [
            "symbol": JSON(ticker),
            // Without a zone, as the source writes it.
            "publishedDate": JSON(String(date.dropLast()).replacing("T", with: " ")),
            "publisher": JSON(story.publication), "title": JSON(story.title), "image": .null,
            "site": "simulated.example", "text": JSON(story.summary), "url": JSON(story.url(at: base)),
        ]
    }
}

/// Prices, profiles and ratios of the companies that the simulator carries, as Financial Modeling Prep has them. The
/// prices and the figures computed from them are made up.
enum FMPMarket {
    private struct Listing {
        var price: Double
        var previous: Double
        /// Shares outstanding, about.
        var shares: Double
        var sector: String
        var employees: String
        var founded: String
    }

    /// The listing of a symbol in `market.json`.
    private static func listing(_ symbol: String) -> Listing? {
        if let company = InventedCompany.all.first(where: { $0.ticker == symbol }) {
            return Listing(
                price: company.price, previous: company.price * 0.99, shares: company.shares * 1e6,
                sector: company.sector, employees: company.employees, founded: company.listed)
        }
        guard let entry = market[symbol], let price = entry["price"]?.double, let previous = entry["previous"]?.double,
            let shares = entry["shares"]?.double, let sector = entry["sector"]?.string,
            let employees = entry["employees"]?.string, let founded = entry["founded"]?.string
        else { return nil }
        return Listing(
            price: price, previous: previous, shares: shares, sector: sector, employees: employees, founded: founded)
    }

    private static let market = Resource.json(PackageResources.market_json)

    /// The prices over time; `nil` for another endpoint, and none for a symbol that is not carried.
    static func prices(_ endpoint: String, symbol: String, _ range: (String?, String?), now: Int64) -> [JSON]? {
        let fund = assets[symbol].flatMap { $0.isFund ? $0.price : nil }
        guard let price = listing(symbol)?.price ?? fund else { return nil }
        return SimulatedPrices.records(
            endpoint, symbol: symbol, price: price, from: range.0, to: range.1, now: now)
    }

    /// The records of an endpoint; none for a symbol that is not carried. `nil` for an endpoint that is not simulated.
    static func records(_ endpoint: String, symbol: String, now: Int64) -> [JSON]? {
        guard ["quote", "profile", "ratios-ttm", "key-metrics-ttm"].contains(endpoint) else { return nil }
        guard let listing = listing(symbol), let company = CompanyFile.all.first(where: { $0.ticker == symbol }) else {
            return asset(endpoint, symbol, now)
        }
        return switch endpoint {
        case "quote": [quote(company, listing, now)]
        case "profile": [profile(company, listing)]
        case "ratios-ttm":
            [
                [
                    "symbol": JSON(symbol), "priceToEarningsRatioTTM": JSON(priceToEarnings(company, listing)),
                    "currentRatioTTM": 1.5,
                ]
            ]
        default: [["symbol": JSON(symbol), "returnOnEquityTTM": 0.25]]
        }
    }

    // MARK: Coins and funds

    /// Symbols of coins and funds as the source writes them, with names and made-up prices.
    private static let assets: [String: (name: String, price: Double, isFund: Bool)] = [
        "BTCUSD": ("Bitcoin USD", 96_400, false), "ETHUSD": ("Ethereum USD", 3310, false),
        "SPY": ("SPDR S&P 500 ETF Trust", 612.5, true), "VOO": ("Vanguard S&P 500 ETF", 563.25, true),
        "VTI": ("Vanguard Total Stock Market ETF", 301.75, true), "QQQ": ("Invesco QQQ Trust", 528, true),
    ]

    private static func asset(_ endpoint: String, _ symbol: String, _ now: Int64) -> [JSON] {
        guard let asset = assets[symbol] else { return [] }
        let (exchange, previous) = (asset.isFund ? "AMEX" : "CRYPTO", (asset.price * 99.2).rounded() / 100)
        switch endpoint {
        case "quote":
            return [
                [
                    "symbol": JSON(symbol), "name": JSON(shown(asset.name)), "price": JSON(asset.price),
                    "changePercentage": 0.81, "change": JSON(((asset.price - previous) * 100).rounded() / 100),
                    "volume": 18_500_000, "dayLow": JSON(previous), "dayHigh": JSON(asset.price),
                    "yearHigh": JSON(asset.price * 1.25), "yearLow": JSON(asset.price * 0.75),
                    "exchange": JSON(exchange), "open": JSON(previous), "previousClose": JSON(previous),
                    "timestamp": JSON(now / 60 * 60), "simulated": true,
                ]
            ]
        case "profile":
            return [
                [
                    "symbol": JSON(symbol), "price": JSON(asset.price), "companyName": JSON(shown(asset.name)),
                    "currency": "USD", "exchange": JSON(exchange), "exchangeFullName": JSON(exchange),
                    "isEtf": .bool(asset.isFund), "isActivelyTrading": true, "simulated": true,
                ]
            ]
        default: return []
        }
    }

    /// By the earnings of the last year on file; 0 for a loss, as the source writes an unknown number.
    private static func priceToEarnings(_ company: CompanyFile, _ listing: Listing) -> Double {
        let earnings =
            company.concepts.first { $0.name == "EarningsPerShareDiluted" }?.facts
            .filter { $0.filing.form == "10-K" }.max { $0.end < $1.end }.flatMap { Double($0.value) } ?? 0
        return earnings > 0 ? (listing.price / earnings * 100).rounded() / 100 : 0
    }

    private static func quote(_ company: CompanyFile, _ listing: Listing, _ now: Int64) -> JSON {
        let change = listing.price - listing.previous
        return [
            "symbol": JSON(company.ticker), "name": JSON(shown(company.name)), "price": JSON(listing.price),
            "changePercentage": JSON((change / listing.previous * 10_000).rounded() / 100), "change": JSON(change),
            "volume": 41_250_000, "dayLow": JSON(listing.price - 2), "dayHigh": JSON(listing.price + 2),
            "yearHigh": JSON(listing.price + 40), "yearLow": JSON(listing.price - 60),
            "marketCap": JSON(listing.price * listing.shares), "exchange": JSON(company.exchange.uppercased()),
            "open": JSON(listing.previous + 0.5), "previousClose": JSON(listing.previous),
            // Of the last full minute, so that it stays for that long.
            "timestamp": JSON(now / 60 * 60), "simulated": true,
        ]
    }

    /// The name with the mark that some names have already.
    private static func shown(_ name: String) -> String {
        name.hasSuffix("(simulated)") ? name : name + " (simulated)"
    }

    private static func profile(_ company: CompanyFile, _ listing: Listing) -> JSON {
        [
            "symbol": JSON(company.ticker), "price": JSON(listing.price),
            "marketCap": JSON(listing.price * listing.shares), "beta": 1.1, "companyName": JSON(company.name),
            "simulated": true,
            "currency": "USD", "cik": JSON(company.paddedCIK), "exchange": JSON(company.exchange.uppercased()),
            "exchangeFullName": JSON(company.exchange), "industry": JSON(company.sicDescription),
            "sector": JSON(listing.sector), "country": "US", "website": "https://www.simulated.example",
            "description": JSON("\(company.name) as Dossier's simulator describes it."), "ceo": "Ada Example",
            "fullTimeEmployees": JSON(listing.employees), "ipoDate": JSON(listing.founded), "isEtf": false,
            "isActivelyTrading": true,
        ]
    }
}
