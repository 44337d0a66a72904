/// Status and headers of a response.
struct ResponseHead: Sendable, Equatable {
    var status: Int
    var headers = HTTPHeaders()

    /// The head without the headers that describe the compressed body, since libcurl has decompressed it.
    var decoded: ResponseHead {
        guard headers["Content-Encoding"] != nil else { return self }
        var head = self
        head.headers["Content-Encoding"] = nil
        head.headers["Content-Length"] = nil
        return head
    }
}

/// Collects header lines from libcurl until the head of the final response is complete.
///
/// Interim responses (1xx) come first and are ignored, as are trailers after the body.
struct ResponseHeadParser {
    enum Progress: Equatable {
        case incomplete
        case complete
        /// More than `limit` bytes, or a malformed status line.
        case unusable
    }

    /// The most bytes of all lines of one head.
    static let limit = 256 << 10

    private(set) var head = ResponseHead(status: 0)
    private(set) var isComplete = false
    private var fields: [(String, String)] = []
    private var size = 0

    /// Takes one line with its line break.
    mutating func receive(_ line: some BidirectionalCollection<UInt8>) -> Progress {
        if isComplete { return .incomplete }
        size += line.count
        guard size <= Self.limit else { return .unusable }
        let content = Self.trimmed(line)
        if line.starts(with: "HTTP/".utf8) {
            guard let status = Self.status(in: content) else { return .unusable }
            head = ResponseHead(status: status)
            fields = []
        } else if content.isEmpty {
            guard head.status >= 200 else { return .incomplete }
            head.headers = HTTPHeaders(fields)
            isComplete = true
            return .complete
        } else if line.first.map(Self.isBlank) == true {
            // A folded line continues the value before it.
            if let last = fields.popLast() { fields.append((last.0, last.1 + " " + Self.text(content))) }
        } else if let colon = content.firstIndex(of: UInt8(ascii: ":")) {
            let value = Self.trimmed(content[content.index(after: colon)...])
            fields.append((Self.text(content[..<colon]), Self.text(value)))
        }
        return .incomplete
    }

    /// `HTTP/1.1 200 OK`: a version, three digits, perhaps a reason.
    private static func status(in line: some Collection<UInt8>) -> Int? {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count >= 2, words[1].count == 3, let status = Int(text(words[1])), status >= 100 else { return nil }
        return status
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        var rest = bytes[...]
        while let first = rest.first, isBlank(first) { rest.removeFirst() }
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D, 0x0A].contains(byte) }
}
