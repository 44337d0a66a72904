/// The framing of a request's body, from its headers.
///
/// Two readers that disagree about it let a client smuggle a second request past one of them, so ambiguous framing is
/// refused. Source: RFC 9112, section 6.
struct RequestFraming: Equatable {
    enum Body: Equatable {
        case none
        case length(Int)
        case chunked
    }

    private var length: Int?
    private var isChunked = false
    private(set) var hasHost = false
    private(set) var expectsContinue = false

    init() {}

    /// Takes in one header.
    mutating func add(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) throws(ServerError) {
        switch name.count {
        case 4 where FieldSyntax.matches(name, "host"):
            guard !hasHost else { throw .malformedRequest("two Host headers") }
            hasHost = true
        case 6 where FieldSyntax.matches(name, "expect"):
            expectsContinue = FieldSyntax.matches(value, "100-continue")
        case 14 where FieldSyntax.matches(name, "content-length"):
            guard let parsed = Self.decimal(value) else { throw .malformedRequest("Content-Length is not a number") }
            guard length == nil || length == parsed else {
                throw .malformedRequest("two different Content-Length headers")
            }
            length = parsed
        case 17 where FieldSyntax.matches(name, "transfer-encoding"):
            guard !isChunked, FieldSyntax.matches(value, "chunked") else {
                throw .malformedRequest("unsupported Transfer-Encoding")
            }
            isChunked = true
        default: break
        }
    }

    /// The framing after all headers are added; HTTP/1.0 has neither chunks nor a mandatory `Host`.
    func body(isVersion10: Bool) throws(ServerError) -> Body {
        guard hasHost || isVersion10 else { throw .malformedRequest("no Host header") }
        if isChunked {
            guard length == nil else { throw .malformedRequest("Content-Length together with Transfer-Encoding") }
            guard !isVersion10 else { throw .malformedRequest("Transfer-Encoding in HTTP/1.0") }
            return .chunked
        }
        guard let length, length > 0 else { return .none }
        return .length(length)
    }

    /// Whether the bytes are the value of a `Content-Length`.
    static func isLength(_ bytes: some Collection<UInt8>) -> Bool { decimal(bytes) != nil }

    private static func decimal(_ bytes: some Collection<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes.count <= 18 else { return nil }
        var number = 0
        for byte in bytes {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}

/// The syntax of methods, header names and header values. Source: RFC 9110, sections 5 and 9.1.
enum FieldSyntax {
    /// A token: method or header name.
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(isTokenByte)
    }

    /// Visible characters, spaces, tabs and bytes beyond ASCII: no line break, no NUL.
    static func isValue(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") }
    }

    /// Whether the bytes spell a word given in lower case.
    static func matches(_ bytes: some Collection<UInt8>, _ lowercased: StaticString) -> Bool {
        guard bytes.count == lowercased.utf8CodeUnitCount else { return false }
        let word = UnsafeBufferPointer(start: lowercased.utf8Start, count: lowercased.utf8CodeUnitCount)
        return zip(bytes, word).allSatisfy { byte, letter in
            (byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte) == letter
        }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"),
            UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
