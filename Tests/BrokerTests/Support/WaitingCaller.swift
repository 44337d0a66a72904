import Foundation
import HTTP
import JSON
import JobQueue
import SQLiteStore
import Testing

/// An answer without an envelope.
struct PlainAnswer: Sendable {
    let response: HTTPResponse
    var status: Int { response.status }
    var json: JSON { (try? JSON(parsing: response.body)) ?? .null }

    /// As an app reads it whose types have camel case.
    func camelCased<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(response.body))
    }
}

extension Service {
    /// Sends and waits for the answer, however long it takes.
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

    /// The id of the only job of a user, when it is there.
    func onlyJob(user: String = "1") async throws -> JobID {
        for await _ in store.changes(.visible) {
            let jobs = try await ask(.get, "/api/v1/jobs", headers: ["X-User-ID": user])["data"]?.array ?? []
            if let id = jobs.first?["id"]?.string.flatMap(JobID.init) { return id }
        }
        throw CancellationError()
    }
}

extension FakeWorker {
    /// Claims the next job as soon as there is one.
    func next() async throws -> Lease {
        for await _ in store.changes(.ready) {
            let claim = try await store.claim(for: id, upTo: [.background: 1, .interactive: 1])
            if let job = claim.jobs.first { return job.lease }
        }
        throw CancellationError()
    }
}
