import Foundation
import HTTP
import JSON
import Testing

extension Service {
    /// Asks an address that answers without an envelope.
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
    /// As an app reads it whose types have the names of the wire.
    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(response.body))
    }
}
