internal import DossierAPI
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Prompts

/// The description of the API in OpenAPI 3.1: one operation for each route, with its notes from `api.yaml` and the
/// files beside it. Every body and every answer is a schema with a name, so that generators give it a type.
struct OpenAPIDocument {
    private let routes: [Route]
    private let notes: APINotes
    private let security: OpenAPISecurity
    /// The address of the service.
    private let server: String
    private let kinds: KindSchemas
    private let personas: [String]

    init(
        routes: [Route], kinds: some Sequence<JobKind> = [], personas: some Sequence<String> = [],
        notes: APINotes = .bundled, security: OpenAPISecurity = .development, server: String = "/"
    ) {
        self.routes = routes
        self.kinds = KindSchemas(kinds, notes: notes)
        self.personas = personas.sorted()
        self.notes = notes
        self.security = security
        self.server = server
    }

    /// The routes without notes.
    var undescribed: [Route] { routes.filter { notes.operations[$0.name] == nil } }

    /// The operations with notes but without a route.
    var unanswered: [String] { notes.operations.keys.filter { !Set(routes.map(\.name)).contains($0) } }

    var json: JSON {
        var paths = JSONObject()
        var schemas = notes.schemas
        kinds.add(to: &schemas)
        if !personas.isEmpty { schemas["PersonaID"]?["enum"] = JSON(personas) }
        for route in routes {
            var path = paths[route.pattern]?.object ?? [:]
            path[route.method.rawValue.lowercased()] = operation(route, &schemas)
            paths[route.pattern] = .object(path)
        }
        let examples = ExampleMaker(schemas: schemas)
        paths = JSONObject(paths.map { ($0.key, $0.value.withExamples(examples)) })
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Dossier", "version": JSON(ResponseRenderer.apiVersion),
                "description": "Jobs that need language models: research reports, explanations, analyses.",
            ],
            "servers": [["url": JSON(server)]],
            "tags": .array(notes.tags.map { ["name": JSON($0), "description": $1] }),
            "paths": .object(paths),
            "components": ["schemas": .object(schemas), "securitySchemes": security.schemes],
        ]
    }

    // MARK: Operations

    /// Describes an operation, and adds the schemas of its body and answers that have no name of their own.
    private func operation(_ route: Route, _ schemas: inout JSONObject) -> JSON {
        let note = notes.operations[route.name] ?? [:]
        let id = note["id"]?.string ?? route.name
        var operation: JSONObject = [:]
        operation["operationId"] = JSON(id)
        operation["summary"] = note["summary"] ?? JSON(route.name)
        operation["description"] = note["description"]
        if let tag = note["tag"] { operation["tags"] = [tag] }
        let parameters =
            pathParameters(of: route) + parameters(note["query"], in: "query")
            + parameters(note["headers"], in: "header")
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body = note["body"] {
            let schema = notes.schema(body, isClosed: true)
            operation["requestBody"] = [
                "required": JSON(note["body_may_be_missing"] != true),
                "content": ["application/json": ["schema": schemas.named(schema, id.capitalizingFirst + "Request")]],
            ]
        }
        operation["responses"] = .object(responses(of: route, note, id, &schemas))
        operation["security"] =
            switch note["open"] {
            case true: []
            case "either": security.optional
            case "metrics": security.metrics
            default: route.isForOperators ? security.operators : security.requirements
            }
        if let scope = note["scope"]?.string {
            let words = [note["description"]?.string, "Needs the scope `\(scope)`."].compactMap(\.self)
            operation["description"] = JSON(words.joined(separator: " "))
        }
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

    // MARK: Answers

    private func responses(of route: Route, _ note: JSON, _ id: String, _ schemas: inout JSONObject) -> JSONObject {
        var responses = JSONObject()
        let headers = OpenAPIHeaders(isOpen: note["open"] != nil)
        if let type = note["type"]?.string {
            responses["200"] = [
                "description": "Done", "headers": headers.json(note["sends"]),
                "content": .object([type: ["schema": JSON.schema(ofBody: type)]]),
            ]
        } else {
            for (status, data) in note["answers"]?.object ?? ["200": "any"] {
                let words = ["200": "Done", "201": "Made", "202": "Accepted", "304": "Nothing has changed"]
                var response: JSONObject = [
                    "description": JSON(words[status] ?? "Done"), "headers": headers.json(note["sends"]),
                ]
                if data != "none" {
                    response["content"] = ["application/json": ["schema": answer(data, note, id, &schemas)]]
                }
                responses[status] = .object(response)
            }
        }
        let error =
            switch ResponseFormat(path: route.pattern) {
            case .envelope: "ErrorAnswer"
            case .analyze: "AnalyzeError"
            case .news: "NewsError"
            case .forecast: "ForecastError"
            }
        responses["default"] = [
            "description": "What went wrong", "headers": headers.json(["Retry-After", "WWW-Authenticate"]),
            "content": ["application/json": ["schema": ["$ref": JSON("#/components/schemas/\(error)")]]],
        ]
        return responses
    }

    /// A reference to the schema of an answer: `JobAnswer` for the envelope of a `Job`, `JobListAnswer` for one of a list
    /// of them, else by the operation's id.
    private func answer(_ note: JSON, _ operation: JSON, _ id: String, _ schemas: inout JSONObject) -> JSON {
        let schema = notes.schema(note, isClosed: false)
        let ownName = id.capitalizingFirst + "Answer"
        guard operation["enveloped"] != false else { return schemas.named(schema, ownName) }
        var properties: JSONObject = ["success": ["type": "boolean", "const": true], "data": schema]
        if operation["list"] == true { properties["pagination"] = ["$ref": "#/components/schemas/Pagination"] }
        if operation["list"] == "cursor" {
            properties["pagination"] = ["$ref": "#/components/schemas/CursorPagination"]
        }
        if operation["list"] == "search" {
            properties["pagination"] = ["$ref": "#/components/schemas/SearchPagination"]
        }
        properties["meta"] = ["$ref": "#/components/schemas/Meta"]
        let envelope: JSON = [
            "type": "object", "properties": .object(properties), "required": JSON(properties.keys),
        ]
        let name =
            if operation["list"] != nil, let element = schema["items"]?.schemaName {
                element + "ListAnswer"
            } else {
                schema.schemaName.map { $0 + "Answer" } ?? ownName
            }
        return schemas.named(envelope, name)
    }
}

