internal import HTTP
internal import JSON

/// What a service answers, before it is decided how fast and how whole it goes out.
struct Answer: Sendable {
    enum Body: Sendable {
        case whole([UInt8])
        /// Pieces of a stream; those that carry generated tokens are paced.
        case pieces([Piece])
    }

    struct Piece: Sendable {
        var bytes: [UInt8]
        /// Generated tokens that the piece carries; 0 for what frames them.
        var tokens = 0
    }

    var status = 200
    var headers: HTTPHeaders = [:]
    var body: Body
    /// Tokens that were generated for a whole body.
    var tokens = 0

    init(status: Int = 200, headers: HTTPHeaders = [:], json: JSON, tokens: Int = 0) {
        self.status = status
        self.headers = headers
        self.headers["content-type"] = "application/json"
        self.tokens = tokens
        body = .whole(json.utf8)
    }

    init(status: Int = 200, headers: HTTPHeaders = [:], text: String, type: String) {
        self.status = status
        self.headers = headers
        self.headers["content-type"] = type
        body = .whole(Array(text.utf8))
    }

    init(headers: HTTPHeaders, events pieces: [Piece]) {
        self.headers = headers
        self.headers["content-type"] = "text/event-stream; charset=utf-8"
        self.headers["cache-control"] = "no-cache"
        body = .pieces(pieces)
    }

    /// The body as one, for small answers.
    var bytes: [UInt8] {
        switch body {
        case .whole(let bytes): bytes
        case .pieces(let pieces): pieces.flatMap(\.bytes)
        }
    }
}

extension Answer.Piece {
    /// An event of a stream: `event:` where a name is given, and one line of data.
    static func event(_ name: String? = nil, _ data: JSON, tokens: Int = 0) -> Self {
        let line = name.map { "event: \($0)\n" } ?? ""
        return Self(bytes: Array((line + "data: " + data.compact + "\n\n").utf8), tokens: tokens)
    }
}
