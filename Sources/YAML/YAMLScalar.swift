/// A scalar as the core schema of YAML 1.2 reads it.
enum YAMLScalar: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number as JSON writes it.
    case number(String)
    case string(String)
    /// `.inf` and `.nan`, for which JSON has no text.
    case notANumber(String)

    /// A quoted or block scalar: always a string, whatever it looks like.
    init(quoted text: String) { self = .string(text) }

    /// A scalar without quotes.
    init(plain text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .bool(true)
        case "false", "False", "FALSE": self = .bool(false)
        default: self = Self.numeric(text) ?? .string(text)
        }
    }

    /// About how many bytes this takes as JSON text.
    var size: Int {
        switch self {
        case .null, .bool: 5
        case .number(let text), .string(let text), .notANumber(let text): text.utf8.count + 2
        }
    }

    private static func numeric(_ text: String) -> YAMLScalar? {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, first < 0x3A, first >= 0x2B else { return nil }
        if text.hasPrefix("0o") { return integer(text.dropFirst(2), radix: 8) }
        if text.hasPrefix("0x") { return integer(text.dropFirst(2), radix: 16) }
        var rest = Substring(text)
        let sign = rest.first == "-" ? "-" : ""
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        if [".inf", ".Inf", ".INF"].contains(rest) { return .notANumber(text) }
        if [".nan", ".NaN", ".NAN"].contains(text) { return .notANumber(text) }
        let whole = takeDigits(&rest)
        var fraction = ""
        if rest.first == "." {
            rest.removeFirst()
            fraction = takeDigits(&rest)
            guard !(whole.isEmpty && fraction.isEmpty) else { return nil }
        } else if whole.isEmpty {
            return nil
        }
        var exponent = ""
        if let mark = rest.first, mark == "e" || mark == "E" {
            rest.removeFirst()
            let sign = rest.first == "-" || rest.first == "+" ? String(rest.removeFirst()) : ""
            let digits = takeDigits(&rest)
            guard !digits.isEmpty else { return nil }
            exponent = "\(mark)\(sign)\(digits)"
        }
        guard rest.isEmpty else { return nil }
        let trimmed = whole.drop { $0 == "0" }
        let integral = trimmed.isEmpty ? "0" : String(trimmed)
        return .number(sign + integral + (fraction.isEmpty ? "" : "." + fraction) + exponent)
    }

    private static func integer(_ digits: Substring, radix: Int) -> YAMLScalar? {
        guard let first = digits.first, first != "-", first != "+" else { return nil }
        return UInt64(digits, radix: radix).map { .number(String($0)) }
    }

    private static func takeDigits(_ text: inout Substring) -> String {
        let digits = text.prefix { ("0"..."9").contains($0) && $0.utf8.count == 1 }
        text = text[digits.endIndex...]
        return String(digits)
    }
}
