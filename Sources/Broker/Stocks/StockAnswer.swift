internal import DataSources
internal import DossierAPI
internal import JSON
internal import Observability

/// Assembles a stock from its sources. `DossierAPI.StockResource` decodes the result.
struct StockAnswer: Sendable {
    let ticker: Ticker
    /// The company from the SEC.
    let filer: StockReader.Outcome
    /// The company from the market data source.
    let profile: StockReader.Outcome
    let quote: StockReader.Outcome
    let fundamentals: StockReader.Outcome

    /// Throws when no source has the stock. Only answers from all sources prove that the ticker is unknown.
    func requireKnown() throws(APIError) {
        let users = [filer, profile, quote]
        if StockReader.assetWithoutFilings(ticker) != nil || users.contains(where: { $0.value != nil }) { return }
        for case .failed(let error) in users { throw APIError(error) }
        for case .pending in users { throw .sourcesPending }
        if case (.notConfigured, .notConfigured) = (filer, profile) { throw .noSources }
        throw .stockNotFound(ticker.text)
    }

    var isHit: Bool { parts.allSatisfy(\.part.isHit) }

    var json: JSON {
        var body: JSONObject = [
            "ticker": JSON(ticker.text), "name": profileJSON["name"] ?? .null,
        ]
        for (name, part) in parts { body[name] = part.json }
        body["parts"] = .object(JSONObject(parts.map { ($0.name, $0.part.status) }))
        return .object(body)
    }

    private var parts: [(name: String, part: StockPart)] {
        [
            ("profile", StockPart(profileJSON, [(.edgar, filer), (.fmp, profile)])),
            ("quote", StockPart(quoteJSON, [(.fmp, quote)])),
            ("fundamentals", StockPart(headlineJSON, [(.edgar, fundamentals)])),
        ]
    }

    private var profileJSON: JSON {
        let (filed, listed) = (filer.value?.json, profile.value?.json)
        let (coin, fund) = (CryptoAsset.name(of: ticker.text), ListedFund.name(of: ticker.text))
        let asset = coin ?? fund
        guard filed != nil || listed != nil || asset != nil else { return .null }
        func market(_ key: String) -> JSON { listed?[key] ?? .null }
        func first(_ values: JSON?...) -> JSON { values.compactMap { $0 }.first { !$0.isNull } ?? .null }
        return [
            "name": first(asset.map { JSON($0) }, filed?["name"], market("name")),
            "cik": JSON(filed?["cik"]?.integer.flatMap { CIK($0)?.padded }),
            "exchange": first(filed?["exchanges"]?[0], market("exchange")), "sector": market("sector"),
            "industry": first(market("industry"), filed?["industry"]),
            "industry_code": filed?["industry_code"] ?? .null, "country": market("country"),
            "currency": market("currency"), "fiscal_year_end": filed?["fiscal_year_end"] ?? .null,
            "website": market("website"), "ceo": market("ceo"), "description": market("description"),
            "employees": market("employees"), "beta": market("beta"), "ipo_date": market("ipo_date"),
            "is_etf": fund == nil ? market("is_etf") : true, "is_crypto": .bool(coin != nil),
        ]
    }

    private var quoteJSON: JSON {
        guard case .object(var body)? = quote.value?.json else { return .null }
        // Only the profile has the currency.
        body["currency"] = profile.value?.json["currency"] ?? .null
        body["as_of"] = JSON(body["as_of"]?.integer.map { ISO8601.text(milliseconds: $0 * 1000) })
        body["source"] = JSON(DataSource.fmp.rawValue)
        return .object(body)
    }

    private var headlineJSON: JSON {
        guard let document = fundamentals.value?.json else { return .null }
        return [
            "currency": document["currency"] ?? .null, "latest_period_end": document["latest_period_end"] ?? .null,
            "figures": document["headline"] ?? [:],
        ]
    }
}

/// One part of a stock, with its origin. `DossierAPI.StockPartResource` decodes its status.
struct StockPart: Sendable {
    /// Null when it is not available.
    var json: JSON
    /// The reads that the answer rests on, each with its source.
    private let outcomes: [(source: DataSource, outcome: StockReader.Outcome)]

    /// - Parameters:
    ///   - json: The part; null when it is not available.
    ///   - outcomes: The reads that the answer rests on.
    init(_ json: JSON, _ outcomes: [(source: DataSource, outcome: StockReader.Outcome)]) {
        self.json = json
        self.outcomes = outcomes
    }

    private var values: [(source: DataSource, value: CachedValue)] {
        outcomes.compactMap { source, outcome in outcome.value.map { (source, $0) } }
    }

    /// Whether the cache held everything.
    var isHit: Bool {
        outcomes.allSatisfy { _, outcome in
            switch outcome {
            case .found(let value): value.isHit
            case .notConfigured, .filesNothing: true
            case .missing, .failed, .pending: false
            }
        }
    }

    var status: JSON {
        [
            "status": JSON(json.isNull ? absence : "ok"), "reason": JSON(reason), "code": JSON(code),
            "sources": JSON(values.map(\.source.rawValue)),
            "fetched_at": JSON(values.map(\.value.storedAt).min().map { ISO8601.text(milliseconds: $0) }),
            "is_stale": JSON(values.contains { $0.value.isStale }),
        ]
    }

    /// The state of a missing part: of several reasons, the most temporary one.
    private var absence: String {
        var states: Set<String> = []
        for (_, outcome) in outcomes {
            switch outcome {
            case .pending: states.insert("pending")
            case .failed: states.insert("unavailable")
            case .found, .missing, .filesNothing: states.insert("missing")
            case .notConfigured: states.insert("not_configured")
            }
        }
        return ["pending", "unavailable", "missing", "not_configured"].first { states.contains($0) } ?? "missing"
    }

    private var reason: String? {
        let reasons = outcomes.compactMap { source, outcome -> String? in
            switch outcome {
            case .found(let value): value.json.isNull ? "\(source.rawValue) does not have this." : nil
            case .missing(let error), .failed(let error): "\(error).".capitalizedFirst
            case .pending: "\(source.rawValue) has not answered yet."
            case .notConfigured(let reason), .filesNothing(let reason): reason
            }
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: " ")
    }

    private var code: String? {
        for case (_, .failed(let error)) in outcomes { return APIError(error).code.rawValue }
        return nil
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
