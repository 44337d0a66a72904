internal import CXML2

/// Character references as HTML has them.
enum HTMLEntities {
    /// A reference is not longer than this.
    private static let longest = 32

    /// With every reference that HTML knows as the character that it means; what is none stays as it is.
    static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            let body = rest.dropFirst().prefix(longest).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") }
            if let scalar = scalar(of: body) {
                result.unicodeScalars.append(scalar)
                rest = rest[body.endIndex...]
                if rest.first == ";" { rest.removeFirst() }
            } else {
                result += "&"
                rest.removeFirst()
            }
        }
        return result + rest
    }

    /// The character of a reference without `&` and `;`: `amp`, `#39`, `#x27`.
    static func scalar(of body: Substring) -> Unicode.Scalar? {
        guard body.first == "#" else { return named(String(body)) }
        let digits = body.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        guard let value = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10), value > 0 else { return nil }
        if (0x80...0x9F).contains(value) { return Windows1252.scalar(of: UInt8(value)) }
        return Unicode.Scalar(value)
    }

    private static func named(_ name: String) -> Unicode.Scalar? {
        guard !name.isEmpty else { return nil }
        if name == "apos" { return "'" }
        return htmlEntityLookup(name).flatMap { Unicode.Scalar($0.pointee.value) }
    }
}
