internal import JSON

/// The fields of requests to Claude.
enum ClaudeShapes {
    static let cacheControl = Shape.nullable(
        .object(["type": .choice(["ephemeral"]), "ttl": .choice(["5m", "1h"])], required: ["type"]))

    static let text = Shape.object(
        [
            "type": .choice(["text"]), "text": .string, "cache_control": cacheControl,
            "citations": .nullable(.list(.map)),
        ], required: ["type", "text"])

    static let toolUse = Shape.object(
        [
            "type": .choice(["tool_use"]), "id": .string, "name": .string, "input": .map,
            "cache_control": cacheControl, "caller": .map, "toolset_name": .nullable(.string),
        ], required: ["type", "id", "name", "input"])

    static let toolResult = Shape.object(
        [
            "type": .choice(["tool_result"]), "tool_use_id": .string, "content": .either(.string, .list(.map)),
            "is_error": .bool, "cache_control": cacheControl, "toolset_name": .nullable(.string),
        ], required: ["type", "tool_use_id"])

    static let thinkingBlock = Shape.object(
        ["type": .choice(["thinking"]), "thinking": .string, "signature": .string],
        required: ["type", "thinking", "signature"])

    static let redactedThinking = Shape.object(
        ["type": .choice(["redacted_thinking"]), "data": .string], required: ["type", "data"])

    /// Blocks that are taken without a look inside.
    static let otherBlocks: Set<String> = [
        "image", "document", "search_result", "server_tool_use", "web_search_tool_result", "web_fetch_tool_result",
        "code_execution_tool_result", "bash_code_execution_tool_result", "text_editor_code_execution_tool_result",
        "tool_search_tool_result", "container_upload",
    ]

    static let blocks: [String: Shape] = [
        "text": text, "tool_use": toolUse, "tool_result": toolResult, "thinking": thinkingBlock,
        "redacted_thinking": redactedThinking,
    ]

    static let message = Shape.object(
        ["role": .choice(["user", "assistant"]), "content": .either(.string, .list(.map))],
        required: ["role", "content"])

    static let tool = Shape.object(
        [
            "type": .nullable(.choice(["custom"])), "name": .string, "description": .string, "input_schema": .map,
            "strict": .bool, "cache_control": cacheControl, "defer_loading": .bool,
            "eager_input_streaming": .nullable(.bool), "input_examples": .list(.map),
            "allowed_callers": .list(.string),
        ], required: ["name", "input_schema"])

    static let toolChoice = Shape.object(
        [
            "type": .choice(["auto", "any", "none", "tool"]), "name": .string, "disable_parallel_tool_use": .bool,
        ], required: ["type"])

    static let thinking = Shape.object(
        [
            "type": .choice(["adaptive", "enabled", "disabled", "between_tools"]), "budget_tokens": .integer,
            "display": .nullable(.choice(["summarized", "omitted"])),
        ], required: ["type"])

    static let outputConfig = Shape.object([
        "effort": .nullable(.choice(["low", "medium", "high", "xhigh", "max"])),
        "format": .nullable(
            .object(["type": .choice(["json_schema"]), "schema": .map], required: ["type", "schema"])),
    ])

    private static let common: [String: Shape] = [
        "model": .string, "messages": .list(message), "system": .either(.string, .list(text)), "tools": .list(.map),
        "tool_choice": toolChoice, "thinking": thinking, "output_config": outputConfig, "cache_control": cacheControl,
        "speed": .nullable(.choice(["standard", "fast"])),
    ]

    static let countTokens = Shape.object(common, required: ["model", "messages"])

    static let create = Shape.object(
        common.merging([
            "max_tokens": .integer, "metadata": .object(["user_id": .nullable(.string)]),
            "stop_sequences": .list(.string), "service_tier": .choice(["auto", "standard_only"]), "stream": .bool,
            "temperature": .number, "top_p": .number, "top_k": .integer, "inference_geo": .nullable(.string),
            "container": .nullable(.either(.string, .map)), "diagnostics": .nullable(.map),
        ]) { $1 }, required: ["model", "max_tokens", "messages"])
}

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

    /// The problem with a schema; `nil` when it can be used.
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
        // Walked for recursion alone: the content of a definition is counted once, at the definition.
        var walk = ClaudeSchemaRules(root: root)
        return walk.check(target, following: references + [reference])
    }
}
