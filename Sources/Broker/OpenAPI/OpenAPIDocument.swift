internal import HTTP
internal import HTTPServer
internal import JSON

/// The description of the API in OpenAPI 3.1: one operation for each route that there is, with what `api.yaml` and the
/// files beside it say of it.
struct OpenAPIDocument {
    private let routes: [Route]
    private let notes: APINotes

    init(routes: [Route], notes: APINotes = .bundled) {
        self.routes = routes
        self.notes = notes
    }

    /// The routes of which nothing is written down.
    var undescribed: [Route] { routes.filter { notes.operations[$0.name] == nil } }

    /// The operations that are written down and that no route answers.
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
                "title": "Dossier", "version": JSON(Envelopes.apiVersion),
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
            // What is left out is not sent as null.
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
            responses["200"] = ["description": "Done", "content": .object([type: ["schema": ["type": "string"]]])]
        } else {
            for (status, schema) in note["answers"]?.object ?? ["200": "any"] {
                responses[status] = answer(status, schema, note)
            }
        }
        let error =
            switch ErrorShape(path: route.pattern) {
            case .envelope: "Error"
            case .analyze: "AnalyzeError"
            case .news: "NewsError"
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
