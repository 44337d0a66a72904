internal import HTTP
internal import HTTPServer
internal import JSON

/// One provider's wire format: reads its requests strictly and writes its answers.
protocol ModelService: Sendable {
    /// Reads a request to generate text.
    ///
    /// - Throws: the provider's error, as an answer.
    func read(_ request: ServiceRequest) throws(Refusal) -> SimulatedCall

    /// The answer that carries a reply: a body or a stream, as the call asks.
    func answer(_ reply: Reply, to call: SimulatedCall, pacing: Pacing, context: AnswerContext) -> Answer

    /// The answer of a service that fails before it generates anything.
    func failure(_ failure: ServiceFailure, context: AnswerContext) -> Answer

    /// The answer to a call that a limit does not let in.
    func refused(_ refusal: LimitBook.Refusal, model: String, context: AnswerContext) -> Answer

    /// The headers by which every answer tells the state of the limits.
    func limitHeaders(_ levels: [LimitLevel], context: AnswerContext, isExhausted: Bool) -> HTTPHeaders

    /// The part of a stream that reports a failure in its midst.
    func midStreamError(context: AnswerContext) -> Answer.Piece
}

/// A request that is answered with an error.
struct Refusal: Error {
    var answer: Answer
}

/// A request with its body parsed and the service's own prefix taken off the path.
struct ServiceRequest: Sendable {
    var request: ServerRequest
    var path: String
    /// `nil` where the body is empty or no JSON.
    var body: JSON?
    var context: AnswerContext
}

/// The data of an answer beside its content.
struct AnswerContext: Sendable {
    /// Unique for each request.
    var requestID: String
    /// The number of the request in the record.
    var sequence: Int
    /// Milliseconds since 1970.
    var milliseconds: Int64

    /// Seconds since 1970.
    var now: Int64 { milliseconds / 1_000 }
}

/// A failure that every provider reports in its own format.
struct ServiceFailure: Sendable, Equatable {
    enum Cause: Sendable, Equatable {
        case status(Int)
        case rateLimit(FaultAction.RateLimit, retryAfter: Duration?)
    }

    var cause: Cause
    var model: String

    init(_ cause: Cause, model: String = "") {
        self.cause = cause
        self.model = model
    }
}

extension Duration {
    /// Whole and fractional seconds without superfluous zeros: `37`, `1.68`.
    var secondsText: String {
        guard milliseconds % 1_000 != 0 else { return String(milliseconds / 1_000) }
        var fraction = String(1_000 + milliseconds % 1_000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(milliseconds / 1_000).\(fraction)"
    }

    var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }

    /// Seconds, rounded up.
    var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}

/// A service's answer, before pacing and faults of delivery apply.
struct Answer: Sendable {
    enum Body: Sendable {
        case whole([UInt8])
        /// Pieces of a stream; those that carry generated tokens are paced.
        case pieces([Piece])
    }

    struct Piece: Sendable {
        var bytes: [UInt8]
        /// Generated tokens that the piece carries; 0 for framing pieces.
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
