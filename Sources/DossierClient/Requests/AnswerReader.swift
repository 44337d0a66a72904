internal import Foundation

/// Reads the bodies of answers.
struct AnswerReader {
    let response: TransportResponse
    let endpoint: Endpoint

    fileprivate struct Envelope<Value: Decodable>: Decodable {
        let data: Value
    }

    struct Pagination: Decodable {
        let page: Int?
        let hasNext: Bool?
        let nextCursor: String?
        let totalItems: Int?
    }

    private struct NativePage<Item: Decodable>: Decodable {
        let data: [Item]
        let pagination: Pagination?
    }

    private struct PlainPage<Item: Decodable>: Decodable {
        let items: [Item]
        let nextCursor: String?
    }

    /// The value of an answer, out of its envelope.
    func value<Value: Decodable>() throws -> Value {
        if let type = Value.self as? any AnswerReadable.Type, let value = try type.init(self) as? Value { return value }
        return endpoint.isNative
            ? try read(Envelope<Value>.self).data : try read(Value.self)
    }

    /// A job, with the revision that the header names.
    func job() throws -> Job { try Job(self) }

    /// A page of a list, in either form.
    func page<Item>() throws -> Page<Item> {
        guard endpoint.isNative else {
            let page = try read(PlainPage<Item>.self)
            return Page(
                items: page.items, next: page.nextCursor.map { PageCursor(cursor: $0, page: nil) }, totalItems: nil)
        }
        let page = try read(NativePage<Item>.self)
        let hasNext = page.pagination?.hasNext ?? (page.pagination?.nextCursor != nil)
        let next =
            hasNext
            ? PageCursor(cursor: page.pagination?.nextCursor, page: page.pagination?.page.map { $0 + 1 }) : nil
        return Page(items: page.data, next: next, totalItems: page.pagination?.totalItems)
    }

    fileprivate func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder.dossier.decode(type, from: response.body)
        } catch {
            throw DossierError(
                .unreadableAnswer, status: response.status,
                message: "The answer has another form: \(Self.place(error)).",
                requestID: response.headers["x-request-id"])
        }
    }

    /// Where an answer is wrong, without what it holds.
    private static func place(_ error: any Error) -> String {
        let (path, what): ([any CodingKey], String) =
            switch error as? DecodingError {
            case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
            case .typeMismatch(_, let context): (context.codingPath, "has another type")
            case .valueNotFound(_, let context): (context.codingPath, "is null")
            case .dataCorrupted(let context): (context.codingPath, "cannot be read")
            default: ([], "cannot be read")
            }
        let place = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        return place.isEmpty ? "it \(what)" : "'\(place)' \(what)"
    }

    /// Seconds, as the server writes them.
    static func retryAfter(_ headers: [String: String]) -> Duration? {
        guard let seconds = headers["retry-after"].flatMap({ Double($0) }), seconds >= 0, seconds < 1e9 else {
            return nil
        }
        return .milliseconds(Int64(seconds * 1000))
    }
}

/// A value that is more, or less, than the JSON of the body.
protocol AnswerReadable {
    init(_ answer: AnswerReader) throws
}

extension Job: AnswerReadable {
    init(_ answer: AnswerReader) throws {
        self = try answer.read(AnswerReader.Envelope<Job>.self).data
        revision = answer.response.headers["etag"].flatMap { Job.Revision(tag: $0) }
    }
}

extension Page: AnswerReadable {
    init(_ answer: AnswerReader) throws { self = try answer.page() }
}

extension String: AnswerReadable {
    init(_ answer: AnswerReader) throws { self.init(decoding: answer.response.body, as: UTF8.self) }
}

extension Job.Revision {
    /// The number of an `ETag` (`"4"`, `"4w"`) or of the part of an event's id that names a job.
    init?(tag: some StringProtocol) {
        self.init(String(decoding: tag.utf8.drop { $0 < 48 || $0 > 57 }.prefix { $0 >= 48 && $0 <= 57 }, as: UTF8.self))
    }
}

extension PageCursor {
    /// Either, or both where the server gives both.
    init(cursor: String?, page: Int?) {
        self.init(rawValue: [cursor ?? "", page.map(String.init) ?? ""].joined(separator: "\n"))
    }

    /// The parameters that ask for the page. The cursor is asked for where there is one: it stays in place.
    var query: [String: String] {
        let parts = rawValue.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var query: [String: String] = [:]
        if let cursor = parts.first, !cursor.isEmpty { query["cursor"] = cursor }
        if parts.count > 1, !parts[1].isEmpty, query.isEmpty { query["page"] = parts[1] }
        return query
    }
}
