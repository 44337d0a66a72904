internal import DataSources
internal import DossierAPI
internal import HTTPServer
internal import JobQueue
internal import JSON
internal import Observability

/// `/api/v1/stocks`: companies, prices and figures, from the cache or their sources, at no charge.
struct StockRoutes: Sendable {
    private static let longestQuery = 100
    private static let periodKinds = ["annual", "quarter", "ttm", "all"]

    let reader: StockReader

    // MARK: One stock

    /// Profile, price and headline figures, fetched concurrently. A part that is not available is null, with a reason.
    func stock(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let ticker = try context.ticker()
        let reader = reader.asked(by: context.user)
        async let filer = reader.filer(ticker)
        async let profile = reader.profile(ticker)
        async let quote = reader.quote(ticker)
        async let fundamentals = reader.fundamentals(ticker)
        let stock = StockAnswer(
            ticker: ticker, filer: await filer, profile: await profile, quote: await quote,
            fundamentals: await fundamentals)
        try stock.requireKnown()
        return APIResponse(stock.json, cacheHit: stock.isHit)
    }

    /// The reported periods, newest first, each figure with its source; then the market's ratios where a key is set.
    func fundamentals(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let ticker = try context.ticker()
        let kind = context.query("period") ?? "annual"
        guard Self.periodKinds.contains(kind) else {
            throw .invalid("period", "must be one of \(Self.periodKinds.joined(separator: ", "))")
        }
        let limit = try context.queryInteger("limit", in: 1...100, default: 40)
        let reader = reader.asked(by: context.user)
        async let reported = reader.fundamentals(ticker)
        async let computed = reader.ratios(ticker)
        let (filings, ratios) = (await reported, await computed)
        // A list has no place for a reason: rows that a limit of the service took away are not left out silently.
        for case .failed(.callLimit(let source, let limit)) in [filings, ratios] {
            throw APIError(.callLimit(source, limit))
        }
        var elements: [JSON] = []
        if let document = filings.value?.json {
            elements = (document["periods"]?.array ?? []).filter { period in
                kind == "all" || period["period"]?["kind"]?.string == kind
            }.prefix(limit).map { period in
                [
                    "ticker": JSON(ticker.text), "period": period["period"] ?? .null,
                    "currency": document["currency"] ?? .null, "source": JSON(DataSource.edgar.rawValue),
                    "figures": period["figures"] ?? [:],
                ]
            }
        } else if ratios.value == nil {
            try await requireKnown(ticker, filings, reader)
        }
        if let figures = ratios.value?.json {
            elements.append([
                "ticker": JSON(ticker.text),
                "period": ["label": "TTM", "kind": "ttm", "start": .null, "end": .null],
                "currency": .null, "source": JSON(DataSource.fmp.rawValue), "figures": figures,
            ])
        }
        let isHit = StockPart(.null, [(.edgar, filings), (.fmp, ratios)]).isHit
        return APIResponse(.array(elements), pagination: Page.whole(of: elements), cacheHit: isHit)
    }

    /// A known company without reports (a fund, a new listing) has an empty list.
    private func requireKnown(
        _ ticker: Ticker, _ filings: StockReader.Outcome, _ reader: StockReader
    ) async throws(APIError) {
        if case .missing(.noData) = filings { return }
        if case .filesNothing = filings { return }
        try StockAnswer(
            ticker: ticker, filer: filings, profile: await reader.profile(ticker), quote: .missing(.cancelled),
            fundamentals: filings
        ).requireKnown()
        switch filings {
        case .failed(let error): throw APIError(error)
        case .pending: throw .sourcesPending
        case .notConfigured: throw .noSources
        case .found, .missing, .filesNothing: return
        }
    }

    // MARK: Search

    func search(_ context: RequestContext) async throws(APIError) -> APIResponse {
        guard let text = context.query("q"), !text.allSatisfy(\.isWhitespace) else {
            throw .invalid("q", "must be a ticker or part of a company's name")
        }
        guard text.utf8.count <= Self.longestQuery else {
            throw .invalid("q", "must have at most \(Self.longestQuery) bytes")
        }
        let limit = try context.queryInteger("limit", in: 1...50, default: 20)
        let directory = try await reader.asked(by: context.user).tickers()
        let matches: [JSON] = directory.matches(text, limit: limit).map { match in
            ["ticker": JSON(match.ticker), "name": JSON(match.name), "cik": JSON(match.cik?.padded)]
        }
        return APIResponse(.array(matches), pagination: Page.whole(of: matches))
    }
}

extension RequestContext {
    /// The ticker of the path, in the SEC's spelling.
    func ticker() throws(APIError) -> Ticker {
        do {
            return try Ticker(request.parameters["ticker"] ?? "")
        } catch {
            throw APIError(error)
        }
    }
}

/// `/api/v1/watchlist`: the stocks that a user watches. `PUT` and `DELETE` are idempotent.
struct WatchlistRoutes: Sendable {
    static let maxItems = 500

    let records: any WatchlistRepository
    let reader: StockReader

    func list(_ context: RequestContext) async throws(APIError) -> APIResponse {
        do {
            let items = try await records.watchlist(of: context.user).map(\.json)
            return APIResponse(.array(items), pagination: Page.whole(of: items))
        } catch {
            throw APIError(error)
        }
    }

    func put(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let ticker = try context.ticker()
        let name = try await reader.asked(by: context.user).name(of: ticker)
        let addition: WatchlistAddition
        do {
            addition = try await records.watch(
                ticker.text, name: name, by: context.user, limit: Self.maxItems)
        } catch {
            throw APIError(error)
        }
        switch addition {
        case .added(let item): return APIResponse(item.json, status: 201)
        case .existing(let item): return APIResponse(item.json)
        case .full:
            throw APIError(
                409, .conflict, "A watchlist holds at most \(Self.maxItems) stocks.",
                user: "Your watchlist is full. Remove a stock to add another.", details: ["reason": "list_full"])
        }
    }

    func delete(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let ticker = try context.ticker()
        do {
            let removed = try await records.unwatch(ticker.text, by: context.user)
            return APIResponse(["ticker": JSON(ticker.text), "removed": JSON(removed)])
        } catch {
            throw APIError(error)
        }
    }
}

extension WatchlistItem {
    var json: JSON {
        ["ticker": JSON(ticker), "name": JSON(name), "added_at": JSON(addedAt.iso8601)]
    }
}
