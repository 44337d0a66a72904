internal import JSON

/// Puts the capitals of an answer's words right: Claude does not promise the capitalisation that a schema lists.
struct EnumRepair {
    let root: JSON

    /// The value with every string that equals an allowed one but for its case replaced by it.
    func repair(_ value: JSON, against schema: JSON, depth: Int = 0) -> JSON {
        guard depth < 128 else { return value }
        if let reference = schema["$ref"]?.string {
            guard let target = SchemaLowering.resolve(reference, in: root) else { return value }
            return repair(value, against: target, depth: depth + 1)
        }
        var repaired = value
        if let text = value.string { repaired = JSON(Self.match(text, in: schema)) }
        if let members = value.object, let properties = schema["properties"]?.object {
            for (name, member) in members {
                guard let property = properties[name] else { continue }
                repaired[name] = repair(member, against: property, depth: depth + 1)
            }
        }
        if let elements = value.array, let items = schema["items"] {
            repaired = .array(elements.map { repair($0, against: items, depth: depth + 1) })
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            for variant in schema[key]?.array ?? [] { repaired = repair(repaired, against: variant, depth: depth + 1) }
        }
        return repaired
    }

    /// The allowed text that differs in case alone, where there is exactly one and the text itself is not allowed.
    private static func match(_ text: String, in schema: JSON) -> String {
        let allowed = ((schema["enum"]?.array ?? []) + [schema["const"]].compactMap(\.self)).compactMap(\.string)
        guard !allowed.contains(text) else { return text }
        let matches = allowed.filter { $0.lowercased() == text.lowercased() }
        return matches.count == 1 ? matches[0] : text
    }
}
