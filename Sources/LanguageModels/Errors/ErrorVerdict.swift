internal import HTTP
internal import JSON

/// What an error answer of a provider means: one table per provider fills it in.
struct ErrorVerdict: Equatable {
    var kind: ModelError.Kind
    var retryAfter: Duration?
    var retryOverride: Bool?

    init(_ kind: ModelError.Kind, retryAfter: Duration? = nil, retryOverride: Bool? = nil) {
        self.kind = kind
        self.retryAfter = retryAfter
        self.retryOverride = retryOverride
    }
}

/// An error answer, taken apart as far as all providers agree.
struct ErrorAnswer {
    /// `nil` for an error that arrived within a stream.
    var status: Int?
    var headers: HTTPHeaders
    /// The body where it is JSON; the only element where it is an array of one.
    var body: JSON?
    /// Seconds since 1970, to turn a date into a pause.
    var now: Int64

    init(status: Int?, headers: HTTPHeaders, bytes: [UInt8], now: Int64) {
        let parsed = try? JSON(parsing: bytes)
        self.init(status: status, headers: headers, body: parsed, now: now)
    }

    init(status: Int?, headers: HTTPHeaders, body: JSON?, now: Int64) {
        self.status = status
        self.headers = headers
        self.body = body?.array.flatMap { $0.count == 1 ? $0[0] : nil } ?? body
        self.now = now
    }

    /// The `error` member, which all three providers have.
    var error: JSON? { body?["error"] }
    var message: String? { error?["message"]?.string ?? error?.string }
    var retryAfter: Duration? { RetryHint.read(headers, now: now) }

    /// What the status says when the body says nothing.
    var kindByStatus: ModelError.Kind {
        switch status ?? 500 {
        case 200..<300: .malformedAnswer("not JSON")
        case 401: .authentication
        case 402: .quotaExhausted(.credit)
        case 403: .permission
        case 404, 410: .notFound
        case 408, 504: .timeout
        case 409: .conflict
        case 413: .tooLarge
        case 429: .rateLimited
        case 503, 529: .overloaded
        case 500...: .serverError
        case 300..<400: .malformedAnswer("a redirect")
        default: .invalidRequest
        }
    }
}
