internal import HTTP
internal import HTTPServer
internal import JSON
internal import JobQueue

/// A request whose sender is known.
struct Call: Sendable {
    let request: ServerRequest
    let user: UserID
    let subject: String
    let isOperator: Bool
    let requestID: String

    func header(_ name: String) -> String? { request.headers[name] }

    /// The JSON body of a `POST` or `PUT`.
    func body() throws(APIError) -> JSONField { try request.jsonBody() }

    /// A job's id from the path; what is no id is not found, like an id that nobody has.
    func jobID(_ parameter: String = "id") throws(APIError) -> JobID {
        guard let id = request.parameters[parameter].flatMap({ JobID($0) }) else { throw .notFound("The job") }
        return id
    }

    /// An article's id from the path; what cannot be one is not found.
    func articleID() throws(APIError) -> String {
        guard let id = request.parameters["id"], (1...200).contains(id.utf8.count),
            id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
        else { throw .notFound("The article") }
        return id
    }

    /// A whole number from the query within bounds; `fallback` when it is not there.
    func queryInteger(_ name: String, in range: ClosedRange<Int>, default fallback: Int) throws(APIError) -> Int {
        guard let text = request.query(name) else { return fallback }
        guard let value = Int(text), range.contains(value) else {
            throw .invalid(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

extension ServerRequest {
    /// Whether an `Authorization` header says that it has a token.
    var bearsToken: Bool { headers["Authorization"]?.lowercased().hasPrefix("bearer ") == true }

    /// The JSON object that a request carries.
    func jsonBody() throws(APIError) -> JSONField {
        guard !body.isEmpty else { throw .malformed("The body is missing; send a JSON object.") }
        let value: JSON
        do {
            value = try JSON(parsing: body)
        } catch {
            throw .malformed("The body is not valid JSON: \(error).")
        }
        guard value.object != nil else { throw .malformed("The body must be a JSON object.") }
        if let path = value.pathOfNUL() { throw .invalid(path, "must not contain a NUL character") }
        return JSONField(value)
    }
}

extension JSONField {
    /// Refuses members that the request does not know, so that a misspelt option is not passed over.
    func allowOnly(_ names: [String]) throws(APIError) {
        for key in value?.object?.keys ?? [] where !names.contains(key) {
            throw .invalid(key, "is not known here; allowed are \(names.joined(separator: ", "))")
        }
    }
}

extension JSON {
    /// The way to the first text, or key, that holds a NUL character; no store can keep one.
    func pathOfNUL() -> String? {
        partsToNUL()?.reversed().reduce("") { $0.isEmpty || $1.hasPrefix("[") ? $0 + $1 : "\($0).\($1)" }
    }

    /// The last part first, and none is made before something was found: a path for each of many values, below
    /// keys that somebody else chose, would copy a body hundreds of thousands of times.
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
