internal import Dotprompt
internal import JSON
internal import YAML

/// What is written down of the API's operations, apart from which there are.
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

    /// The notes of this version. They are held by tests, so that they can be read.
    static let bundled = (try? APINotes(parsing: texts)) ?? .empty

    private static let texts = [
        PackageResources.api_yaml, PackageResources.schemas_yaml, PackageResources.news_yaml,
    ].map { String(decoding: $0, as: UTF8.self) }

    private static let empty = APINotes()

    private init() {
        (operations, schemas, parameters, tags, references) = ([:], [:], [:], [:], [:])
    }

    /// Reads notes that stand in several files, each of which may have any of the parts.
    ///
    /// - Throws: `YAMLError`, `JSONSyntaxError` or `PicoschemaError`, saying what cannot be read.
    init(parsing texts: [String]) throws {
        let notes = try texts.map { try JSON(parsing: YAMLDocument(parsing: $0).json) }
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
            // What Picoschema has no notation for stands there as JSON Schema.
            let isWhole = schema["anyOf"] != nil
            let expanded = isWhole ? schema : try Picoschema.jsonSchema(from: schema, schemas: references)
            // Requests refuse what they do not know; answers may get more members.
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

    /// The schema behind a note; a closed one allows nothing that it does not name.
    func schema(_ note: JSON, isClosed: Bool) -> JSON {
        let schema = (try? Self.expand(note, references)) ?? [:]
        return isClosed ? schema : schema.opened
    }

    /// Picoschema, and a list as `(array): …` alone.
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
}
