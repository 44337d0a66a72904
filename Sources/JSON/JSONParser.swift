/// Why a text is not JSON, and where.
public struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
    /// The problem.
    public let message: String
    /// The line, counting from 1.
    public let line: Int
    /// The byte in the line, counting from 1.
    public let column: Int

    /// The place and the message.
    public var description: String { "line \(line), column \(column): \(message)" }
}

extension JSON {
    /// Reads one JSON text (RFC 8259).
    ///
    /// - Throws: `JSONSyntaxError` for anything else, also for nesting deeper than 512 and for text after the value.
    public init(parsing text: String) throws(JSONSyntaxError) {
        self = try JSON(parsing: text.utf8)
    }

    /// Reads one JSON text from UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - longestKey: The length in bytes above which a key is refused; `nil` permits any.
    ///   - isStrict: Whether what readers take in different ways is refused, as in texts that are signed: a key that an
    ///     object has twice, a lone half of a surrogate pair, and a byte order mark.
    /// - Throws: `JSONSyntaxError` as for a text, and for a refused key.
    public init(
        parsing bytes: some Sequence<UInt8>, longestKey: Int? = nil, isStrict: Bool = false
    ) throws(JSONSyntaxError) {
        func parse(_ buffer: UnsafeBufferPointer<UInt8>) -> Result<JSON, JSONSyntaxError> {
            Result { () throws(JSONSyntaxError) in
                var parser = JSONParser(
                    bytes: buffer, longestKey: longestKey, isStrict: isStrict)
                return try parser.parseDocument()
            }
        }
        let result = bytes.withContiguousStorageIfAvailable(parse) ?? Array(bytes).withUnsafeBufferPointer(parse)
        self = try result.get()
    }
}

private struct JSONParser {
    private static let depthLimit = 512

    let bytes: UnsafeBufferPointer<UInt8>
    let longestKey: Int?
    let isStrict: Bool
    var offset = 0
    var depth = 0

    init(bytes: UnsafeBufferPointer<UInt8>, longestKey: Int?, isStrict: Bool) {
        self.bytes = bytes
        self.longestKey = longestKey
        self.isStrict = isStrict
    }

