import DossierAPI
import Foundation
import HTTP
import JobQueue
import JSON
import SQLiteStore
import Testing

/// An answer of the native API whose envelope has been checked.
struct Answer: Sendable {
    let response: HTTPResponse
    /// The body; `null` where an answer has none (`304`, `HEAD`).
    let json: JSON

    /// Checks the parts that all responses share.
    init(_ response: HTTPResponse, toHead isHead: Bool = false, sourceLocation: SourceLocation) throws {
        self.response = response
        let id = response.headers["X-Request-ID"]
        #expect(id?.isEmpty == false, sourceLocation: sourceLocation)
        #expect(response.headers["X-API-Version"] == "1.0", sourceLocation: sourceLocation)
        let caching = response.headers["ETag"] == nil ? ["no-store"] : ["no-store", "private, no-cache"]
        #expect(caching.contains(response.headers["Cache-Control"] ?? ""), sourceLocation: sourceLocation)
        if isHead || response.status == 304 {
            #expect(response.body.isEmpty, sourceLocation: sourceLocation)
            json = .null
            return
        }
        #expect(
            response.headers["Content-Type"] == "application/json; charset=utf-8", sourceLocation: sourceLocation)
        json = try JSON(parsing: response.body)
        #expect(json["success"] == JSON(response.isSuccess), "\(response.text)", sourceLocation: sourceLocation)
        #expect(json["meta"]?["request_id"] == JSON(id), sourceLocation: sourceLocation)
        let timestamp = try #require(json["meta"]?["timestamp"]?.string, sourceLocation: sourceLocation)
        #expect(
            (try? Date(timestamp, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))) != nil,
            sourceLocation: sourceLocation)
        guard !response.isSuccess else {
            #expect(json["error"] == nil && json["data"] != nil, sourceLocation: sourceLocation)
            return
        }
        #expect(json["data"] == nil, sourceLocation: sourceLocation)
        // The type keeps every member that the broker sends, or this differs.
        let error = try JSONDecoder().decode(Envelope<Nothing>.self, from: Data(response.body))
        #expect(
            try error.json == json.withoutNulls, "\(response.text)", sourceLocation: sourceLocation)
        #expect(
            response.headers["Retry-After"] == error.error?.retryAfter.map { String($0) },
            sourceLocation: sourceLocation)
    }

    var status: Int { response.status }
    var text: String { response.text }
    var code: String? { json["error"]?["code"]?.string }
    /// The field that the error names.
    var field: String? { json["error"]?["details"]?["field"]?.string }

    func header(_ name: String) -> String? { response.headers[name] }

    /// A member of the envelope.
    subscript(name: String) -> JSON? { json[name] }

    /// The data as clients read it. Fails when the type drops or invents a member.
    func decoded<Payload: Codable & Sendable>(
        as type: Payload.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Payload {
        let envelope = try JSONDecoder().decode(Envelope<Payload>.self, from: Data(response.body))
        #expect(try envelope.json == json.withoutNulls, "\(text)", sourceLocation: sourceLocation)
        return try #require(envelope.data, "\(text)", sourceLocation: sourceLocation)
    }
}

/// The data of an answer without data.
struct Nothing: Codable {}

extension Encodable {
    fileprivate var json: JSON {
        get throws { try JSON(parsing: Array(JSONEncoder().encode(self))) }
    }
}

extension JSON {
    /// The value without null members, which a client's types cannot distinguish from missing ones.
    fileprivate var withoutNulls: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutNulls))
        case .object(let members):
            .object(JSONObject(members.filter { $0.value != .null }.map { ($0.key, $0.value.withoutNulls) }))
        default: self
        }
    }
}

extension TestService {
    /// Sends a request to an address without an envelope.
    func plain(
        _ method: HTTPMethod, _ path: String, _ body: String = "", user: String? = nil, headers: HTTPHeaders = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> PlainAnswer {
        var headers = headers
        if !body.isEmpty { headers["Content-Type"] = "application/json" }
        if let user { headers["X-User-ID"] = user }
        let response = try await client.send(HTTPRequest(method, url + path, headers: headers, body: Array(body.utf8)))
        try AnswerSchemas.check(response, to: method, path, of: self, sourceLocation: sourceLocation)
        return PlainAnswer(response: response)
    }
}

extension PlainAnswer {
    /// Decodes the body with the names on the wire.
    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(response.body))
    }
}

/// An answer without an envelope.
struct PlainAnswer: Sendable {
    let response: HTTPResponse
    var status: Int { response.status }
    var json: JSON { (try? JSON(parsing: response.body)) ?? .null }

    /// Decodes the body with camel case names.
    func camelCased<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(response.body))
    }
}

extension TestService {
    /// Sends a request that may wait for a job.
    func wait(
        _ path: String, _ body: String, user: String = "1", headers: HTTPHeaders = [:], method: HTTPMethod = .post,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> PlainAnswer {
        var headers = headers
        if headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        if headers["X-User-ID"] == nil { headers["X-User-ID"] = user }
        let request = HTTPRequest(method, url + path, headers: headers, body: Array(body.utf8))
        let response = try await client.send(request)
        try AnswerSchemas.check(response, to: method, path, of: self, sourceLocation: sourceLocation)
        return PlainAnswer(response: response)
    }

    /// Waits for the only job of a user and returns its id.
    func onlyJob(user: String = "1") async throws -> JobID {
        for await _ in store.changes(.visible) {
            let jobs = try await ask(.get, "/api/v1/jobs", headers: ["X-User-ID": user])["data"]?.array ?? []
            if let id = jobs.first?["id"]?.string.flatMap(JobID.init) { return id }
        }
        throw CancellationError()
    }
}

extension FakeWorker {
    /// Waits for the next job and claims it.
    func next() async throws -> Lease {
        for await _ in store.changes(.ready) {
            let claim = try await store.claim(for: id, upTo: [.background: 1, .interactive: 1])
            if let job = claim.jobs.first { return job.lease }
        }
        throw CancellationError()
    }
}
