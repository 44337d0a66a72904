internal import Basics
internal import HTTP
internal import HTTPServer
internal import JobQueue
internal import JSON

/// A request whose user is known.
struct RequestContext: RequestReading {
    let request: ServerRequest
    let user: UserID
    let subject: String
    let isOperator: Bool
    /// The session of the access token; `nil` without one.
    let session: String?
    let requestID: String
}

/// Reads a request whose sender is known.
protocol RequestReading: Sendable {
    var request: ServerRequest { get }
}

extension RequestReading {
    /// A header without anything harmful in it.
    func header(_ name: String) -> String? { request.headers[name]?.sanitized }

    /// Whether the client's `If-None-Match` names the tag.
    func knows(_ tag: String) -> Bool { request.knows(tag) }

    /// A value of the query without anything harmful in it.
    func query(_ name: String) -> String? { request.query(name)?.sanitized }

    /// The JSON body of a `POST` or `PUT` request.
    func body() throws(APIError) -> JSONField { try request.jsonBody() }

    /// The key under which a client may send the same request again, with a fingerprint of the request.
    func idempotency(_ body: JSONField) throws(APIError) -> Idempotency? {
        guard let key = header("Idempotency-Key") else { return nil }
        guard !key.isEmpty, key.utf8.count <= 255, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalid("Idempotency-Key", "must be 1 to 255 printable ASCII characters without spaces")
        }
        return Idempotency(key: key, fingerprint: SHA256.hex(request.path + "\n" + (body.value?.canonical ?? "")))
    }

    /// A job's id from the path; a malformed id is not found, like one that no job has.
    func jobID(_ parameter: String = "id") throws(APIError) -> JobID {
        guard let id = request.parameters[parameter].flatMap({ JobID($0) }) else { throw .notFound("The job") }
        return id
    }

    /// An article's id from the path; a malformed one is not found.
    func articleID() throws(APIError) -> String {
        guard let id = request.parameters["id"], (1...200).contains(id.utf8.count),
            id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
        else { throw .notFound("The article") }
        return id
    }

    /// A whole number from the query within bounds; `fallback` when the query does not name it.
    func queryInteger(_ name: String, in range: ClosedRange<Int>, default fallback: Int) throws(APIError) -> Int {
        guard let text = query(name) else { return fallback }
        guard let value = Int(text), range.contains(value) else {
            throw .invalid(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

/// The page of a list that a request asks for.
struct Page: Sendable {
    /// From 1.
    var number: Int
    let size: Int

    /// Reads `page` and the size, which the query calls `sizeName`.
    init(_ context: some RequestReading, sizeName: String = "per_page") throws(APIError) {
        size = try context.queryInteger(sizeName, in: 1...100, default: 20)
        number = try context.queryInteger("page", in: 1...1_000_000, default: 1)
    }

    var offset: Int { (number - 1) * size }

    /// The `pagination` of a list that is always whole.
    static func whole(of elements: [JSON]) -> JSON {
        Page(number: 1, size: max(1, elements.count)).json(total: elements.count)
    }

    private init(number: Int, size: Int) { (self.number, self.size) = (number, size) }

    /// The envelope's `pagination` of a list with that many items on all pages.
    func json(total: Int) -> JSON { json(total: total, hasNext: offset + size < total) }

    func json(of list: JobList) -> JSON {
        var json = json(total: list.total, hasNext: list.hasMore)
        json["next_cursor"] = list.hasMore ? JSON(list.jobs.last?.id.description) : .null
        return json
    }

    private func json(total: Int, hasNext: Bool) -> JSON {
        [
            "page": JSON(number), "per_page": JSON(size), "total_items": JSON(total),
            "total_pages": JSON((total + size - 1) / size), "has_next": JSON(hasNext), "has_prev": JSON(number > 1),
        ]
    }
}

extension ServerRequest {
    /// Whether the client's `If-None-Match` names the tag.
    func knows(_ tag: String) -> Bool {
        (headers["If-None-Match"]?.sanitized ?? "").split(separator: ",").contains { candidate in
            let bare = candidate.trimmed
            return bare == "*" || bare == tag || bare == "W/" + tag
        }
    }

    /// The length of the longest key that a body may have, in bytes.
    static let longestKey = 256

    /// Whether an `Authorization` header carries a token.
    var bearsToken: Bool { headers["Authorization"]?.lowercased().hasPrefix("bearer ") == true }

    /// Refuses unknown query parameters, so that a misspelt one is not ignored, and repeated ones, of which one would
    /// be. `user_id` names the user in development and is accepted everywhere.
    func allowQuery(_ names: [String]) throws(APIError) {
        for (name, _) in query where name != "user_id" && !names.contains(where: name.hasSameBytes) {
            let known = names.isEmpty ? "there are none" : "allowed are \(names.joined(separator: ", "))"
            throw .invalid(name.sanitized, "is not a known query parameter; \(known)")
        }
        for name in names where query.count(where: { $0.name.hasSameBytes(as: name) }) > 1 {
            throw .invalid(name, "is given more than once")
        }
    }

    /// The body as a JSON object, with texts that are safe to compare, store and show.
    func jsonBody(isSanitized: Bool = true) throws(APIError) -> JSONField {
        let value = try parsedBody()
        return JSONField(isSanitized ? value.mapStrings(\.sanitized) : value)
    }

    /// The body as it was sent, and with texts that are safe to compare, store and show.
    func jsonBodies() throws(APIError) -> (sent: JSONField, safe: JSONField) {
        let value = try parsedBody()
        return (JSONField(value), JSONField(value.mapStrings(\.sanitized)))
    }

    private func parsedBody() throws(APIError) -> JSON {
        guard !body.isEmpty else { throw .malformed("The body is missing; send a JSON object.") }
        let value: JSON
        do {
            value = try JSON(parsing: body, longestKey: Self.longestKey)
        } catch {
            throw .malformed("The body is not valid JSON: \(error).")
        }
        guard value.object != nil else { throw .malformed("The body must be a JSON object.") }
        if let path = value.pathOfNUL() { throw .invalid(path, "must not contain a NUL character") }
        return value
    }
}

extension JSONField {
    /// Refuses unknown members, so that a misspelt option is not ignored.
    func allowOnly(_ names: [String]) throws(APIError) {
        for key in value?.object?.keys ?? [] where !names.contains(where: key.hasSameBytes) {
            throw .invalid(key, "is not a known field; allowed are \(names.joined(separator: ", "))")
        }
    }
}

extension JSON {
    /// The path of the first string or key with a NUL character, which no store can keep.
    func pathOfNUL() -> String? {
        partsToNUL()?.reversed().reduce("") { $0.isEmpty || $1.hasPrefix("[") ? $0 + $1 : "\($0).\($1)" }
    }

    /// The parts of that path, last part first. They are built only after a NUL was found: a path for each value,
    /// below keys that the client chose, would copy a body hundreds of thousands of times.
    private func partsToNUL() -> [String]? {
        switch self {
        case .string(let text): return text.utf8.contains(0) ? [] : nil
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let found = element.partsToNUL() { return found + ["[\(index)]"] }
            }
        case .object(let members):
            for (key, value) in members {
                if key.utf8.contains(0) { return ["(a key)"] }
                if let found = value.partsToNUL() { return found + [key] }
            }
        default: break
        }
        return nil
    }
}
