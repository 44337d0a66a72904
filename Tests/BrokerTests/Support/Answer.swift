import DossierAPI
import Foundation
import HTTP
import JSON
import Testing

/// An answer of the native API whose envelope has been checked.
struct Answer: Sendable {
    let response: HTTPResponse
    /// The body; `null` where an answer has none (`304`, `HEAD`).
    let json: JSON

    /// Holds what came against what every answer must have.
    init(_ response: HTTPResponse, toHead isHead: Bool = false, sourceLocation: SourceLocation) throws {
        self.response = response
        let id = response.headers["X-Request-ID"]
        #expect(id?.isEmpty == false, sourceLocation: sourceLocation)
        #expect(response.headers["X-API-Version"] == "1.0", sourceLocation: sourceLocation)
        #expect(response.headers["Cache-Control"] == "no-store", sourceLocation: sourceLocation)
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

/// The data of an answer that has none.
struct Nothing: Codable {}

extension Encodable {
    fileprivate var json: JSON {
        get throws { try JSON(parsing: Array(JSONEncoder().encode(self))) }
    }
}

extension JSON {
    /// Without the members that are null: a client's types cannot tell them from those that are missing.
    fileprivate var withoutNulls: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutNulls))
        case .object(let members):
            .object(JSONObject(members.filter { $0.value != .null }.map { ($0.key, $0.value.withoutNulls) }))
        default: self
        }
    }
}
