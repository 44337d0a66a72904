internal import JSON

/// Lowers a schema to Claude's subset of JSON Schema.
struct ClaudeSchema {
    private static let optionalLimit = 24
    private static let unionLimit = 16
    private static let formats: Set<String> = [
        "date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid",
    ]

    private let root: JSON
    private var optionalProperties = 0
    private var unions = 0

    init(root: JSON) { self.root = root }

    mutating func lower() throws(SchemaLoweringError) -> JSON {
        try checkReferences(root, at: "", through: [])
        let lowered = try lower(root, at: "")
        guard optionalProperties <= Self.optionalLimit else {
            throw .tooManyOptionalProperties(count: optionalProperties, limit: Self.optionalLimit)
        }
        guard unions <= Self.unionLimit else { throw .tooManyUnions(count: unions, limit: Self.unionLimit) }
        return lowered
    }

    /// Checks every reference: each must resolve, and none may be recursive.
    private func checkReferences(_ schema: JSON, at path: String, through references: [String])
        throws(SchemaLoweringError)
    {
        if let reference = schema["$ref"]?.string {
            guard !references.contains(reference) else { throw .recursive(path: path) }
            guard let target = SchemaLowering.resolve(reference, in: root) else {
                throw .unresolvedReference(path: path)
            }
            return try checkReferences(target, at: path, through: references + [reference])
        }
        for (key, value) in schema.object ?? JSONObject() where key != "enum" && key != "const" && key != "default" {
            try checkReferences(value, at: "\(path)/\(key)", through: key == "$defs" ? [] : references)
        }
        for (index, value) in (schema.array ?? []).enumerated() {
            try checkReferences(value, at: "\(path)/\(index)", through: references)
        }
    }

    private mutating func lower(_ schema: JSON, at path: String) throws(SchemaLoweringError) -> JSON {
        guard var rest = schema.object else { throw .untyped(path: path) }
        for key in SchemaLowering.annotations + ["$id", "$anchor", "definitions"] { rest[key] = nil }
        var lowered = JSONObject()
        if let definitions = rest.take("$defs")?.object {
            lowered["$defs"] = .object(try lowerEach(definitions, at: "\(path)/$defs"))
        }
        if let reference = rest.take("$ref") {
            // Claude ignores keywords beside a reference.
            lowered["$ref"] = reference
            return .object(lowered)
        }
        try lowerKind(&rest, into: &lowered, at: path)
        for key in ["title", "default"] { lowered[key] = rest.take(key) }
        let description = rest.take("description")
        lowered["description"] = SchemaLowering.describe(description, Array(rest))
        return .object(lowered)
    }

    /// Lowers the keywords for allowed values; unsupported ones stay in `rest`.
    private mutating func lowerKind(_ rest: inout JSONObject, into lowered: inout JSONObject, at path: String)
        throws(SchemaLoweringError)
    {
        let type = rest.take("type") ?? SchemaLowering.impliedType(rest).map { JSON($0) }
        for key in ["enum", "const"] {
            guard let value = rest[key], (value.array ?? [value]).allSatisfy({ $0.object == nil && $0.array == nil })
            else { continue }
            lowered[key] = rest.take(key)
        }
        if lowered["enum"] != nil || lowered["const"] != nil {
            if let name = type?.string { lowered["type"] = JSON(name) }
        } else if let variants = rest.take("anyOf")?.array ?? rest.take("oneOf")?.array {
            unions += 1
            lowered["anyOf"] = .array(try lowerEach(variants, at: "\(path)/anyOf"))
        } else if let parts = rest.take("allOf")?.array {
            guard !parts.contains(where: Self.holdsReference) else { throw .referenceInAllOf(path: path) }
            lowered["allOf"] = .array(try lowerEach(parts, at: "\(path)/allOf"))
        } else if let types = type?.array?.compactMap(\.string), types.count > 1 {
            unions += 1
            var variants: [JSON] = []
            for type in types {
                var variant = JSONObject([("type", JSON(type))])
                for key in Self.keywords(of: type) { variant[key] = rest[key] }
                variants.append(try lower(.object(variant), at: path))
            }
            for key in types.flatMap(Self.keywords) { rest[key] = nil }
            lowered["anyOf"] = .array(variants)
        } else {
            guard let name = type?.string ?? type?[0]?.string else { throw .untyped(path: path) }
            lowered["type"] = JSON(name)
            try lowerType(name, &rest, into: &lowered, at: path)
        }
    }

    private mutating func lowerType(
        _ type: String, _ rest: inout JSONObject, into lowered: inout JSONObject, at path: String
    ) throws(SchemaLoweringError) {
        switch type {
        case "object":
            let properties = rest.take("properties")?.object ?? JSONObject()
            let isClosed = rest.take("additionalProperties") == false
            guard isClosed || !properties.isEmpty else { throw .openObject(path: path) }
            let required = rest.take("required")?.array ?? []
            optionalProperties += properties.keys.filter { !required.contains(JSON($0)) }.count
            lowered["properties"] = .object(try lowerEach(properties, at: "\(path)/properties"))
            lowered["required"] = .array(required)
            lowered["additionalProperties"] = false
        case "array":
            if let items = rest.take("items") { lowered["items"] = try lower(items, at: "\(path)/items") }
            if let least = rest["minItems"]?.integer, least <= 1 { lowered["minItems"] = rest.take("minItems") }
        case "string":
            if let format = rest["format"]?.string, Self.formats.contains(format) {
                lowered["format"] = rest.take("format")
            }
            if let pattern = rest["pattern"]?.string, Self.isSimple(pattern) {
                lowered["pattern"] = rest.take("pattern")
            }
        default: break
        }
    }

    private mutating func lowerEach(_ schemas: JSONObject, at path: String) throws(SchemaLoweringError) -> JSONObject {
        var lowered = JSONObject()
        for (name, schema) in schemas { lowered[name] = try lower(schema, at: "\(path)/\(name)") }
        return lowered
    }

    private mutating func lowerEach(_ schemas: [JSON], at path: String) throws(SchemaLoweringError) -> [JSON] {
        var lowered: [JSON] = []
        for (index, schema) in schemas.enumerated() { lowered.append(try lower(schema, at: "\(path)/\(index)")) }
        return lowered
    }

    private static func holdsReference(_ schema: JSON) -> Bool {
        if schema["$ref"] != nil { return true }
        return (schema.object?.values ?? schema.array ?? []).contains(where: holdsReference)
    }

    private static func keywords(of type: String) -> [String] {
        switch type {
        case "object": ["properties", "required", "additionalProperties"]
        case "array": ["items", "minItems", "maxItems", "uniqueItems"]
        case "string": ["format", "pattern", "minLength", "maxLength"]
        case "integer", "number": ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
        default: []
        }
    }

    /// Whether the grammar compiler supports a pattern: it has no assertions and back-references.
    private static func isSimple(_ pattern: String) -> Bool {
        var isEscaped = false
        var before: Character = " "
        for character in pattern {
            if isEscaped, character.isNumber || "bBpPk".contains(character) { return false }
            if before == "(", character == "?" { return false }
            before = isEscaped ? " " : character
            isEscaped = character == "\\" && !isEscaped
        }
        return true
    }
}

extension JSONObject {
    /// Removes a member and returns its value.
    mutating func take(_ key: String) -> JSON? {
        guard let value = self[key] else { return nil }
        self[key] = nil
        return value
    }
}
