internal import JSON
internal import JSONSchema

/// Makes examples of bodies and answers from their schemas, with values that their members' names suggest. Each text is
/// one that its schema accepts.
struct ExampleMaker {
    private let schemas: JSONObject
    /// The levels below which optional members are left out.
    private static let depth = 7
    private static let prefix = "#/components/schemas/"

    init(schemas: JSONObject) { self.schemas = schemas }

    /// An example of a schema; `nil` when a text is not found that its pattern accepts. Tests compare examples with
    /// their schemas.
    func example(of schema: JSON) -> JSON? { value(of: schema, named: "", at: 0) }

    // MARK: Values

    private func value(of schema: JSON, named name: String, at depth: Int) -> JSON? {
        if let reference = schema["$ref"]?.string {
            let target = String(reference.dropFirst(Self.prefix.utf8.count))
            if target == "AnyJSON" { return name == "data" ? [:] : "…" }
            return schemas[target].flatMap { value(of: $0, named: name, at: depth) }
        }
        if let constant = schema["const"] { return constant }
        if let values = schema["enum"]?.array { return values.first { !$0.isNull } ?? .null }
        for keyword in ["oneOf", "anyOf"] {
            guard let alternatives = schema[keyword]?.array else { continue }
            return alternatives.lazy.filter { $0["type"] != "null" }.compactMap {
                value(of: $0, named: name, at: depth)
            }.first
        }
        switch type(of: schema) {
        case "object": return object(schema, at: depth)
        case "array":
            guard let elements = schema["items"] else { return [] }
            if let known = Self.lists[name] {
                return JSON(Array(known.prefix(Int(schema["maxItems"]?.integer ?? Int64(known.count)))))
            }
            let isEmpty = depth >= Self.depth && (schema["minItems"]?.integer ?? 0) == 0
            return isEmpty ? [] : value(of: elements, named: name, at: depth + 1).map { [$0] }
        case "boolean": return true
        case "null": return .null
        case "integer", "number": return number(schema, named: name)
        default: return text(schema, named: name)
        }
    }

    private func type(of schema: JSON) -> String? {
        if let types = schema["type"]?.array { return types.compactMap(\.string).first { $0 != "null" } }
        return schema["type"]?.string ?? (schema["properties"] == nil ? nil : "object")
    }

    private func object(_ schema: JSON, at depth: Int) -> JSON? {
        let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
        var members = JSONObject()
        for (name, property) in schema["properties"]?.object ?? [:] {
            guard depth < Self.depth || required.contains(name) else { continue }
            if let value = value(of: property, named: name, at: depth + 1) {
                members[name] = value
            } else if required.contains(name) {
                return nil
            }
        }
        if members.count == 0, let further = schema["additionalProperties"], further.object != nil,
            let value = value(of: further, named: "", at: depth + 1)
        {
            members["name"] = value
        }
        return .object(members)
    }

    private func number(_ schema: JSON, named name: String) -> JSON {
        let usual = Self.numbers[name] ?? 1
        let lowest = schema["minimum"]?.integer ?? .min
        let highest = schema["maximum"]?.integer ?? .max
        return JSON(min(max(usual, lowest), highest))
    }

    private func text(_ schema: JSON, named name: String) -> JSON? {
        let candidates = [Self.texts[name], name.hasSuffix("_at") ? Self.timestamp : nil].compactMap(\.self)
        guard schema["pattern"] != nil || schema["format"] != nil || schema["maxLength"] != nil else {
            return JSON(candidates.first ?? "text")
        }
        if schema["format"] == "date-time" { return JSON(name == "expires_at" ? Self.texts[name] : Self.timestamp) }
        guard let compiled = try? JSONSchema(schema) else { return nil }
        return (candidates + Self.further).lazy.map { JSON($0) }.first(where: compiled.isValid)
    }

    // MARK: Names

    private static let timestamp = "2026-11-24T08:00:00.000Z"
    private static let job = "0193a1f0-7c3e-7a52-9d0e-3f5b8c1d2e4f"

    private static let numbers: [String: Int64] = [
        "progress": 40, "per_page": 20, "total_items": 1, "page_size": 20, "retry_after": 30, "wait": 30,
        "estimated_seconds": 30, "expires_in": 86_400, "refresh_expires_in": 2_592_000, "score": 82, "confidence": 75,
        "importance_score": 60, "price": 271, "year_low": 169, "year_high": 288, "granted": 10, "remaining": 9,
        "used": 1,
        "held": 0, "lookbackDays": 730, "cost_micro_dollars": 29_000, "within": 7200, "priority": 0,
    ]

    private static let texts: [String: String] = [
        "id": job, "job_id": job, "report_id": job, "trace_id": job, "since": job, "request_id": "34d6m9yl3vxkw-4",
        "ticker": "AAPL", "symbol": "AAPL", "stock_id": "AAPL", "primary_ticker": "AAPL", "version": "1.0",
        "url": "https://example.com/article", "content_url": "https://example.com/article",
        "textOrUrl": "The central bank left its rate as it was.", "article_id": "a1f0c2", "language": "en",
        "persona": "buffett", "investor_persona": "buffett", "kind": "research", "title": "A title",
        "name": "Apple Inc.", "company": "Apple Inc.", "question": "What does the company live from?",
        "message": "What does the company live from?", "answer": "From what it sells and from services.",
        "poll_url": "/api/v1/research/reports/\(job)/status", "published_at": timestamp, "timestamp": timestamp,
        "date": "2026-11-24", "filing_date": "2026-10-30", "filed": "2026-10-30", "form": "10-K",
        "accession_number": "0000320193-26-000073", "unit": "USD", "currency": "USD", "label": "Revenue",
        "concept": "revenue", "time_zone": "Europe/Berlin", "goal_id": "value-investing", "user_id_hash": "3f1c",
        "goal_description": "Understand how a company makes money", "device": "Phone", "subject": "alice",
        "conversation_id": job, "card_id": "0123456789abcdef0123456789abcdef", "next_cursor": job,
        "expires_at": "2099-01-01T00:00:00.000Z", "format": "dossier-recall", "algorithm": "FSRS-6",
        "refresh_token": "drt_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
    ]

    /// Lists of which one element alone would not do.
    private static let lists = ["tickers": ["AAPL", "MSFT"]]

    /// For members whose name says nothing: the first one that the schema accepts is taken.
    private static let further = [
        "text", "AAPL", job, "0123456789abcdef0123456789abcdef", "2026-11-24", timestamp, "2026-11-24 08:00:00",
        "https://example.com/article", "en", "Europe/Berlin", "a1f0c2", "1",
        "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=", "AAPL,MSFT", "",
    ]
}
