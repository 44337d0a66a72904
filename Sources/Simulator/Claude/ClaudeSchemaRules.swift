internal import JSON

/// The part of JSON Schema that Claude's structured outputs and strict tools take.
struct ClaudeSchemaRules {
    private static let keywords: Set<String> = [
        "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "allOf", "$ref",
        "$defs", "definitions", "default", "description", "title", "format", "pattern", "minItems", "$schema", "$id",
    ]
    private static let rejected = [
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
        "maxItems", "uniqueItems", "minProperties", "maxProperties", "patternProperties", "oneOf", "not", "if",
    ]
    private static let formats: Set<String> = [
        "date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid",
    ]

    private let root: JSON
    private(set) var optionalProperties = 0
    private(set) var unions = 0

    private init(root: JSON) { self.root = root }

    /// What is wrong with a schema; `nil` when it can be used.
    static func problem(of schema: JSON) -> String? {
        var rules = ClaudeSchemaRules(root: schema)
        if let problem = rules.check(schema, following: []) { return problem }
        for name in ["$defs", "definitions"] {
            for definition in schema[name]?.object?.values ?? [] {
                if let problem = rules.check(definition, following: []) { return problem }
            }
        }
        if rules.optionalProperties > 24 {
            return "Schema has \(rules.optionalProperties) optional properties; at most 24 are allowed."
        }
        if rules.unions > 16 {
            return "Schema has \(rules.unions) properties with union types; at most 16 are allowed."
        }
        return nil
    }

    private mutating func check(_ schema: JSON, following references: [String]) -> String? {
        guard let members = schema.object else { return "A schema must be an object." }
        for key in members.keys {
            if Self.rejected.contains(key) {
                return "For '\(schema["type"]?.string ?? "any")' type, property '\(key)' is not supported"
            }
            if !Self.keywords.contains(key) { return "Schema keyword '\(key)' is not supported" }
        }
        if let reference = schema["$ref"]?.string {
            return check(reference: reference, following: references)
        }
        if let low = schema["minItems"]?.integer, !(0...1).contains(low) {
            return "For 'array' type, 'minItems' values other than 0 or 1 are not supported"
        }
        if let format = schema["format"]?.string, !Self.formats.contains(format) {
            return "Format '\(format)' is not supported"
        }
        if let choices = schema["enum"]?.array, choices.contains(where: { $0.array != nil || $0.object != nil }) {
            return "'enum' may hold primitive values only"
        }
        if schema["type"]?.array != nil || schema["anyOf"] != nil { unions += 1 }
        if schema["type"]?.string == "object" || schema["properties"] != nil {
            if schema["additionalProperties"] != false {
                return "For 'object' type, 'additionalProperties' must be explicitly set to false"
            }
            let required = Set(schema["required"]?.array?.compactMap(\.string) ?? [])
            let names = schema["properties"]?.object?.keys ?? []
            if let stray = required.first(where: { !names.contains($0) }) {
                return "'required' names '\(stray)', which is no property"
            }
            optionalProperties += names.filter { !required.contains($0) }.count
        }
        if schema["type"]?.string == "array", schema["items"] == nil { return "For 'array' type, 'items' is required" }
        var parts = schema["properties"]?.object?.values ?? []
        if let items = schema["items"] { parts.append(items) }
        parts += schema["anyOf"]?.array ?? []
        for part in schema["allOf"]?.array ?? [] {
            if part["$ref"] != nil { return "'allOf' with '$ref' is not supported" }
            parts.append(part)
        }
        for part in parts {
            if let problem = check(part, following: references) { return problem }
        }
        return nil
    }

    private mutating func check(reference: String, following references: [String]) -> String? {
        guard reference.hasPrefix("#/") else { return "External '$ref' is not supported: \(reference)" }
        guard !references.contains(reference) else { return "Recursive schemas are not supported: \(reference)" }
        var target: JSON? = root
        for step in reference.dropFirst(2).split(separator: "/") { target = target?[String(step)] }
        guard let target else { return "'$ref' points nowhere: \(reference)" }
        // Walked for recursion alone: what the definition holds is counted once, where it stands.
        var walk = ClaudeSchemaRules(root: root)
        return walk.check(target, following: references + [reference])
    }
}
