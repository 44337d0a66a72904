/// The parts of a `multipart/form-data` body (RFC 7578) by their names.
struct FormData: Sendable {
    struct Part: Sendable {
        /// The file's name; empty where there is none.
        var name: String
        var bytes: [UInt8]
    }

    private(set) var parts: [String: Part] = [:]

    /// `nil` where the boundary is missing or the body does not follow the format.
    init?(_ contentType: String, _ body: [UInt8]) {
        guard let boundary = Self.parameter("boundary", in: contentType), !boundary.isEmpty else { return nil }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter has no line break before it.
        var rest = ([13, 10] + body)[...]
        guard let first = rest.firstRange(of: delimiter) else { return nil }
        rest = rest[first.upperBound...]
        while !rest.starts(with: Array("--".utf8)) {
            guard let end = rest.firstRange(of: delimiter), rest.starts(with: [13, 10]),
                let head = rest[..<end.lowerBound].firstRange(of: Array("\r\n\r\n".utf8))
            else { return nil }
            let fields = String(decoding: rest[..<head.lowerBound], as: UTF8.self)
            guard
                let disposition = fields.split(separator: "\r\n").first(where: {
                    $0.lowercased().hasPrefix("content-disposition:")
                }).map(String.init), let name = Self.parameter("name", in: disposition)
            else { return nil }
            parts[name] = Part(
                name: Self.parameter("filename", in: disposition) ?? "",
                bytes: Array(rest[head.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
    }

    /// The value of a parameter in a header, without its quotes.
    private static func parameter(_ name: String, in header: String) -> String? {
        for part in header.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard pair.count == 2, pair[0].lowercased() == name else { continue }
            var value = pair[1]
            if value.first == "\"", value.last == "\"", value.count > 1 { value = value.dropFirst().dropLast() }
            return String(value)
        }
        return nil
    }
}
