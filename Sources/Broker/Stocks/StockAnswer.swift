internal import DataSources
internal import JSON
internal import Observability

/// Puts what the sources gave of a stock together. `DossierAPI.StockResource` reads it.
struct StockAnswer: Sendable {
    let ticker: Ticker
    /// The company as the SEC has it.
    let filer: StockReader.Outcome
    /// The company as the market has it.
    let profile: StockReader.Outcome
    let quote: StockReader.Outcome
    let fundamentals: StockReader.Outcome

    /// Nothing is shown of a ticker that no source knows; whether it is unknown can only be said when all have answered.
    func requireKnown() throws(APIError) {
        let identities = [filer, profile, quote]
        if identities.contains(where: { $0.value != nil }) { return }
        for case .failed(let error) in identities { throw APIError(error) }
        for case .pending in identities { throw .sourcesPending }
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
        guard filed != nil || listed != nil else { return .null }
        func market(_ key: String) -> JSON { listed?[key] ?? .null }
        func first(_ values: JSON?...) -> JSON { values.compactMap { $0 }.first { !$0.isNull } ?? .null }
        return [
            "name": first(filed?["name"], market("name")),
            "cik": JSON(filed?["cik"]?.integer.flatMap { CIK($0)?.padded }),
            "exchange": first(filed?["exchanges"]?[0], market("exchange")), "sector": market("sector"),
            "industry": first(market("industry"), filed?["industry"]),
            "industry_code": filed?["industry_code"] ?? .null, "country": market("country"),
            "currency": market("currency"), "fiscal_year_end": filed?["fiscal_year_end"] ?? .null,
            "website": market("website"), "ceo": market("ceo"), "description": market("description"),
            "employees": market("employees"), "beta": market("beta"), "ipo_date": market("ipo_date"),
            "is_etf": market("is_etf"),
        ]
    }

    private var quoteJSON: JSON {
        guard case .object(var body)? = quote.value?.json else { return .null }
        // A source writes the currency into the profile alone.
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
