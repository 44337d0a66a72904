internal import Dotprompt
internal import JSON
internal import YAML

/// What is written down of the API's operations, apart from which there are.
struct APINotes: Sendable {
    /// By method and path: `GET /api/v1/jobs`.
    let operations: [String: JSON]
    /// By name, as OpenAPI has them.
    let schemas: JSONObject
    /// Descriptions of the parameters of paths.
    let parameters: JSONObject
    /// Names and descriptions.
    let tags: JSONObject
    /// References by the names that notes use for them.
    private let references: [String: JSON]

    /// The notes of this version. They are held by tests, so that they can be read.
    static let bundled = (try? APINotes(parsing: String(decoding: PackageResources.api_yaml, as: UTF8.self))) ?? .empty

    private static let empty = APINotes()

    private init() {
        (operations, schemas, parameters, tags, references) = ([:], [:], [:], [:], [:])
    }

    /// - Throws: `YAMLError`, `JSONSyntaxError` or `PicoschemaError`, saying what cannot be read.
    init(parsing text: String) throws {
        let notes = try JSON(parsing: YAMLDocument(parsing: text).json)
        let written = notes["schemas"]?.object ?? [:]
        var references: [String: JSON] = [:]
        for name in written.keys {
            let reference: JSON = ["$ref": JSON("#/components/schemas/\(name)")]
            references[name] = reference
            references[name + "?"] = ["anyOf": [reference, ["type": "null"]]]
        }
        var schemas = JSONObject()
        for (name, schema) in written {
            let expanded = try Picoschema.jsonSchema(from: schema, schemas: references)
            // Requests refuse what they do not know; answers may get more members.
            schemas[name] = name.hasSuffix("Request") ? expanded : expanded.opened
        }
        operations = Dictionary((notes["operations"]?.object ?? [:]).map { ($0.key, $0.value) }) { first, _ in first }
        for operation in operations.values {
            for note in operation.schemaNotes { _ = try Self.expand(note, references) }
        }
        self.schemas = schemas
        self.references = references
        parameters = notes["parameters"]?.object ?? [:]
        tags = notes["tags"]?.object ?? [:]
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
