internal import JSON

/// The two dialects of schemas that Gemini takes.
enum GeminiSchemaRules {
    private static let openAPI: Set<String> = [
        "type", "nullable", "enum", "format", "items", "minItems", "maxItems", "minLength", "maxLength", "pattern",
        "minimum", "maximum", "anyOf", "propertyOrdering", "required", "properties", "description", "title", "default",
        "example", "minProperties", "maxProperties", "additionalProperties", "defs", "ref",
    ]
    private static let jsonSchema: Set<String> = [
        "$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum", "items", "prefixItems",
        "minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties",
        "required", "propertyOrdering",
    ]
    private static let types: Set<String> = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"]

    /// `responseSchema` and `parameters`: types in capitals.
    static func problem(ofOpenAPI schema: JSON) -> String? {
        walk(schema, "response_schema") { node, path in
            if let unknown = node.keys.first(where: { !openAPI.contains($0) }) {
                return "Unknown name \"\(unknown)\" at '\(path)': Cannot find field."
            }
            guard let type = node["type"] else { return node["anyOf"] == nil ? "\(path).type must be specified" : nil }
            guard let name = type.string, types.contains(name.uppercased()) else {
                return "Invalid value at '\(path).type' (TYPE_ENUM), \(type.compact)"
            }
            if name.uppercased() == "ARRAY", node["items"] == nil { return "\(path).items: missing field." }
            if name.uppercased() == "OBJECT", node["properties"]?.object?.isEmpty != false {
                return "\(path).properties: should be non-empty for OBJECT type"
            }
            return nil
        }
    }

    /// `responseJsonSchema` and `parametersJsonSchema`.
    static func problem(ofJSONSchema schema: JSON) -> String? {
        guard schema.object != nil else { return "response_json_schema must be an object" }
        return walk(schema, "response_json_schema") { node, path in
            if let unknown = node.keys.first(where: { !jsonSchema.contains($0) }) {
                return "'\(path)': the keyword '\(unknown)' is not supported"
            }
            if node["$ref"] != nil, let extra = node.keys.first(where: { !$0.hasPrefix("$") }) {
                return "'\(path)': '\(extra)' may not stand beside $ref"
            }
            return nil
        }
    }

    private static func walk(
        _ schema: JSON, _ path: String, _ check: (JSONObject, String) -> String?
    ) -> String? {
        guard let node = schema.object else { return "'\(path)' must be an object" }
        if let problem = check(node, path) { return problem }
        for key in ["properties", "$defs"] {
            for (name, part) in node[key]?.object ?? [:] {
                if let problem = walk(part, "\(path).\(key)[\(name)]", check) { return problem }
            }
        }
        if let items = node["items"], let problem = walk(items, path + ".items", check) { return problem }
        for key in ["anyOf", "oneOf", "prefixItems"] {
            for (place, part) in (node[key]?.array ?? []).enumerated() {
                if let problem = walk(part, "\(path).\(key)[\(place)]", check) { return problem }
            }
        }
        return nil
    }
}