    mutating func parseDocument() throws(JSONSyntaxError) -> JSON {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            guard !isStrict else { throw failure("a byte order mark") }
            offset = 3
        }
        let value = try parseValue()
        skipSpace()
        guard offset == bytes.count else { throw failure("text after the end of the value") }
        return value
    }

    private mutating func parseValue() throws(JSONSyntaxError) -> JSON {
        skipSpace()
        guard offset < bytes.count else { throw failure("the text ends where a value was expected") }
        switch bytes[offset] {
        case UInt8(ascii: "{"): return try parseObject()
        case UInt8(ascii: "["): return try parseArray()
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): return try parseWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
        default: throw failure("a value cannot start with \(describe(bytes[offset]))")
        }
    }

    private mutating func parseObject() throws(JSONSyntaxError) -> JSON {
        try enter()
        var members = JSONObject()
        skipSpace()
        if take("}") { depth -= 1; return .object(members) }
        while true {
            skipSpace()
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
                throw failure("expected a key in double quotes")
            }
            let key = try parseKey()
            if isStrict, members[key] != nil { throw failure("a key comes twice") }
            skipSpace()
            guard take(":") else { throw failure("expected ':' after a key") }
            members[key] = try parseValue()
            skipSpace()
            if take(",") { continue }
            guard take("}") else { throw failure("expected ',' or '}'") }
            depth -= 1
            return .object(members)
        }
    }

    private mutating func parseKey() throws(JSONSyntaxError) -> String {
        let start = offset
        let key = try parseString()
        if let longestKey, key.utf8.count > longestKey {
            offset = start
            throw failure("the key has \(key.utf8.count) bytes; \(longestKey) are the limit")
        }
        return key
    }

    private mutating func parseArray() throws(JSONSyntaxError) -> JSON {
        try enter()
        var elements: [JSON] = []
        skipSpace()
        if take("]") { depth -= 1; return .array(elements) }
        while true {
            elements.append(try parseValue())
            skipSpace()
            if take(",") { continue }
            guard take("]") else { throw failure("expected ',' or ']'") }
            depth -= 1
            return .array(elements)
        }
    }

    private mutating func parseWord(_ word: StaticString, _ value: JSON) throws(JSONSyntaxError) -> JSON {
        let count = word.utf8CodeUnitCount
        guard offset + count <= bytes.count, (0..<count).allSatisfy({ bytes[offset + $0] == word.utf8Start[$0] })
        else { throw failure("expected \(word)") }
        offset += count
        return value
    }

    private mutating func parseNumber() throws(JSONSyntaxError) -> JSONNumber {
        let start = offset
        _ = take("-")
        if !take("0") { try skipDigits() }
        if take(".") { try skipDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try skipDigits()
        }
        return JSONNumber(checked: String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    private mutating func skipDigits() throws(JSONSyntaxError) {
        let start = offset
        while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
        guard offset > start else { throw failure("expected a digit") }
    }

    private mutating func parseString() throws(JSONSyntaxError) -> String {
        offset += 1
        let start = offset
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                let plain = bytes[start..<offset]
                offset += 1
                guard let text = String(validating: plain, as: UTF8.self) else {
                    throw failure("the string is not valid UTF-8")
                }
                return text
            case UInt8(ascii: "\\"): return try parseEscapedString(from: start)
            case 0..<0x20: throw failure("a control character must be escaped in a string")
            default: offset += 1
            }
        }
        throw failure("the string has no closing quote")
    }

    private mutating func parseEscapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var text = Array(bytes[start..<offset])
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw failure("the string is not valid UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): try parseEscape(into: &text)
            case 0..<0x20: throw failure("a control character must be escaped in a string")
            default: text.append(byte)
            }
        }
        throw failure("the string has no closing quote")
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws(JSONSyntaxError) {
        guard offset < bytes.count else { throw failure("the string has no closing quote") }
        let mark = bytes[offset]
        offset += 1
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(mark)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try parseUnicodeEscape())).utf8)
        default: throw failure("\\\(describe(mark)) is no escape")
        }
    }

    /// A `\u` escape, with its second half when it is one of a surrogate pair. A lone half becomes U+FFFD, or is refused
    /// in a strict text.
    private mutating func parseUnicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let first = try parseFourHexDigits()
        guard (0xD800..<0xDC00).contains(first) else {
            guard let scalar = Unicode.Scalar(first) else { return try loneHalf() }
            return scalar
        }
        guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
        else { return try loneHalf() }
        let afterFirst = offset
        offset += 2
        let second = try parseFourHexDigits()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else {
            offset = afterFirst
            return try loneHalf()
        }
        return scalar
    }

    private func loneHalf() throws(JSONSyntaxError) -> Unicode.Scalar {
        guard !isStrict else { throw failure("half of a surrogate pair") }
        return "\u{FFFD}"
    }

    private mutating func parseFourHexDigits() throws(JSONSyntaxError) -> UInt32 {
        guard offset + 4 <= bytes.count else { throw failure("\\u needs four hexadecimal digits") }
        var value: UInt32 = 0
        for byte in bytes[offset..<offset + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("\\u needs four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
        }
        offset += 4
        return value
    }

    // MARK: Small steps

    private mutating func enter() throws(JSONSyntaxError) {
        offset += 1
        depth += 1
        guard depth <= Self.depthLimit else { throw failure("nested deeper than \(Self.depthLimit)") }
    }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private func describe(_ byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7F ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
    }

    private func failure(_ message: String) -> JSONSyntaxError {
        let before = bytes[..<min(offset, bytes.count)]
        let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return JSONSyntaxError(message: message, line: line, column: before.count - lineStart + 1)
    }
}
