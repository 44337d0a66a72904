internal import Basics
internal import HTTPServer
internal import JSON
internal import JobQueue

/// A request below `/api/v1/admin` whose sender has the scope of its route.
struct AdminContext: RequestReading {
    let request: ServerRequest
    let scopes: Set<Scope>
    let actor: AuditActor
    let now: Timestamp
    let requestID: String

    /// An entry of the audit about a write of this request; it goes along with the write.
    func audit(
        _ action: String, target: String? = nil, user: UserID? = nil, details: JSON = [:]
    ) -> AuditEntry {
        var generator = SystemRandomNumberGenerator()
        return AuditEntry(
            id: JobID(at: now, using: &generator), at: now, actor: actor, action: action, target: target, user: user,
            details: details, requestID: requestID)
    }
}

extension AdminContext {
    /// The body; a note that was too long when it was sent is refused, even where it is shorter without characters that
    /// are taken out.
    func body() throws(APIError) -> JSONField {
        let (sent, safe) = try request.jsonBodies()
        do throws(JSONFieldError) {
            _ = try sent.note()
        } catch {
            throw .invalid(error)
        }
        return safe
    }

    /// The id of a thing that this request makes: the same for a repetition with its `Idempotency-Key`.
    func id(of noun: String) -> String {
        guard let key = header("Idempotency-Key") else {
            var generator = SystemRandomNumberGenerator()
            return JobID(at: now, using: &generator).description
        }
        return String(SHA256.hex("\(noun)\n\(actor.kind.rawValue)\n\(actor.id)\n\(key)").prefix(32))
    }

    /// The details of an audit entry by a body that may hold a `note` and nothing else, or be missing.
    func noteDetails() throws(APIError) -> JSON {
        let body = request.body.isEmpty ? JSONField([:]) : try body()
        try body.allowOnly(["note"])
        do throws(JSONFieldError) {
            guard let note = try body.note() else { return [:] }
            return ["note": JSON(note)]
        } catch {
            throw .invalid(error)
        }
    }
}

extension JSONField {
    /// The note of an operator in this body.
    func note() throws(JSONFieldError) -> String? {
        let note = try self["note"].optional?.string()
        guard (note?.unicodeScalars.count ?? 0) <= AuditEntry.longestNote else {
            throw self["note"].failure("must have at most \(AuditEntry.longestNote) characters")
        }
        return note
    }
}

extension ServerRequest {
    /// The prefix of everything that is for operators.
    static let adminPrefix = "/api/v1/admin"

    /// Whether the path, known or not, is below the operators' prefix.
    var isForOperators: Bool { path == Self.adminPrefix || path.hasPrefix(Self.adminPrefix + "/") }
}

extension RequestReading {
    /// The size of a page of a list with cursors.
    func pageSize() throws(APIError) -> Int { try queryInteger("per_page", in: 1...200, default: 50) }

    /// The number after which the page begins, in a list in the order of numbers; `nil` for the first page.
    func numberCursor() throws(APIError) -> Int64? {
        guard let text = query("cursor") else { return nil }
        guard let number = Int64(text), number >= 0 else { throw .invalid("cursor", "is not a cursor") }
        return number
    }

    /// The place after which the page begins.
    func timeCursor() throws(APIError) -> TimeCursor? {
        guard let text = query("cursor") else { return nil }
        guard let cursor = TimeCursor(text) else { throw .invalid("cursor", "is not a cursor") }
        return cursor
    }
}

extension TimeCursor {
    /// Reads the form that `text` has.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]) else { return nil }
        self.init(at: Timestamp(milliseconds: time), id: String(parts[1]))
    }

    /// The cursor as clients see it.
    var text: String { "\(at.milliseconds).\(id)" }
}

extension APIResponse {
    /// A page of a list in the order of numbers.
    ///
    /// - Parameters:
    ///   - found: The elements from the cursor on, one more than the page has when there is another page.
    ///   - size: The size of the page.
    ///   - number: The number of an element.
    ///   - json: The form of an element.
    /// - Returns: The answer with its `pagination`.
    static func page<Element>(
        of found: [Element], size: Int, number: (Element) -> Int64, _ json: (Element) -> JSON
    ) -> APIResponse {
        let page = found.prefix(size)
        let next = found.count > size ? page.last.map { String(number($0)) } : nil
        return APIResponse(.array(page.map(json)), pagination: Cursor.pagination(size: size, next: next))
    }

    /// A page of a list with cursors.
    ///
    /// - Parameters:
    ///   - found: The elements from the cursor on, one more than the page has when there is another page.
    ///   - size: The size of the page.
    ///   - place: The place of an element in the list.
    ///   - json: The form of an element.
    /// - Returns: The answer with its `pagination`.
    static func page<Element>(
        of found: [Element], size: Int, place: (Element) -> TimeCursor, _ json: (Element) -> JSON
    ) -> APIResponse {
        let page = found.prefix(size)
        var pagination: JSONObject = ["per_page": JSON(size), "has_next": JSON(found.count > size)]
        if found.count > size, let last = page.last { pagination["next_cursor"] = JSON(place(last).text) }
        return APIResponse(.array(page.map(json)), pagination: .object(pagination))
    }
}
