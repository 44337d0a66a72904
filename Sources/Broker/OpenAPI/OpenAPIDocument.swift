internal import Dotprompt
internal import HTTP
internal import HTTPServer
internal import JSON
internal import YAML

/// The description of the API in OpenAPI 3.1: one operation for each route, with its notes from `api.yaml` and the
/// files beside it.
struct OpenAPIDocument {
    private let routes: [Route]
    private let notes: APINotes

    init(routes: [Route], notes: APINotes = .bundled) {
        self.routes = routes
        self.notes = notes
    }

    /// The routes without notes.
    var undescribed: [Route] { routes.filter { notes.operations[$0.name] == nil } }

    /// The operations with notes but without a route.
    var unanswered: [String] { notes.operations.keys.filter { !Set(routes.map(\.name)).contains($0) } }

    var json: JSON {
        var paths = JSONObject()
        for route in routes {
            var path = paths[route.pattern]?.object ?? [:]
            path[route.method.rawValue.lowercased()] = operation(route)
            paths[route.pattern] = .object(path)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Dossier", "version": JSON(ResponseRenderer.apiVersion),
                "description": "Jobs that need language models: research reports, explanations, analyses.",
            ],
            "tags": .array(notes.tags.map { ["name": JSON($0), "description": $1] }),
            "paths": .object(paths),
            "components": [
                "schemas": .object(notes.schemas),
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"]],
            ],
        ]
    }

    // MARK: Operations

    private func operation(_ route: Route) -> JSON {
        let note = notes.operations[route.name] ?? [:]
        var operation: JSONObject = [:]
        operation["operationId"] = JSON(Self.identifier(of: route))
        operation["summary"] = note["summary"] ?? JSON(route.name)
        operation["description"] = note["description"]
        if let tag = note["tag"] { operation["tags"] = [tag] }
        let parameters =
            pathParameters(of: route) + parameters(note["query"], in: "query")
            + parameters(note["headers"], in: "header")
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body = note["body"] {
            operation["requestBody"] = [
                "required": JSON(note["body_may_be_missing"] != true),
                "content": ["application/json": ["schema": notes.schema(body, isClosed: true)]],
            ]
        }
        operation["responses"] = .object(responses(of: route, note))
        if note["open"] == true { operation["security"] = [] } else { operation["security"] = [["token": []], [:]] }
        return .object(operation)
    }

    private func pathParameters(of route: Route) -> [JSON] {
        route.pattern.split(separator: "/").compactMap { segment in
            guard let open = segment.firstIndex(of: "{"), let close = segment.lastIndex(of: "}") else { return nil }
            let name = String(segment[segment.index(after: open)..<close])
            var schema = notes.schema(notes.parameters[name] ?? "string", isClosed: true)
            let description = schema["description"]
            schema["description"] = nil
            var parameter: JSONObject = ["name": JSON(name), "in": "path", "required": true, "schema": schema]
            parameter["description"] = description
            return .object(parameter)
        }
    }

    private func parameters(_ note: JSON?, in place: String) -> [JSON] {
        guard let note else { return [] }
        let schema = notes.schema(note, isClosed: false)
        let required = schema["required"]?.array ?? []
        return (schema["properties"]?.object ?? [:]).map { name, schema in
            var schema = schema
            let description = schema["description"]
            schema["description"] = nil
            // An optional parameter is omitted, never sent as null.
            if case .array(let types)? = schema["type"] { schema["type"] = types[0] }
            if case .array(let values)? = schema["enum"] { schema["enum"] = .array(values.filter { !$0.isNull }) }
            var parameter: JSONObject = [
                "name": JSON(name), "in": JSON(place), "required": JSON(required.contains(JSON(name))),
                "schema": schema,
            ]
            parameter["description"] = description
            return .object(parameter)
        }
    }

    private func responses(of route: Route, _ note: JSON) -> JSONObject {
        var responses = JSONObject()
        if let type = note["type"]?.string {
            responses["200"] = [
                "description": "Done", "content": .object([type: ["schema": JSON.schema(ofBody: type)]]),
            ]
        } else {
            for (status, schema) in note["answers"]?.object ?? ["200": "any"] {
                responses[status] = answer(status, schema, note)
            }
        }
        let error =
            switch ResponseFormat(path: route.pattern) {
            case .envelope: "Error"
            case .analyze: "AnalyzeError"
            case .news: "NewsError"
            case .forecast: "ForecastError"
            }
        responses["default"] = [
            "description": "What went wrong",
            "content": ["application/json": ["schema": ["$ref": JSON("#/components/schemas/\(error)")]]],
        ]
        return responses
    }

    private func answer(_ status: String, _ note: JSON, _ operation: JSON) -> JSON {
        let words = ["200": "Done", "201": "Made", "202": "Accepted", "304": "Nothing has changed"]
        var response: JSONObject = ["description": JSON(words[status] ?? "Done")]
        guard note != "none" else { return .object(response) }
        var schema = notes.schema(note, isClosed: false)
        if operation["enveloped"] != false {
            var properties: JSONObject = ["success": ["const": true], "data": schema]
            if operation["list"] == "cursor" {
                properties["pagination"] = ["$ref": "#/components/schemas/CursorPagination"]
            }
            if operation["list"] == true { properties["pagination"] = ["$ref": "#/components/schemas/Pagination"] }
            properties["meta"] = ["$ref": "#/components/schemas/Meta"]
            schema = [
                "type": "object", "properties": .object(properties), "required": JSON(properties.keys),
            ]
        }
        response["content"] = ["application/json": ["schema": schema]]
        return .object(response)
    }

    /// `getApiV1StocksByTickerFundamentals`
    private static func identifier(of route: Route) -> String {
        let words = route.pattern.split { "/-.".contains($0) }.map { word -> String in
            let isParameter = word.hasPrefix("{")
            let bare = word.filter { $0 != "{" && $0 != "}" }
            return (isParameter ? "By" : "") + bare.prefix(1).uppercased() + bare.dropFirst()
        }
        return route.method.rawValue.lowercased() + words.joined()
    }
}

