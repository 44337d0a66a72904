/// Percent-encoding of RFC 3986: every byte of the UTF-8 form but letters, digits and `-._~`.
package enum PercentEncoding {
    /// Encodes a text as one segment of a path or one part of a query; `/`, `?`, `&`, `=`, `+` and space are encoded
    /// too.
    package static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

/// The query of a URL.
package enum URLQuery {
    /// Encodes `a=1&b=two%20words` in the given order, repeated names included, without `?`.
    package static func encode(_ items: [(String, String)]) -> String {
        items.map { PercentEncoding.encode($0) + "=" + PercentEncoding.encode($1) }.joined(separator: "&")
    }
}

/// The path of a URL.
package enum URLPath {
    /// Joins a base and a path with exactly one `/`, then the query if it has items. The path is not encoded (encode
    /// its variable segments with `PercentEncoding`); the base must have no query or fragment.
    package static func join(_ base: String, _ path: String, query: [(String, String)] = []) -> String {
        let trimmedBase = base.reversed().drop { $0 == "/" }.reversed()
        let trimmedPath = path.drop { $0 == "/" }
        let joined = trimmedPath.isEmpty ? base : String(trimmedBase) + "/" + trimmedPath
        return query.isEmpty ? joined : joined + (path.contains("?") ? "&" : "?") + URLQuery.encode(query)
    }
}
