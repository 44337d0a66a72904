/// What a field of a log line can hold.
package enum LogValue: Sendable, Equatable {
    case string(String)
    case integer(Int64)
    case double(Double)
    case bool(Bool)
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension LogValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension LogValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// A JSON object on one line, built field by field.
struct LogLine {
    /// Longer texts are cut, so that nobody's input floods the log.
    private static let longestText = 2000

    private(set) var body = "{"

    var text: String { body + "}" }

    mutating func add(_ name: String, _ value: LogValue) {
        if body.utf8.count > 1 { body += "," }
        append(quoted: name)
        body += ":"
        switch value {
        case .string(let text):
            // Characters are counted only where there could be too many.
            let isTooLong = text.utf8.count > Self.longestText && text.count > Self.longestText
            append(quoted: isTooLong ? text.prefix(Self.longestText) + "…" : text)
        case .integer(let number): body += String(number)
        case .double(let number): body += number.isFinite ? "\(number)" : "null"
        case .bool(let flag): body += flag ? "true" : "false"
        }
    }

    private mutating func append(quoted text: String) {
        body += "\""
        defer { body += "\"" }
        guard text.utf8.contains(where: Self.needsEscape) else {
            body += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": body += "\\\""
            case "\\": body += "\\\\"
            case "\n": body += "\\n"
            case "\r": body += "\\r"
            case "\t": body += "\\t"
            case "\u{0}"..<" ": body += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: body.unicodeScalars.append(scalar)
            }
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
