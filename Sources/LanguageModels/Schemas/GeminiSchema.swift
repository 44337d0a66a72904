internal import JSON

/// Lowers a schema to Gemini's subset of JSON Schema.
struct GeminiSchema {
    private static let kept: Set<String> = [
        "$id", "$anchor", "type", "format", "title", "description", "enum", "minItems", "maxItems", "minimum",
        "maximum",
        "required", "propertyOrdering",
    ]
    /// Keywords that only the description keeps; a default does not restrict an answer.
    private static let dropped: Set<String> = SchemaLowering.annotations.union(["default", "definitions"])

    let root: JSON

    func lower() throws(SchemaLoweringError) -> JSON {
        guard root.object != nil else { throw .untyped(path: "") }
        try checkCycles(root, at: "", through: [])
        return try lower(root, at: "")
    }

    /// A schema may contain itself only in an optional property.
    private func checkCycles(_ schema: JSON, at path: String, through references: [String])
        throws(SchemaLoweringError)
    {
        if let reference = schema["$ref"]?.string {
            guard !references.contains(reference) else { throw .recursive(path: path) }
            guard let target = SchemaLowering.resolve(reference, in: root) else {
                throw .unresolvedReference(path: path)
            }
            return try checkCycles(target, at: path, through: references + [reference])
        }
        let required = schema["required"]?.array ?? []
        for (name, property) in schema["properties"]?.object ?? JSONObject() where required.contains(JSON(name)) {
            try checkCycles(property, at: "\(path)/properties/\(name)", through: references)
        }
        for key in ["items", "additionalProperties"] {
            if let inner = schema[key] { try checkCycles(inner, at: "\(path)/\(key)", through: references) }
        }
        for key in ["anyOf", "oneOf", "allOf", "prefixItems"] {
            for (index, inner) in (schema[key]?.array ?? []).enumerated() {
                try checkCycles(inner, at: "\(path)/\(key)/\(index)", through: references)
            }
        }
    }

    private func lower(_ schema: JSON, at path: String) throws(SchemaLoweringError) -> JSON {
        // The schemas `true` and `false` have no keyword, and an empty schema allows any value.
        guard let keywords = schema.object else { return [:] }
        if let reference = keywords["$ref"]?.string {
            guard SchemaLowering.resolve(reference, in: root) != nil else { throw .unresolvedReference(path: path) }
            var lowered: JSON = ["$ref": JSON(reference)]
            if let definitions = keywords["$defs"] {
                lowered["$defs"] = try lowerMembers(definitions, at: "\(path)/$defs")
            }
            return lowered
        }
        var lowered = JSONObject()
        var leftover = JSONObject()
        for (key, value) in keywords {
            switch key {
            case _ where Self.kept.contains(key): lowered[key] = value
            case "$defs", "properties": lowered[key] = try lowerMembers(value, at: "\(path)/\(key)")
            case "items": lowered[key] = try lower(value, at: "\(path)/items")
            case "additionalProperties":
                lowered[key] = value.bool != nil ? value : try lower(value, at: "\(path)/additionalProperties")
            case "anyOf", "oneOf", "prefixItems": lowered[key] = try lowerElements(value, at: "\(path)/\(key)")
            case "const": lowered["enum"] = [value]
            case "allOf": try merge(value.array ?? [], into: &lowered, leftover: &leftover, at: path)
            case _ where Self.dropped.contains(key): break
            default: leftover[key] = value
            }
        }
        lowered["description"] = SchemaLowering.describe(lowered["description"], Array(leftover))
        return .object(lowered)
    }

    /// `allOf` has no keyword: its parts are merged into the schema itself.
    private func merge(
        _ parts: [JSON], into lowered: inout JSONObject, leftover: inout JSONObject, at path: String
    ) throws(SchemaLoweringError) {
        for (index, part) in parts.enumerated() {
            guard part["$ref"] == nil else { throw .referenceInAllOf(path: path) }
            for (key, value) in try lower(part, at: "\(path)/allOf/\(index)").object ?? JSONObject() {
                switch key {
                case "properties":
                    var properties = lowered[key]?.object ?? JSONObject()
                    for (name, property) in value.object ?? JSONObject() { properties[name] = property }
                    lowered[key] = .object(properties)
                case "required": lowered[key] = .array((lowered[key]?.array ?? []) + (value.array ?? []))
                case "description": leftover["and"] = value
                default: if lowered[key] == nil { lowered[key] = value } else { leftover[key] = value }
                }
            }
        }
    }

    private func lowerMembers(_ schemas: JSON, at path: String) throws(SchemaLoweringError) -> JSON {
        var lowered = JSONObject()
        for (name, schema) in schemas.object ?? JSONObject() {
            lowered[name] = try lower(schema, at: "\(path)/\(name)")
        }
        return .object(lowered)
    }

    private func lowerElements(_ schemas: JSON, at path: String) throws(SchemaLoweringError) -> JSON {
        var lowered: [JSON] = []
        for (index, schema) in (schemas.array ?? []).enumerated() {
            lowered.append(try lower(schema, at: "\(path)/\(index)"))
        }
        return .array(lowered)
    }
}