extension Route {
    /// `GET /api/v1/jobs`
    var name: String { "\(method.rawValue) \(pattern)" }
}

extension APINotes {
    /// The query parameters of an operation, without the marks of the notation.
    func queryNames(of operation: String) -> [String] {
        (operations[operation]?["query"]?.object?.keys ?? []).map { name in
            String(name.prefix { $0 != "?" && $0 != "(" })
        }
    }
}

/// The written notes on the API's operations.
struct APINotes: Sendable {
    /// By method and path: `GET /api/v1/jobs`.
    let operations: [String: JSON]
    /// By name, as OpenAPI has them.
    let schemas: JSONObject
    /// Schemas of the parameters of paths, with descriptions.
    let parameters: JSONObject
    /// Names and descriptions.
    let tags: JSONObject
    /// References by the names that notes use for them.
    private let references: [String: JSON]

    /// The notes of this version. Tests check that they can be read.
    static let bundled = (try? APINotes(parsing: texts)) ?? .empty

    private static let texts = [
        PackageResources.api_yaml, PackageResources.schemas_yaml, PackageResources.news_yaml,
        PackageResources.learning_yaml,
    ].map { String(decoding: $0, as: UTF8.self) }

    private static let empty = APINotes()

    private init() {
        (operations, schemas, parameters, tags, references) = ([:], [:], [:], [:], [:])
    }

    /// Reads notes from several files, each of which may have any of the parts.
    ///
    /// - Throws: `YAMLError`, `JSONSyntaxError` or `PicoschemaError`.
    init(parsing texts: [String]) throws {
        let notes = try texts.map { try YAMLDocument(parsing: $0).value }
        func part(_ name: String) -> JSONObject { JSONObject(notes.flatMap { Array($0[name]?.object ?? [:]) }) }
        let written = part("schemas")
        var references: [String: JSON] = [:]
        for name in written.keys {
            let reference: JSON = ["$ref": JSON("#/components/schemas/\(name)")]
            references[name] = reference
            references[name + "?"] = ["anyOf": [reference, ["type": "null"]]]
        }
        var schemas = JSONObject()
        for (name, schema) in written {
            // Schemas that Picoschema cannot express are written as JSON Schema.
            let isWhole = schema["anyOf"] != nil
            let expanded = isWhole ? schema : try Picoschema.jsonSchema(from: schema, schemas: references)
            // Requests refuse unknown members; responses may get further ones.
            schemas[name] = name.hasSuffix("Request") ? expanded : expanded.opened
        }
        operations = Dictionary(part("operations").map { ($0.key, $0.value) }) { first, _ in first }
        for operation in operations.values {
            for note in operation.schemaNotes { _ = try Self.expand(note, references) }
        }
        self.schemas = schemas
        self.references = references
        parameters = part("parameters")
        tags = part("tags")
    }

    /// The schema of a note; a closed one allows only the members that it names.
    func schema(_ note: JSON, isClosed: Bool) -> JSON {
        let schema = (try? Self.expand(note, references)) ?? [:]
        return isClosed ? schema : schema.opened
    }

    /// Expands Picoschema, and a list written as `(array): …`.
    private static func expand(_ note: JSON, _ references: [String: JSON]) throws(PicoschemaError) -> JSON {
        if let elements = note["(array)"], note.object?.count == 1 {
            return ["type": "array", "items": try expand(elements, references)]
        }
        return try Picoschema.jsonSchema(from: note, schemas: references)
    }
}

extension JSON {
    /// The parts of an operation's note that are schemas.
    fileprivate var schemaNotes: [JSON] {
        let answers = (self["answers"]?.object?.values ?? []).filter { $0 != "none" }
        return ["query", "headers", "body"].compactMap { self[$0] } + answers
    }

    /// The schema without its ban on further members.
    fileprivate var opened: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.opened))
        case .object(let members):
            .object(
                JSONObject(
                    members.filter { !($0.key == "additionalProperties" && $0.value == false) }
                        .map { ($0.key, $0.value.opened) }))
        default: self
        }
    }

    /// The schema of a body that is no JSON; that of a stream describes each event.
    fileprivate static func schema(ofBody type: String) -> JSON {
        guard type == "text/event-stream" else { return ["type": "string"] }
        return [
            "type": "object",
            "properties": ["id": ["type": "string"], "event": ["type": "string"], "data": ["type": "string"]],
        ]
    }
}
