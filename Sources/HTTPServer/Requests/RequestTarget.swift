/// The second word of a request line, decoded. Source: RFC 9112, section 3.2.
struct RequestTarget: Sendable {
    var path: String
    var query: [(name: String, value: String)] = []
    /// The host of an absolute-form target, which overrides the `Host` header.
    var authority: String?
    /// The decoded segments when one of them contains an encoded slash, which does not separate segments.
    var segments: [String]?

    /// - Throws: `malformedRequest`.
    init(parsing raw: UnsafeBufferPointer<UInt8>) throws(ServerError) {
        for byte in raw where byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "#") {
            throw .malformedRequest("forbidden character in the target")
        }
        let origin = try Self.origin(of: raw, authority: &authority)
        let mark = origin.firstIndex(of: UInt8(ascii: "?")) ?? origin.endIndex
        let encodedPath = UnsafeBufferPointer(rebasing: origin[..<mark])
        if encodedPath.isEmpty {
            path = "/"
        } else {
            guard let decoded = PercentDecoding.decode(encodedPath, plusIsSpace: false) else {
                throw .malformedRequest("invalid escape in the path")
            }
            path = decoded
            segments = Self.segmentsWithSlashes(encodedPath)
        }
        if mark < origin.endIndex { query = try Self.query(UnsafeBufferPointer(rebasing: origin[(mark + 1)...])) }
    }

    /// Path and query of an origin-form or absolute-form target.
    private static func origin(
        of raw: UnsafeBufferPointer<UInt8>, authority: inout String?
    ) throws(ServerError) -> UnsafeBufferPointer<UInt8> {
        if raw.first == UInt8(ascii: "/") { return raw }
        for scheme in ["http://", "https://"] {
            let length = scheme.utf8.count
            guard raw.count > length, zip(raw, scheme.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { continue }
            let rest = UnsafeBufferPointer(rebasing: raw[length...])
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.count
            guard end > 0, !rest[..<end].contains(UInt8(ascii: "@")),
                let host = String(validating: rest[..<end], as: UTF8.self)
            else { break }
            authority = host
            return UnsafeBufferPointer(rebasing: rest[end...])
        }
        throw .malformedRequest("the target is neither a path nor an http URL")
    }

    private static func query(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(ServerError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            defer { start = end + 1 }
            if end == start { continue }
            let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
            let name = UnsafeBufferPointer(rebasing: bytes[start..<equals])
            let value = UnsafeBufferPointer(rebasing: bytes[min(equals + 1, end)..<end])
            guard let name = PercentDecoding.decode(name, plusIsSpace: true),
                let value = PercentDecoding.decode(value, plusIsSpace: true)
            else { throw .malformedRequest("invalid escape in the query") }
            pairs.append((name, value))
        }
        return pairs
    }

    private static func segmentsWithSlashes(_ encoded: UnsafeBufferPointer<UInt8>) -> [String]? {
        var hasSlash = false
        var index = 0
        while index + 2 < encoded.count, !hasSlash {
            hasSlash =
                encoded[index] == UInt8(ascii: "%") && encoded[index + 1] == UInt8(ascii: "2")
                && encoded[index + 2] | 0x20 == UInt8(ascii: "f")
            index += 1
        }
        guard hasSlash else { return nil }
        return encoded.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            PercentDecoding.decode(UnsafeBufferPointer(rebasing: $0), plusIsSpace: false) ?? ""
        }
    }
}

/// Strict percent-decoding: a malformed escape, a NUL and a result that is not UTF-8 are refused, since each makes two
/// readers see different text.
enum PercentDecoding {
    /// The text; `nil` when it is refused. In queries a plus is a space.
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool) -> String? {
        let percent = UInt8(ascii: "%")
        let plus = UInt8(ascii: "+")
        var isPlain = true
        for byte in bytes where byte == percent || byte >= 0x80 || (plusIsSpace && byte == plus) {
            isPlain = false
            break
        }
        if isPlain { return String(decoding: bytes, as: UTF8.self) }
        var decoded = [UInt8]()
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            if byte == percent {
                guard index + 2 < bytes.count, let high = hex(bytes[index + 1]), let low = hex(bytes[index + 2]),
                    high << 4 | low != 0
                else { return nil }
                byte = high << 4 | low
                index += 2
            } else if plusIsSpace, byte == plus {
                byte = UInt8(ascii: " ")
            }
            decoded.append(byte)
            index += 1
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
