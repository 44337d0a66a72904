/// How the end of a request's body is found, from the headers that say so. Two readers who disagree about it let a client
/// smuggle a second request past one of them, so whatever is ambiguous is refused. Source: RFC 9112, section 6.
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

    /// Takes note of one header.
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

    /// What the headers say, once all are added; HTTP/1.0 knows neither chunks nor a mandatory `Host`.
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

    private static func decimal(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes.count <= 18 else { return nil }
        var number = 0
        for byte in bytes {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}
