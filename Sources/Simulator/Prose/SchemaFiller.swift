internal import JSON

/// Makes a value that a JSON Schema allows, with prose that suits the names of its properties.
///
/// Reads JSON Schema as Claude and OpenAI take it and Gemini's dialect (types in capitals, `nullable`).
struct SchemaFiller: Sendable {
    private(set) var writer: ProseWriter
    private let root: JSON
    private static let depthLimit = 24

    init(_ writer: ProseWriter, root: JSON) {
        self.writer = writer
        self.root = root
    }

    mutating func value() -> JSON { value(root, Place()) }

    /// Where in the answer a value stands.
    private struct Place {
        var name = ""
        var parents: [String] = []
        var description = ""
        /// The fact that the object around it is about.
        var focus: FactLine?
        var index = 0

        var depth: Int { parents.count }
        var topic: Topic { Topic(name: name, parents: parents) }
    }

    private mutating func value(_ schema: JSON, _ place: Place) -> JSON {
        let schema = resolved(schema)
        var place = place
        if let description = schema["description"]?.string { place.description = description }
        if let constant = schema["const"] { return constant }
        if let choices = schema["enum"]?.array { return writer.element(of: choices) ?? .null }
        if let branches = (schema["anyOf"] ?? schema["oneOf"])?.array, schema["type"] == nil {
            let branch = branches.first { kind(of: resolved($0)) != "null" } ?? branches.first
            return value(branch ?? .null, place)
        }
        switch kind(of: schema) {
        case "object": return object(schema, place)
        case "array": return array(schema, place)
        case "integer", "number": return number(schema, place)
        // A grader is a friendly one.
        case "boolean": return .bool(place.name == "pass" || writer.number(below: 2) == 0)
        case "null": return .null
        default: return string(schema, place)
        }
    }

    // MARK: Containers

    private mutating func object(_ schema: JSON, _ place: Place) -> JSON {
        guard let properties = schema["properties"]?.object, place.depth < Self.depthLimit else { return .object([:]) }
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        // Required properties come first, as Claude writes them.
        let optional = properties.keys.filter { !required.contains($0) && place.depth < Self.depthLimit / 2 }
        var members = JSONObject()
        for name in required + optional {
            guard let property = properties[name] else { continue }
            members[name] = value(
                property,
                Place(
                    name: snakeCase(name), parents: place.parents + [place.name], focus: place.focus, index: place.index
                ))
        }
        return .object(members)
    }

    private mutating func array(_ schema: JSON, _ place: Place) -> JSON {
        let low = schema["minItems"]?.integer.map(Int.init) ?? 0
        let high = schema["maxItems"]?.integer.map(Int.init) ?? max(low, 64)
        let wanted = chosen(LengthHint.count(in: place.description)) ?? 3
        let count = min(max(wanted, low), max(high, 0))
        if let fixed = schema["prefixItems"]?.array {
            return .array(fixed.map { value($0, Place(name: place.name, parents: place.parents + [place.name])) })
        }
        guard place.depth < Self.depthLimit, let items = schema["items"] else { return .array([]) }
        return .array(
            (0..<count).map { index in
                // What a statement refers to begins with the fact that it states.
                let isOwnReference =
                    index == 0 && StringForm.Role(name: singular(place.name), parents: []) == .reference
                let focus = (isOwnReference ? place.focus : nil) ?? writer.fact(for: place.name, place.topic)
                return value(
                    items,
                    Place(
                        name: singular(place.name), parents: place.parents + [place.name], focus: focus, index: index))
            })
    }

    // MARK: Leaves

    private mutating func number(_ schema: JSON, _ place: Place) -> JSON {
        let stated = LengthHint.count(in: place.description)
        let low = schema["minimum"]?.double ?? schema["exclusiveMinimum"]?.double.map { $0 + 1 }
        let high = schema["maximum"]?.double ?? schema["exclusiveMaximum"]?.double.map { $0 - 1 }
        let bottom = low ?? high.map { min(0, $0) } ?? Double(stated?.low ?? 0)
        let top = high ?? stated.map { Double($0.high) } ?? bottom
        let middle = bottom + ((top - bottom) * 0.6).rounded()
        return JSON(Int64(exactly: middle.rounded()) ?? 0)
    }

