internal import JSON

/// The values that a path can lead to at one place of a template.
struct Scope: Sendable {
    /// The context, `this`; `nil` is `undefined`.
    var value: JSON?
    /// The contexts around it, for `../`.
    var ancestors: Ancestors?
    var data: DataFrame
    var parameters: BlockParameters?
    /// Inline partials by name.
    var inlines: [String: Fragment] = [:]
    /// The program that `{{> @partial-block}}` renders.
    var partialBlock: Fragment?

    /// The scope inside of a block that makes another value the context.
    func entering(_ value: JSON?) -> Scope {
        var inner = self
        inner.ancestors = Ancestors(value: self.value, next: ancestors)
        inner.value = value
        return inner
    }

    func declaring(_ names: [String], _ values: [JSON?]) -> Scope {
        guard !names.isEmpty else { return self }
        var inner = self
        inner.parameters = BlockParameters(names: names, values: values, next: parameters)
        return inner
    }

    func lookUp(_ path: Path) -> JSON? {
        if path.isData { return lookUpData(path) }
        if path.depth == 0, !path.isScoped, let first = path.parts.first, let found = parameters?.find(first) {
            return path.parts.dropFirst().reduce(found.value) { Self.member($1, of: $0) }
        }
        var base = value
        if path.depth > 0 {
            var ancestor = ancestors
            for _ in 1..<path.depth { ancestor = ancestor?.next }
            guard let ancestor else { return nil }
            base = ancestor.value
        }
        return path.parts.reduce(base) { Self.member($1, of: $0) }
    }

    private func lookUpData(_ path: Path) -> JSON? {
        var frame: DataFrame? = data
        for _ in 0..<path.depth { frame = frame?.parent }
        guard let frame, let first = path.parts.first else { return nil }
        if first == "partial-block" { return partialBlock == nil ? nil : true }
        return path.parts.dropFirst().reduce(frame.find(first)) { Self.member($1, of: $0) }
    }

    /// A member of an object, an element of a list, or the length of a list or a text.
    static func member(_ key: String, of value: JSON?) -> JSON? {
        switch value {
        case .object(let members): members[key]
        case .array(let elements):
            if key == "length" { JSON(elements.count) } else { Int(key).flatMap { index in value?[index] } }
        case .string(let text): member(key, of: text)
        // A missing value is `nil`, not `null`: `{{#ifEquals}}` distinguishes the two, and `null` stays `null`.
        case .null: .some(.null)
        case nil, .bool, .number: Optional.none
        }
    }

    /// The length in UTF-16 code units, or one of them.
    private static func member(_ key: String, of text: String) -> JSON? {
        if key == "length" { return JSON(text.utf16.count) }
        let units = text.utf16
        guard let index = Int(key), index >= 0,
            let place = units.index(units.startIndex, offsetBy: index, limitedBy: units.endIndex),
            place < units.endIndex
        else { return Optional.none }
        return .string(String(decoding: [units[place]], as: UTF16.self))
    }
}

/// The contexts around the present one, from the inside out.
final class Ancestors: Sendable {
    let value: JSON?
    let next: Ancestors?

    init(value: JSON?, next: Ancestors?) {
        self.value = value
        self.next = next
    }
}

/// The names that a block gave to its values (`as |item index|`), from the inside out.
final class BlockParameters: Sendable {
    private let names: [String]
    private let values: [JSON?]
    private let next: BlockParameters?

    init(names: [String], values: [JSON?], next: BlockParameters?) {
        self.names = names
        self.values = values
        self.next = next
    }

    /// The value of a name, which may be `undefined`; `nil` when nothing has that name.
    func find(_ name: String) -> (value: JSON?, Void)? {
        guard let index = names.firstIndex(of: name) else { return next?.find(name) }
        return (values.indices.contains(index) ? values[index] : nil, ())
    }
}

/// The variables that start with `@`.
final class DataFrame: Sendable {
    private let values: [String: JSON]
    private let iteration: Iteration?
    let parent: DataFrame?

    /// The round of a loop.
    struct Iteration: Sendable {
        var key: JSON
        var index: Int
        var isLast: Bool
    }

