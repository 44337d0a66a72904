internal import JSON

/// How values become text.
enum ValueText {
    /// The text that `{{value}}` puts into the output, without any escaping.
    ///
    /// Nothing for null and what is missing; a list as its elements with commas; an object as JSON.
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
