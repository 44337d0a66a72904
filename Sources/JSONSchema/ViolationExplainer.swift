internal import JSON

/// Finds words for what is wrong with a value that was judged invalid.
struct ViolationExplainer: Sendable {
    /// Enough for anyone to begin with.
    static let limit = 50

    let root: JSON

    func explain(_ value: JSON) -> [JSONSchema.Violation] {
        var seen: Set<JSONSchema.Violation> = []
        let all = violations(of: root, value, FieldPath()).filter { seen.insert($0).inserted }
        return Array(all.prefix(Self.limit))
    }

    func violations(of schema: JSON, _ value: JSON, _ path: FieldPath) -> [JSONSchema.Violation] {
        if schema == false { return [path.violation("is not allowed")] }
        guard let rules = schema.object else { return [] }
        if let reference = rules["$ref"]?.string {
            return resolve(reference).map { violations(of: $0, value, path) } ?? []
        }
        if let types = rules["type"], !Self.fits(value, types) {
            return [path.violation("must be \(Self.names(of: types)), not \(Self.article(value))")]
        }
        var found = valueViolations(rules, value, path)
        switch value {
        case .string(let text): found += textViolations(rules, text, path)
        case .number(let number): found += numberViolations(rules, number, path)
        case .array(let elements): found += arrayViolations(rules, elements, path)
        case .object(let members): found += objectViolations(rules, members, path)
        default: break
        }
        return found + combinationViolations(rules, value, path)
    }

    func resolve(_ reference: String) -> JSON? {
        var place: JSON? = root
        for step in reference.dropFirst().split(separator: "/") {
            let key = Self.unescaped(step)
            if place?.array != nil { place = Int(key).flatMap { place?[$0] } } else { place = place?[key] }
        }
        return place
    }

    private static func unescaped(_ step: Substring) -> String {
        var key = ""
        var isEscape = false
        for character in step {
            if isEscape {
                key += character == "0" ? "~" : "/"
                isEscape = false
            } else if character == "~" {
                isEscape = true
            } else {
                key.append(character)
            }
        }
        return key
    }

    // MARK: Types and fixed values

    private func valueViolations(_ rules: JSONObject, _ value: JSON, _ path: FieldPath) -> [JSONSchema.Violation] {
        if let expected = rules["const"], expected != value {
            return [path.violation("must be \(Self.shown(expected))")]
        }
        guard let values = rules["enum"]?.array, !values.contains(value) else { return [] }
        if values.count == 1 { return [path.violation("must be \(Self.shown(values[0]))")] }
        let shown = values.prefix(20).map(Self.shown).joined(separator: ", ") + (values.count > 20 ? ", …" : "")
        return [path.violation("must be one of \(shown)")]
    }

    static func fits(_ value: JSON, _ types: JSON) -> Bool {
        (types.array ?? [types]).contains { type in
            switch type.string {
            case "integer": value.integer != nil
            case let name?: value.kind.rawValue == name
            case nil: false
            }
        }
    }

    private static func names(of types: JSON) -> String {
        let names = (types.array ?? [types]).compactMap(\.string).map { name in
            switch name {
            case "null": "null"
            case "integer": "a whole number"
            case "array", "object": "an \(name)"
            default: "a \(name)"
            }
        }
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }

    private static func article(_ value: JSON) -> String {
        switch value.kind {
        case .null: "null"
        case .array, .object: "an \(value.kind.rawValue)"
        case .number: value.integer == nil ? "a number with a fraction" : "a number"
        default: "a \(value.kind.rawValue)"
        }
    }

    /// A value of the schema in a message; long ones are cut.
    static func shown(_ value: JSON) -> String {
        let text = value.compact
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}
