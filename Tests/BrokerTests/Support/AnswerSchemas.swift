import HTTP
import HTTPServer
import JSON
import JSONSchema
import Prompts
import Synchronization
import Testing

@testable import Broker

/// Validates responses against the schemas in `/openapi.json`.
enum AnswerSchemas {
    /// By method, pattern, status and bundle; beyond these the description is the same for all brokers.
    private static let compiled = Mutex<[String: JSONSchema]>([:])
    /// By bundle and number of routes, which differs by the way to sign in.
    private static let documents = Mutex<[String: JSON]>([:])

    /// Fails the test when the response of a known address does not match its description.
    static func check(
        _ response: HTTPResponse, to method: HTTPMethod, _ path: String, of service: TestService,
        sourceLocation: SourceLocation
    ) throws {
        let routes = service.broker.router.routes
        let isJSON = response.headers["Content-Type"]?.hasPrefix("application/json") == true
        guard method != .head, isJSON, let route = route(method, path, in: routes) else { return }
        let status = String(response.status)
        let bundle = service.broker.bundle.value
        let key = "\(method.rawValue) \(route.pattern) \(status) \(bundle.hash)"
        let schema: JSONSchema
        if let known = compiled.withLock({ $0[key] }) {
            schema = known
        } else {
            // Results in these tests are made up.
            let kinds = route.pattern.hasSuffix("/result") ? [] : Array(bundle.kinds.values)
            let name = "\(bundle.hash) \(routes.count) \(kinds.count)"
            let document = documents.withLock { documents in
                if let known = documents[name] { return known }
                let document = OpenAPIDocument(routes: routes, kinds: kinds).json
                documents[name] = document
                return document
            }
            let operation = document["paths"]?[route.pattern]?[method.rawValue.lowercased()]
            let described = operation?["responses"]?[status]
            if response.isSuccess, described == nil {
                Issue.record("\(key) is not described", sourceLocation: sourceLocation)
                return
            }
            let answer = described ?? operation?["responses"]?["default"]
            schema = try Self.schema(
                answer?["content"]?["application/json"]?["schema"] ?? true,
                among: document["components"]?["schemas"] ?? [:])
            compiled.withLock { $0[key] = schema }
        }
        let violations = schema.validate(try JSON(parsing: response.body)).map(\.message)
        #expect(violations == [], "\(key): \(response.text.prefix(2000))", sourceLocation: sourceLocation)
    }

    /// The matching route with the fewest parameters.
    private static func route(_ method: HTTPMethod, _ path: String, in routes: [Route]) -> Route? {
        let segments = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        let matches = routes.filter { route in
            let pattern = route.pattern.split(separator: "/", omittingEmptySubsequences: false)
            return route.method == method && pattern.count == segments.count
                && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        return matches.min { $0.pattern.count { $0 == "{" } < $1.pattern.count { $0 == "{" } }
    }

    /// What `date-time` means, since a format alone only annotates.
    private static let time = #"^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$"#

    /// A self-contained schema, with the named schemas inside.
    static func schema(_ schema: JSON, among schemas: JSON) throws -> JSONSchema {
        let whole: JSON = ["allOf": [schema], "$defs": schemas]
        let text = whole.compact.replacing("#/components/schemas/", with: "#/$defs/")
            .replacing(#""format":"date-time""#, with: #""format":"date-time","pattern":"\#(time)""#)
        return try JSONSchema(JSON(parsing: text))
    }
}
