internal import Basics
internal import DossierAPI
internal import JobQueue
internal import JSON
internal import News

/// `/v1/preferences`: the user's holdings, the amount of other news to show, the time zone and the language.
struct PreferencesRoutes: Sendable {
    let preferences: any PreferencesRepository

    func get(_ context: RequestContext) async throws(APIError) -> APIResponse {
        do {
            return APIResponse(try await preferences.preferences(of: context.user).json)
        } catch {
            throw APIError(error)
        }
    }

    func put(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let change = try PreferencesRequest(try context.body()).change
        let changed: Preferences
        do {
            changed = try await preferences.change(preferencesOf: context.user, change)
        } catch {
            throw APIError(error)
        }
        return APIResponse([
            "success": true, "focus_profile": JSON(changed.focus.rawValue),
            "holdings_count": JSON(changed.holdings.count), "time_zone": JSON(changed.timeZone),
            "language": JSON(changed.language?.rawValue),
        ])
    }
}

extension Preferences {
    /// The preferences, with all fields of the answer to a change, so that one client type reads both.
    var json: JSON {
        [
            "success": true, "focus_profile": JSON(focus.rawValue), "holdings_count": JSON(holdings.count),
            "holdings": .array(
                holdings.map { ["ticker": JSON($0.ticker), "label": JSON($0.label), "notes": JSON($0.notes)] }),
            "time_zone": JSON(timeZone), "language": JSON(language?.rawValue),
            "updated_at": JSON(updatedAt?.iso8601),
        ]
    }
}

/// The body of `PUT /v1/preferences`: `focus_profile`, `holdings`, `time_zone` and `language`, each of which may be left
/// out. A zone or a language of null is forgotten.
struct PreferencesRequest: Sendable {
    static let mostHoldings = 200
    /// In Unicode scalars, each of which has up to four bytes.
    static let longestLabel = 100
    static let longestNotes = 1000

    let change: PreferencesChange

    /// - Throws: `invalid` by the name of the field.
    init(_ body: JSONField) throws(APIError) {
        try body.allowOnly(["focus_profile", "holdings", "time_zone", "language"])
        var change = PreferencesChange()
        if let field = body["focus_profile"].optional {
            let word = try Self.read { () throws(JSONFieldError) in try field.string() }
            guard let focus = FocusProfile(rawValue: word) else {
                let known = FocusProfile.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid(field.path, "must be one of \(known)")
            }
            change.focus = focus
        }
        if let field = body["holdings"].optional {
            let fields = try Self.read { () throws(JSONFieldError) in try field.array() }
            guard fields.count <= Self.mostHoldings else {
                throw .invalid(field.path, "must have at most \(Self.mostHoldings) elements")
            }
            var holdings: [Holding] = []
            for field in fields { holdings.append(try Self.holding(field)) }
            change.holdings = Self.merged(holdings)
        }
        change.timeZone = try Self.timeZone(body)
        change.language = try Self.language(body)
        self.change = change
    }

    /// The name of a time zone; empty for null, `nil` when it is left out.
    private static func timeZone(_ body: JSONField) throws(APIError) -> String? {
        let field = body["time_zone"]
        guard let value = field.value else { return nil }
        if value == .null { return "" }
        let name = try read { () throws(JSONFieldError) in try field.string() }
        guard ZoneOffsets(named: name) != nil else {
            throw .invalid(field.path, "must be a time zone of the IANA database, such as Europe/Berlin")
        }
        return name
    }

    /// The tag of a supported language; empty for null, `nil` when it is left out.
    static func language(_ body: JSONField) throws(APIError) -> String? {
        let field = body["language"]
        guard let value = field.value else { return nil }
        if value == .null { return "" }
        guard let language = Language(tag: try read { () throws(JSONFieldError) in try field.string() }) else {
            throw .unknownLanguage(field.path)
        }
        return language.rawValue
    }

    /// A ticker, or an object with a ticker, a label and notes.
    private static func holding(_ field: JSONField) throws(APIError) -> Holding {
        guard field.value?.object != nil else {
            guard field.value?.string != nil else {
                throw .invalid(field.path, "must be a ticker or an object with a ticker")
            }
            return Holding(ticker: try ticker(field))
        }
        for key in field.value?.object?.keys ?? []
        where !["ticker", "label", "notes"].contains(where: key.hasSameBytes) {
            throw .invalid("\(field.path).\(key)", "is not a known field; allowed are ticker, label, notes")
        }
        return Holding(
            ticker: try ticker(field["ticker"]), label: try text(field["label"], upTo: longestLabel),
            notes: try text(field["notes"], upTo: longestNotes))
    }

    private static func ticker(_ field: JSONField) throws(APIError) -> String {
        let given = try read { () throws(JSONFieldError) in try field.string() }
        guard let symbol = TickerSymbol(given) else { throw .invalidTicker(at: field.path) }
        return symbol.text
    }

    private static func text(_ field: JSONField, upTo limit: Int) throws(APIError) -> String? {
        guard let field = field.optional else { return nil }
        let text = try read { () throws(JSONFieldError) in try field.string() }
        guard text.unicodeScalars.count <= limit else {
            throw .invalid(field.path, "must have at most \(limit) characters")
        }
        return text
    }

    /// Each ticker once, in the place of its first mention; later mentions fill in a missing label or notes.
    private static func merged(_ holdings: [Holding]) -> [Holding] {
        var merged: [Holding] = []
        var places: [String: Int] = [:]
        for holding in holdings {
            if let place = places[holding.ticker] {
                merged[place].label = merged[place].label ?? holding.label
                merged[place].notes = merged[place].notes ?? holding.notes
            } else {
                places[holding.ticker] = merged.count
                merged.append(holding)
            }
        }
        return merged
    }

    private static func read<Value>(_ body: () throws(JSONFieldError) -> Value) throws(APIError) -> Value {
        do {
            return try body()
        } catch {
            throw .invalid(error)
        }
    }
}

extension APIError {
    /// An invalid ticker, with the title that the news document prints.
    static func invalidTicker(at field: String) -> APIError {
        var error = invalid(
            field, "must be 1 to 5 letters or digits, with a class of one or two letters where there is one",
            code: .invalidTicker)
        error.title = "Invalid ticker format. Use 1-5 letters/numbers (e.g., AAPL, NVDA)"
        return error
    }
}
