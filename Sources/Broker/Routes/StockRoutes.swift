internal import DataSources
internal import HTTPServer
internal import JSON
internal import Observability

/// `/api/v1/stocks`: companies, prices and figures, from the cache or their sources. Nothing here is charged.
struct StockRoutes: Sendable {
    private static let longestQuery = 100
    private static let periodKinds = ["annual", "quarter", "ttm", "all"]

    let reader: StockReader

    // MARK: One stock

    /// Profile, price and the figures at the head, fetched at the same time. What cannot be had is null, and says why.
    func stock(_ call: Call) async throws(APIError) -> Reply {
        let ticker = try call.ticker()
        async let filer = reader.filer(ticker)
        async let profile = reader.profile(ticker)
        async let quote = reader.quote(ticker)
        async let fundamentals = reader.fundamentals(ticker)
        let stock = StockAnswer(
            ticker: ticker, filer: await filer, profile: await profile, quote: await quote,
            fundamentals: await fundamentals)
        try stock.requireKnown()
        return Reply(stock.json, cacheHit: stock.isHit)
    }

    /// The reported periods, newest first, each figure with its source; then the market's ratios where there is a key.
    func fundamentals(_ call: Call) async throws(APIError) -> Reply {
        let ticker = try call.ticker()
        let kind = call.request.query("period") ?? "annual"
        guard Self.periodKinds.contains(kind) else {
            throw .invalid("period", "must be one of \(Self.periodKinds.joined(separator: ", "))")
        }
        let limit = try call.queryInteger("limit", in: 1...100, default: 40)
        async let reported = reader.fundamentals(ticker)
        async let computed = reader.ratios(ticker)
        let (filings, ratios) = (await reported, await computed)
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
            try await requireKnown(ticker, filings)
        }
        if let figures = ratios.value?.json {
            elements.append([
                "ticker": JSON(ticker.text),
                "period": ["label": "TTM", "kind": "ttm", "start": .null, "end": .null],
                "currency": .null, "source": JSON(DataSource.fmp.rawValue), "figures": figures,
            ])
        }
        let isHit = StockPart(.null, [(.edgar, filings), (.fmp, ratios)]).isHit
        return Reply(.array(elements), cacheHit: isHit)
    }

    /// A company may be known and have reported nothing: a fund, a new listing. That is an empty list.
    private func requireKnown(_ ticker: Ticker, _ filings: StockReader.Outcome) async throws(APIError) {
        if case .missing(.noData) = filings { return }
        try StockAnswer(
            ticker: ticker, filer: filings, profile: await reader.profile(ticker), quote: .missing(.cancelled),
            fundamentals: filings
        ).requireKnown()
        switch filings {
        case .failed(let error): throw APIError(error)
        case .pending: throw .sourcesPending
        case .notConfigured: throw .noSources
        case .found, .missing: return
        }
    }

    // MARK: Search

    func search(_ call: Call) async throws(APIError) -> Reply {
        guard let text = call.request.query("q"), !text.allSatisfy(\.isWhitespace) else {
            throw .invalid("q", "must be a ticker or a part of a company's name")
        }
        guard text.utf8.count <= Self.longestQuery else {
            throw .invalid("q", "must have at most \(Self.longestQuery) bytes")
        }
        let limit = try call.queryInteger("limit", in: 1...50, default: 20)
        let directory = try await reader.tickers()
        return Reply(
            .array(
                directory.search(text, limit: limit).map { entry in
                    [
                        "ticker": JSON(entry.ticker.text), "name": JSON(entry.title), "cik": JSON(entry.cik.padded),
                    ]
                }))
    }
}

extension Call {
    /// The ticker of the path, in the SEC's spelling.
    func ticker() throws(APIError) -> Ticker {
        do {
            return try Ticker(request.parameters["ticker"] ?? "")
        } catch {
            throw APIError(error)
        }
    }
}