    init(_ values: [String: JSON]) {
        self.values = values
        iteration = nil
        parent = nil
    }

    init(_ iteration: Iteration, in parent: DataFrame) {
        values = [:]
        self.iteration = iteration
        self.parent = parent
    }

    func find(_ name: String) -> JSON? {
        if let iteration {
            switch name {
            case "index": return JSON(iteration.index)
            case "key": return iteration.key
            case "first": return .bool(iteration.index == 0)
            case "last": return .bool(iteration.isLast)
            default: break
            }
        }
        return values[name] ?? parent?.find(name)
    }
}

/// A piece of a template together with the place where it was written: an inline partial or the inside of a partial's
/// block.
final class Fragment: Sendable {
    let program: Program
    /// The template in which it was written, for error messages.
    let origin: String?
    let scope: Scope

    init(program: Program, origin: String?, scope: Scope) {
        self.program = program
        self.origin = origin
        self.scope = scope
    }
}

/// Truth as a template tests it.
enum Truth {
    /// Whether `{{#if}}` takes the branch for false: false, null, undefined, an empty text or list, and zero.
    static func isFalse(_ value: JSON?, zeroIsTrue: Bool = false) -> Bool {
        switch value {
        case nil, .null: true
        case .bool(let flag): !flag
        case .number(let number): !zeroIsTrue && number.double == 0
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object: false
        }
    }
}

/// The conversion of values to text.
enum ValueText {
    /// The text that `{{value}}` puts into the output, without any escaping.
    ///
    /// Nothing for null and undefined; a list as its elements with commas; an object as JSON.
    static func text(of value: JSON?) -> String {
        switch value {
        case nil, .null: ""
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): text(of: number)
        case .string(let text): text
        case .array(let elements): elements.map { text(of: $0) }.joined(separator: ",")
        case .object: value.map { json($0, indent: "") } ?? ""
        }
    }

    /// A number the way JavaScript writes it, and without losing digits: `1.50` becomes `1.5`.
    static func text(of number: JSONNumber) -> String {
        let canonical = number.canonical
        guard let mark = canonical.firstIndex(of: "e"),
            let power = Int(canonical[canonical.index(after: mark)...])
        else { return canonical }
        let isNegative = canonical.hasPrefix("-")
        let digits = canonical[..<mark].drop { $0 == "-" }
        let exponent = power + digits.count - 1
        let mantissa = digits.count > 1 ? "\(digits.prefix(1)).\(digits.dropFirst())" : String(digits)
        return "\(isNegative ? "-" : "")\(mantissa)e\(exponent < 0 ? "-" : "+")\(abs(exponent))"
    }

    /// JSON text like JavaScript's `JSON.stringify`: on one line when the indent is empty.
    static func json(_ value: JSON, indent: String) -> String {
        var text = ""
        write(value, indent: indent, line: "\n", to: &text)
        return text
    }

    private static func write(_ value: JSON, indent: String, line: String, to text: inout String) {
        switch value {
        case .null, .bool: text += value.compact
        case .number(let number): text += Self.text(of: number)
        case .string(let string): writeString(string, to: &text)
        case .array(let elements):
            writeList("[", "]", elements, indent, line, &text) { element, line, text in
                write(element, indent: indent, line: line, to: &text)
            }
        case .object(let members):
            writeList("{", "}", Array(members), indent, line, &text) { member, line, text in
                writeString(member.key, to: &text)
                text += indent.isEmpty ? ":" : ": "
                write(member.value, indent: indent, line: line, to: &text)
            }
        }
    }

    private static func writeList<Item>(
        _ open: String, _ close: String, _ items: [Item], _ indent: String, _ line: String, _ text: inout String,
        _ writeItem: (Item, String, inout String) -> Void
    ) {
        text += open
        let inner = line + indent
        for (index, item) in items.enumerated() {
            if index > 0 { text += "," }
            if !indent.isEmpty { text += inner }
            writeItem(item, inner, &text)
        }
        if !indent.isEmpty, !items.isEmpty { text += line }
        text += close
    }

    private static func writeString(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{08}": text += "\\b"
            case "\u{0C}": text += "\\f"
            case "\0"..<" ":
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
