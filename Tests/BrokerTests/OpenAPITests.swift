import Basics
import DossierAPI
import Foundation
import HTTP
import HTTPServer
import JSON
import Testing

@testable import Broker

/// The description of the API, from which clients are generated.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OpenAPITests {
    /// With tokens there are routes that other modes lack.
    @Test func everyRouteHasADescriptionAndEveryDescriptionARoute() async throws {
        let tokens = SessionTokens(secret: Secret(String(repeating: "s", count: 32)))
        try await TestService.with({ $0.authentication = .jwt(tokens) }) { service in
            let document = OpenAPIDocument(routes: service.broker.router.routes)
            #expect(document.undescribed.map(\.name) == [])
            #expect(document.unanswered == [])
        }
    }

    @Test func theServedDescriptionIsConsistent() async throws {
        try await TestService.with { service in
            let response = try await service.client.send(HTTPRequest(.get, service.url + "/openapi.json"))
            #expect(response.status == 200)
            let document = try JSON(parsing: response.body)
            #expect(document["openapi"] == "3.1.0")
            let paths = try #require(document["paths"]?.object)
            #expect(
                Set(
                    paths.flatMap { path, methods in (methods.object?.keys ?? []).map { "\($0.uppercased()) \(path)" } }
                )
                    == Set(service.broker.router.routes.map(\.name)))
            let schemas = Set(document["components"]?["schemas"]?.object?.keys ?? [])
            var ids: Set<String> = []
            for reference in document.texts(of: "$ref") {
                #expect(schemas.contains(String(reference.dropFirst("#/components/schemas/".count))), "\(reference)")
            }
            for id in document.texts(of: "operationId") { #expect(ids.insert(id).inserted, "\(id)") }
            let stock = document["paths"]?["/api/v1/stocks/{ticker}"]?["get"]
            #expect(stock?["parameters"]?[0]?["name"] == "ticker")
        }
    }

    @Test func everyBodyAndEveryAnswerIsASchemaWithAName() async throws {
        try await TestService.with { service in
            let document = OpenAPIDocument(routes: service.broker.router.routes).json
            for (path, methods) in document["paths"]?.object ?? [:] {
                for (method, operation) in methods.object ?? [:] {
                    var contents = [operation["requestBody"]?["content"]]
                    contents += (operation["responses"]?.object ?? [:]).map { $0.value["content"] }
                    for schema in contents.compactMap({ $0?["application/json"]?["schema"] }) {
                        #expect(schema["$ref"] != nil, "\(method) \(path): \(schema.compact.prefix(200))")
                    }
                }
            }
            let jobs = document["paths"]?["/api/v1/jobs"]
            #expect(jobs?["post"]?["operationId"] == "submitJob" && jobs?["get"]?["operationId"] == "listJobs")
            let answer = jobs?["get"]?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
            #expect(answer == ["$ref": "#/components/schemas/JobListAnswer"])
        }
    }

    /// Generators make a class without members of it.
    @Test func noSchemaIsEmptyButTheOneThatSaysSo() async throws {
        try await TestService.with { service in
            let document = OpenAPIDocument(routes: service.broker.router.routes).json
            #expect(document["components"]?["schemas"]?.emptySchemas(at: "") == [])
        }
    }

    @Test func everyErrorCodeIsInTheDescription() throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/DossierAPI/ErrorCode.swift")
        let text = try String(contentsOf: source, encoding: .utf8)
        let written = text.matches(of: /ErrorCode\(rawValue: "([A-Z]+_[0-9]+)"\)/).map { String($0.1) }
        #expect(written.count > 20)
        #expect(Set(written) == Set(ErrorCode.all.map(\.rawValue)))
    }

    @Test func eachModeTellsWhatItsRequestsShow() {
        #expect(OpenAPISecurity(.development).requirements == [["user": []], [:]])
        #expect(
            OpenAPISecurity.gateway.requirements == [
                ["gateway": [], "user": []], ["bearer": []], ["apiKey": [], "user": []],
            ])
        #expect(OpenAPISecurity.bearer.requirements == [["bearer": []], ["apiKey": [], "user": []]])
        #expect(OpenAPISecurity.bearer.operators == [["bearer": []], ["apiKey": []]])
        for mode in [OpenAPISecurity.development, .gateway, .bearer] {
            let named = Set((mode.requirements.array ?? []).flatMap { $0.object?.keys ?? [] })
            #expect(named == Set(mode.schemes.object?.keys ?? []))
        }
    }

    @Test func anAnswerSendsTheHeadersThatItsDescriptionNames() async throws {
        try await TestService.with({ $0.rateLimit = 100 }) { service in
            let document = OpenAPIDocument(routes: service.broker.router.routes).json
            let answer = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "note", "input": [:]], headers: ["Idempotency-Key": "a"])
            let described = document["paths"]?["/api/v1/jobs"]?["post"]?["responses"]?["202"]?["headers"]
            let transport: Set = ["date", "connection", "keep-alive", "content-length", "content-type", "vary"]
            let sent = Set(answer.response.headers.fields.map { $0.name.lowercased() }).subtracting(transport)
            let conditional: Set = ["idempotent-replayed", "vary", "content-encoding"]
            #expect(Set((described?.object?.keys ?? []).map { $0.lowercased() }) == sent.union(conditional))
        }
    }
}

extension JSON {
    /// All strings that are members of this name, at any depth.
    fileprivate func texts(of name: String) -> [String] {
        switch self {
        case .array(let elements): elements.flatMap { $0.texts(of: name) }
        case .object(let members):
            members.flatMap { key, value in
                (key == name ? value.string.map { [$0] } ?? [] : []) + value.texts(of: name)
            }
        default: []
        }
    }

    /// The places of schemas that allow anything without saying so.
    fileprivate func emptySchemas(at path: String) -> [String] {
        switch self {
        case .array(let elements): return elements.flatMap { $0.emptySchemas(at: path) }
        case .object(let members):
            if members.keys.isEmpty { return [path] }
            return members.flatMap { $0.value.emptySchemas(at: "\(path)/\($0.key)") }
        default: return []
        }
    }
}
