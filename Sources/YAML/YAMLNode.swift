internal import JSON

/// A part of a document, with aliases and merge keys already resolved.
///
/// A resolved alias shares its storage with the part that it refers to, so memory is bounded by the text that was read;
/// only `size` grows with every reference.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        case scalar
        case sequence([YAMLNode])
        case mapping([YAMLMember])
    }

    let content: Content
    /// The part as a JSON value.
    let value: JSON
    let position: YAMLPosition
    /// Roughly the bytes of this part as JSON text.
    let size: Int
    /// Levels of nesting; 0 for a scalar.
    let depth: Int

    init(scalar: YAMLScalar, position: YAMLPosition) {
        content = .scalar
        value = scalar.value
        self.position = position
        size = scalar.size + 1
        depth = 0
    }

    init(sequence: [YAMLNode], position: YAMLPosition) throws(YAMLError) {
        content = .sequence(sequence)
        value = .array(sequence.map(\.value))
        self.position = position
        size = try Self.total(sequence.lazy.map(\.size), position)
        depth = try Self.deeper(sequence.lazy.map(\.depth), position)
    }

    init(mapping: [YAMLMember], position: YAMLPosition) throws(YAMLError) {
        content = .mapping(mapping)
        value = .object(JSONObject(mapping.lazy.map { ($0.key, $0.value.value) }))
        self.position = position
        size = try Self.total(mapping.lazy.map { $0.key.utf8.count + 4 + $0.value.size }, position)
        depth = try Self.deeper(mapping.lazy.map(\.value.depth), position)
    }

    private static func total(_ sizes: some Sequence<Int>, _ position: YAMLPosition) throws(YAMLError) -> Int {
        var total = 2
        for size in sizes {
            total += size
            guard total <= YAMLLimits.expandedSize else {
                throw position.failure("aliases expand to more than \(YAMLLimits.expandedSize) bytes")
            }
        }
        return total
    }

    private static func deeper(_ depths: some Sequence<Int>, _ position: YAMLPosition) throws(YAMLError) -> Int {
        let depth = 1 + (depths.max() ?? 0)
        guard depth <= YAMLLimits.depth else {
            throw position.failure("nested deeper than \(YAMLLimits.depth) levels")
        }
        return depth
    }
}

/// A key of a mapping with its place and its value.
struct YAMLMember: Sendable {
    let key: String
    let position: YAMLPosition
    let value: YAMLNode
}

/// A scalar as the core schema of YAML 1.2 reads it.
enum YAMLScalar: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number as JSON writes it.
    case number(String)
    case string(String)
    /// `.inf` and `.nan`, which JSON cannot write.
    case notANumber(String)

    /// A quoted or block scalar: always a string, even `"12"`.
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

    var value: JSON {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .number(let literal): JSONNumber(literal: literal).map(JSON.number) ?? .string(literal)
        case .string(let text), .notANumber(let text): .string(text)
        }
    }

    /// Roughly the bytes that this takes as JSON text.
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
