internal import JSON
internal import Prompts

/// The schemas of the kinds of jobs that users may submit: the input, the request and the result of each, and the
/// requests and results of all, which `kind` tells apart. A kind that was added as a file has them, too.
struct KindSchemas {
    private let kinds: [JobKind]
    private let notes: APINotes

    init(_ kinds: some Sequence<JobKind>, notes: APINotes) {
        self.kinds = kinds.filter { !$0.isForOperators }.sorted { $0.name < $1.name }
        self.notes = notes
    }

    /// The name of the schema of a kind's results: `AddedKindResult` for `added-kind`.
    static func resultName(of kind: String) -> String { pascalCase(kind) + "Result" }

    private static func pascalCase(_ kind: String) -> String {
        kind.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Adds the schemas to those that are written. Without kinds, `JobRequest` stays as it is written.
    func add(to schemas: inout JSONObject) {
        guard !kinds.isEmpty, let request = schemas["JobRequest"] else {
            schemas["JobResult"] = ["$ref": "#/components/schemas/AnyJSON"]
            return
        }
        for kind in kinds {
            let name = Self.pascalCase(kind.name)
            for (name, schema) in inputs(of: kind, named: name + "Input") { schemas[name] = schema }
            schemas[name + "JobRequest"] = Self.request(request, of: kind, input: name + "Input")
            schemas[name + "Result"] = result(of: kind)
        }
        schemas["JobRequest"] = choice("JobRequest")
        schemas["JobResult"] = choice("Result")
    }

    /// One of the schemas of all kinds, by the value of `kind`.
    private func choice(_ suffix: String) -> JSON {
        let references = kinds.map { JSON("#/components/schemas/\(Self.pascalCase($0.name))\(suffix)") }
        return [
            "oneOf": .array(references.map { ["$ref": $0] }),
            "discriminator": [
                "propertyName": "kind", "mapping": .object(JSONObject(zip(kinds.map(\.name), references).map { $0 })),
            ],
        ]
    }

    // MARK: Requests

    private static func request(_ written: JSON, of kind: JobKind, input: String) -> JSON {
        var properties = written["properties"]?.object ?? [:]
        properties["kind"] = ["type": "string", "const": JSON(kind.name)]
        properties["input"] = ["$ref": JSON("#/components/schemas/\(input)")]
        var request = written
        request["description"] = JSON(kind.title)
        request["properties"] = .object(properties)
        return request
    }

    /// The schema of a kind's inputs, after those of its alternatives.
    private func inputs(of kind: JobKind, named name: String) -> [(name: String, schema: JSON)] {
        var schema = kind.inputSchema.namingAnything
        for (member, name) in [("language", "LanguageTag"), ("persona", "PersonaID")] {
            guard notes.schemas[name] != nil, var properties = schema["properties"]?.object,
                properties[member]?["type"] == "string"
            else { continue }
            properties[member] = ["$ref": JSON("#/components/schemas/\(name)")]
            schema["properties"] = .object(properties)
        }
        return Self.withWholeAlternatives(schema, named: name)
    }

    /// The schema with alternatives that have names of their own, by the members that only they require. Generators
    /// make nothing of alternatives that only name the members that they require, and one of them takes those of an
    /// alternative without a name for declared twice.
    private static func withWholeAlternatives(_ schema: JSON, named name: String) -> [(name: String, schema: JSON)] {
        guard let alternatives = schema["oneOf"]?.array, let properties = schema["properties"]?.object else {
            return [(name, schema)]
        }
        let required = alternatives.map { Set(($0["required"]?.array ?? []).compactMap(\.string)) }
        guard zip(alternatives, required).allSatisfy({ $0.object?.count == 1 && !$1.isEmpty }) else {
            return [(name, schema)]
        }
        let always = schema["required"]?.array ?? []
        let distinguishing = required.reduce(into: Set<String>()) { $0.formUnion($1) }
        let whole: [(name: String, schema: JSON)] = required.map { own in
            var alternative = schema
            alternative["oneOf"] = nil
            alternative["properties"] = .object(
                JSONObject(properties.filter { own.contains($0.key) || !distinguishing.contains($0.key) }.map { $0 }))
            alternative["required"] = .array(always + properties.keys.filter(own.contains).map { JSON($0) })
            let members = properties.keys.filter(own.contains).map(pascalCase)
            return ("\(name)With\(members.joined(separator: "And"))", alternative)
        }
        let references = whole.map { JSON("#/components/schemas/\($0.name)") }
        let choice: JSON = ["oneOf": .array(references.map { ["$ref": $0] })]
        return whole + [(name, choice)]
    }

    // MARK: Results

    private func result(of kind: JobKind) -> JSON {
        var schema = notes.result(ofAgent: kind.agent) ?? ["type": "object"]
        var properties: JSONObject = ["kind": ["type": "string", "const": JSON(kind.name)]]
        for (name, property) in schema["properties"]?.object ?? [:] { properties[name] = property }
        schema["description"] = JSON(kind.title)
        schema["properties"] = .object(properties)
        schema["required"] = .array(["kind"] + (schema["required"]?.array ?? []))
        return schema
    }
}
