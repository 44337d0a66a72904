internal import JSON

/// Lowers a JSON Schema to the subset that a provider accepts.
///
/// Unsupported keywords move into the description, where the model may still follow them. The answer is validated
/// against the original schema, so at worst more answers need a repair.
enum SchemaLowering {
    /// The schema as Claude compiles it: every object closed, only the documented keywords.
    static func claude(_ schema: JSON) throws(SchemaLoweringError) -> JSON {
        var lowering = ClaudeSchema(root: schema)
        return try lowering.lower()
    }

    /// The schema for Gemini's `responseJsonSchema`.
    static func gemini(_ schema: JSON) throws(SchemaLoweringError) -> JSON {
        try GeminiSchema(root: schema).lower()
    }

    /// Keywords for readers and tools that no provider needs.
    static let annotations: Set<String> = [
        "$schema", "$comment", "$vocabulary", "$dynamicAnchor", "deprecated", "readOnly", "writeOnly",
    ]

    /// The description with the unsupported keywords, in the form of the providers' SDKs.
    static func describe(_ description: JSON?, _ leftover: [JSONObject.Element]) -> JSON? {
        guard !leftover.isEmpty else { return description }
        let list = leftover.map { "\($0.key): \($0.value.string ?? $0.value.compact)" }.joined(separator: ", ")
        return JSON((description?.string.map { $0 + "\n\n" } ?? "") + "{\(list)}")
    }

    /// The type that the keywords of an untyped schema imply.
    static func impliedType(_ schema: JSONObject) -> String? {
        if schema["properties"] != nil || schema["required"] != nil { return "object" }
        if schema["items"] != nil || schema["minItems"] != nil || schema["maxItems"] != nil { return "array" }
        if schema["pattern"] != nil || schema["minLength"] != nil || schema["maxLength"] != nil { return "string" }
        if schema["minimum"] != nil || schema["maximum"] != nil || schema["multipleOf"] != nil { return "number" }
        return nil
    }

    /// The target of an internal reference (`#`, `#/$defs/name`).
    static func resolve(_ reference: String, in root: JSON) -> JSON? {
        guard reference.hasPrefix("#") else { return nil }
        var place: JSON? = root
        for step in reference.dropFirst().split(separator: "/") {
            let key = step.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
                .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
            place = place?[key] ?? Int(key).flatMap { place?[$0] }
        }
        return place
    }
}

/// The reason why a schema cannot be lowered for a provider. Paths are JSON Pointers into the schema.
package enum SchemaLoweringError: Error, Hashable, Sendable {
    /// Not a valid schema; the phrase completes "the place …".
    case invalid(path: String, problem: String)
    /// Neither an object with keywords nor a schema with a type.
    case untyped(path: String)
    /// An object without listed properties: the provider would always answer an empty one.
    case openObject(path: String)
    case recursive(path: String)
    /// A `$ref` out of the schema or without a target.
    case unresolvedReference(path: String)
    case referenceInAllOf(path: String)
    /// Claude accepts at most 24 in the whole schema.
    case tooManyOptionalProperties(count: Int, limit: Int)
    /// Claude accepts at most 16 in the whole schema.
    case tooManyUnions(count: Int, limit: Int)
}

extension SchemaLoweringError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalid(let path, let problem): "\(place(path)) \(problem)"
        case .untyped(let path): "\(place(path)) has no type"
        case .openObject(let path): "\(place(path)) is an object without listed properties"
        case .recursive(let path): "\(place(path)) contains itself"
        case .unresolvedReference(let path): "\(place(path)) refers to something outside the schema"
        case .referenceInAllOf(let path): "\(place(path)) holds a reference within allOf"
        case .tooManyOptionalProperties(let count, let limit): "\(count) optional properties, at most \(limit) may be"
        case .tooManyUnions(let count, let limit): "\(count) properties of several types, at most \(limit) may be"
        }
    }

    private func place(_ path: String) -> String { path.isEmpty ? "the schema" : "'\(path)'" }
}
