internal import DossierAPI
internal import Dotprompt
internal import JSON
internal import YAML

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
    /// The meaning of each error code.
    let codes: JSONObject
    /// The results of jobs, by agent.
    private let results: JSONObject
    /// References by the names that notes use for them.
    private let references: [String: JSON]

    /// The notes of this version. Tests check that they can be read.
    static let bundled = (try? APINotes(parsing: texts)) ?? .empty

    static let texts = [
        PackageResources.api_yaml, PackageResources.schemas_yaml, PackageResources.news_yaml,
        PackageResources.learning_yaml, PackageResources.accounts_yaml, PackageResources.results_yaml,
        PackageResources.errors_yaml, PackageResources.webhooks_yaml, PackageResources.operators_yaml,
    ].map { String(decoding: $0, as: UTF8.self) }

    private static let empty = APINotes()

    private init() {
        (operations, schemas, parameters, tags, codes, results, references) = ([:], [:], [:], [:], [:], [:], [:])
    }

    /// Reads notes from several files, each of which may have any of the parts.
    ///
    /// - Throws: `YAMLError`, `JSONSyntaxError` or `PicoschemaError`.
    init(parsing texts: [String]) throws {
        let notes = try texts.map { try YAMLDocument(parsing: $0).value }
        func part(_ name: String) -> JSONObject { JSONObject(notes.flatMap { Array($0[name]?.object ?? [:]) }) }
        let written = part("schemas")
        var references: [String: JSON] = [:]
        for name in written.keys + ["ErrorCode", "JobResult"] {
            let reference: JSON = ["$ref": JSON("#/components/schemas/\(name)")]
            references[name] = reference
            references[name + "?"] = ["anyOf": [reference, ["type": "null"]]]
        }
        var schemas = JSONObject()
        for (name, schema) in written {
            // Schemas that Picoschema cannot express are written as JSON Schema.
            let isWhole = schema["oneOf"] != nil || schema["anyOf"] != nil
            let expanded = isWhole ? schema : try Picoschema.jsonSchema(from: schema, schemas: references)
            // Requests refuse unknown members; responses may get further ones.
            schemas[name] = (name.hasSuffix("Request") ? expanded : expanded.opened.timed).namingAnything
        }
        schemas["ErrorCode"] = [
            "type": "string", "enum": .array(ErrorCode.all.map { JSON($0.rawValue) }),
            "description": "Says what went wrong. A later version may have further codes.",
        ]
        schemas["AnyJSON"] = ["description": "Any JSON value"]
        operations = Dictionary(part("operations").map { ($0.key, $0.value) }) { first, _ in first }
        for operation in operations.values {
            for note in operation.schemaNotes { _ = try Self.expand(note, references) }
        }
        self.schemas = schemas
        self.references = references
        parameters = part("parameters")
        tags = part("tags")
        codes = part("error_codes")
        results = part("results")
        for (_, note) in results { _ = try Self.expand(note, references) }
    }

    /// The schema of what an agent's jobs result in; `nil` for an agent that has no note.
    func result(ofAgent agent: String) -> JSON? {
        guard let note = results[agent] else { return nil }
        return note.string.flatMap { schemas[$0] } ?? schema(note, isClosed: false)
    }

    /// The schema of a note; a closed one allows only the members that it names.
    func schema(_ note: JSON, isClosed: Bool) -> JSON {
        let schema = ((try? Self.expand(note, references)) ?? [:]).namingAnything
        return isClosed ? schema : schema.opened.timed
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

    /// The schema with a reference wherever it allows anything, since generators make nothing of an empty schema.
    var namingAnything: JSON {
        guard case .object(var members) = self else { return self }
        if members.keys.allSatisfy({ $0 == "description" }) { return ["$ref": "#/components/schemas/AnyJSON"] }
        if let properties = members["properties"]?.object {
            members["properties"] =
                properties.isEmpty ? nil : .object(JSONObject(properties.map { ($0.key, $0.value.namingAnything) }))
        }
        for name in ["items", "additionalProperties"] {
            if let schema = members[name], schema.object != nil { members[name] = schema.namingAnything }
        }
        for name in ["anyOf", "oneOf", "allOf"] {
            if let schemas = members[name]?.array { members[name] = .array(schemas.map(\.namingAnything)) }
        }
        return .object(members)
    }

    /// The schema with the format of times at the texts whose names end in `_at`.
    fileprivate var timed: JSON {
        guard case .object(var members) = self else { return self }
        if case .object(var properties)? = members["properties"] {
            for (name, property) in properties {
                var property = property.timed
                let isText = property["type"] == "string" || property["type"] == ["string", "null"]
                if name.hasSuffix("_at"), isText, property["format"] == nil, property["pattern"] == nil {
                    property["format"] = "date-time"
                }
                properties[name] = property
            }
            members["properties"] = .object(properties)
        }
        for name in ["items", "additionalProperties"] { members[name] = members[name]?.timed }
        for name in ["anyOf", "oneOf", "allOf"] {
            if let schemas = members[name]?.array { members[name] = .array(schemas.map(\.timed)) }
        }
        return .object(members)
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
}