extension JSONObject {
    /// Gives a schema a name among the components, unless it is a reference already.
    fileprivate mutating func named(_ schema: JSON, _ name: String) -> JSON {
        if schema["$ref"] != nil { return schema }
        self[name] = schema
        return ["$ref": JSON("#/components/schemas/\(name)")]
    }
}

extension JSON {
    /// The operations of a path with an example of each body and each answer.
    fileprivate func withExamples(_ examples: ExampleMaker) -> JSON {
        guard case .object(var members) = self else { return self }
        for (name, value) in members {
            if name == "application/json", let schema = value["schema"] {
                members[name]?["example"] = examples.example(of: schema)
            } else if name != "parameters" {
                members[name] = value.withExamples(examples)
            }
        }
        return .object(members)
    }

    /// The name in a reference to a schema.
    fileprivate var schemaName: String? {
        self["$ref"]?.string.map { String($0.dropFirst("#/components/schemas/".utf8.count)) }
    }

    /// The schema of a body that is no JSON; that of a stream describes each event.
    fileprivate static func schema(ofBody type: String) -> JSON {
        if type == "application/octet-stream" { return ["type": "string", "format": "binary"] }
        guard type == "text/event-stream" else { return ["type": "string"] }
        return [
            "type": "object",
            "properties": ["id": ["type": "string"], "event": ["type": "string"], "data": ["type": "string"]],
        ]
    }
}

extension String {
    fileprivate var capitalizingFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Route {
    /// Whether only operators may call it.
    var isForOperators: Bool { pattern.hasPrefix(ServerRequest.adminPrefix + "/") }

    /// `GET /api/v1/jobs`
    var name: String { "\(method.rawValue) \(pattern)" }
}

extension APINotes {
    /// The query parameters of an operation, without the marks of the notation.
    func queryNames(of route: Route) -> [String] {
        (operations[route.name]?["query"]?.object?.keys ?? []).map { name in
            String(name.prefix { $0 != "?" && $0 != "(" })
        }
    }
}
