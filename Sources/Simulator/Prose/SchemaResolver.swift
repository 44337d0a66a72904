internal import Basics
internal import JSON

/// Reads the parts of JSON Schema that an answer depends on.
struct SchemaResolver: Sendable {
    private static let depthLimit = 24

    let root: JSON

    /// The schema with references resolved, with `allOf` merged and the first branch of a union that is not null.
    func resolved(_ schema: JSON) -> JSON {
        var schema = schema
        for _ in 0..<Self.depthLimit {
            guard let reference = schema["$ref"]?.string else { break }
            var target: JSON? = root
            for step in reference.drop(while: { $0 == "#" }).split(separator: "/") {
                target = target?[String(step).replacing("~1", with: "/").replacing("~0", with: "~")]
            }
            schema = Self.described(target ?? .null, as: schema)
        }
        if let branches = (schema["anyOf"] ?? schema["oneOf"])?.array, schema["type"] == nil {
            let known = branches.map(resolved)
            schema = Self.described(known.first { kind(of: $0) != "null" } ?? known.first ?? .null, as: schema)
        }
        guard let parts = schema["allOf"]?.array else { return schema }
        return parts.map(resolved).reduce(into: schema) { whole, part in
            for (key, value) in part.object ?? [:] {
                if key == "properties", var properties = whole[key]?.object {
                    for (name, property) in value.object ?? [:] { properties[name] = property }
                    whole[key] = .object(properties)
                } else if key == "required" {
                    whole[key] = .array((whole[key]?.array ?? []) + (value.array ?? []))
                } else if whole[key] == nil {
                    whole[key] = value
                }
            }
        }
    }

    /// The lower-case name of a schema's type that is not null.
    func kind(of schema: JSON) -> String {
        if let name = schema["type"]?.string { return name.lowercased() }
        if let names = schema["type"]?.array?.compactMap(\.string) {
            return names.first { $0.lowercased() != "null" }?.lowercased() ?? "null"
        }
        if schema["properties"] != nil { return "object" }
        return schema["items"] != nil ? "array" : "string"
    }

    func isNullable(_ schema: JSON) -> Bool {
        let types = schema["type"]?.array?.compactMap { $0.string?.lowercased() } ?? []
        let branches = (schema["anyOf"] ?? schema["oneOf"])?.array ?? []
        return types.contains("null") || schema["nullable"] == true || schema["enum"]?.array?.contains(.null) == true
            || branches.contains { kind(of: resolved($0)) == "null" }
    }

    /// The description of a value, or of the elements of a list.
    func description(of schema: JSON) -> String {
        let schema = resolved(schema)
        let own = schema["description"]?.string ?? ""
        guard kind(of: schema) == "array", let items = schema["items"].map(resolved), kind(of: items) == "string" else {
            return own
        }
        return [own, items["description"]?.string ?? ""].filter { !$0.isEmpty }.joined(separator: ". ")
    }

    /// Every description in a schema, one in each line.
    static func descriptions(in schema: JSON) -> String {
        var lines = schema["description"]?.string.map { [$0] } ?? []
        for (_, value) in schema.object ?? [:] { lines.append(descriptions(in: value)) }
        for value in schema.array ?? [] { lines.append(descriptions(in: value)) }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The keywords of a schema, with those that a provider does not take and that therefore end the description:
    /// `{minItems: 2, pattern: ^[A-Z]+$}`.
    func limits(of schema: JSON) -> JSON {
        guard let description = schema["description"]?.string, description.last == "}",
            let open = description.firstRange(of: "{")
        else { return schema }
        var limits = schema
        for pair in description[open.upperBound...].dropLast().split(separator: ", ") {
            guard let colon = pair.firstRange(of: ": ") else { continue }
            let value = String(pair[colon.upperBound...])
            limits[String(pair[..<colon.lowerBound])] = (try? JSON(parsing: value)) ?? JSON(value)
        }
        return limits
    }

    /// A description without the keywords at its end.
    static func text(of description: String) -> String {
        guard description.last == "}", let end = description.firstRange(of: "{") else { return description }
        return String(description[..<end.lowerBound].trimmed)
    }

    private static func described(_ schema: JSON, as other: JSON) -> JSON {
        var schema = schema
        if let description = other["description"], schema["description"] == nil { schema["description"] = description }
        return schema
    }
}