    private mutating func string(_ schema: JSON, _ place: Place) -> JSON {
        if let format = schema["format"]?.string, let text = StringForm.example(of: format, index: place.index) {
            return .string(text)
        }
        let text = text(place)
        let longest = schema["maxLength"]?.integer.map(Int.init) ?? .max
        let shortest = schema["minLength"]?.integer.map(Int.init) ?? 0
        let fitted = StringForm.fit(text, shortest: shortest, longest: longest)
        guard let pattern = schema["pattern"]?.string else { return .string(fitted) }
        let candidates = [fitted] + [place.focus?.id, writer.material.ticker].compactMap(\.self)
        return .string(StringForm.matching(pattern, among: candidates) ?? fitted)
    }

    private mutating func text(_ place: Place) -> String {
        switch StringForm.Role(name: place.name, parents: place.parents) {
        case .reference:
            return place.focus?.id ?? writer.fact(for: place.name)?.id ?? writer.excerpt() ?? "source"
        case .ticker: return writer.material.ticker ?? "TICKER"
        case .subject: return writer.material.subject ?? "the company"
        case .quote: return writer.excerpt() ?? place.focus?.value ?? writer.title(place.topic, about: nil)
        case .question:
            return "What does the material say about \(writer.title(.plain, about: place.focus).lowercasedFirst)?"
        case .title: return StringForm.shortened(writer.title(place.topic, about: place.focus), words: 10)
        // A number to watch for is none of the facts, and no other is made up.
        case .threshold: return "a lasting change from the reported level"
        case .prose: break
        }
        let usual = place.topic == .summary || place.parents.count < 2 ? 3 : 2
        let sentences = chosen(LengthHint.range(of: "sentence", in: place.description)) ?? usual
        let paragraphs = chosen(LengthHint.range(of: "paragraph", in: place.description)) ?? 1
        var parts: [String] = []
        for number in 0..<paragraphs {
            parts.append(
                writer.prose(
                    place.topic, name: place.name, sentences: sentences, about: number == 0 ? place.focus : nil))
        }
        let text = parts.joined(separator: "\n\n")
        guard let words = LengthHint.range(of: "word", in: place.description) else { return text }
        return StringForm.cut(text, words: words.high)
    }

    private mutating func chosen(_ hint: LengthHint?) -> Int? {
        hint.map { $0.low + writer.number(below: $0.high - $0.low + 1) }
    }

    // MARK: Reading the schema

    private func resolved(_ schema: JSON) -> JSON {
        var schema = schema
        for _ in 0..<Self.depthLimit {
            guard let reference = schema["$ref"]?.string else { break }
            var target: JSON? = root
            for step in reference.drop(while: { $0 == "#" }).split(separator: "/") {
                target = target?[String(step).replacing("~1", with: "/").replacing("~0", with: "~")]
            }
            var found = target ?? .null
            if let description = schema["description"], found["description"] == nil {
                found["description"] = description
            }
            schema = found
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

    private func kind(of schema: JSON) -> String {
        if let name = schema["type"]?.string { return name.lowercased() }
        if let names = schema["type"]?.array?.compactMap(\.string) {
            return names.first { $0.lowercased() != "null" }?.lowercased() ?? "null"
        }
        if schema["properties"] != nil { return "object" }
        return schema["items"] != nil ? "array" : "string"
    }

    private func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { text, character in
            if character.isUppercase, text.last?.isLowercase == true { text += "_" }
            text += character == "-" ? "_" : character.lowercased()
        }
    }

    private func singular(_ name: String) -> String { name.hasSuffix("s") ? String(name.dropLast()) : name }
}
