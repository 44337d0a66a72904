internal import Basics
internal import HTTP
internal import JSON

/// A provider's error response, parsed as far as all providers agree.
struct ErrorResponse {
    /// `nil` for an error that arrived within a stream.
    var status: Int?
    var headers: HTTPHeaders
    /// The body if it is JSON; the element of an array of one.
    var body: JSON?
    /// Seconds since 1970, to convert a date to a pause.
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

    /// The `error` member, common to all three providers.
    var error: JSON? { body?["error"] }
    var message: String? { error?["message"]?.string ?? error?.string }
    var retryAfter: Duration? { RetryHint.read(headers, now: now) }

    /// The kind by the status alone, for bodies without a known error.
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

/// The pause that a provider asks for.
enum RetryHint {
    /// `retry-after-ms`, else `retry-after` as seconds (fractions allowed) or as a date.
    static func read(_ headers: HTTPHeaders, now: Int64) -> Duration? {
        RetryAfter.parse(headers, now: HTTPDate(secondsSinceEpoch: Int(now)))
    }

    /// Parses a protobuf duration (`37s`, `1.68s`); `nil` beyond a year.
    static func protobufDuration(_ text: String) -> Duration? {
        guard text.hasSuffix("s"), let seconds = Double(text.dropLast()), (0..<31_536_000).contains(seconds) else {
            return nil
        }
        return .milliseconds(Int64((seconds * 1000).rounded(.up)))
    }
}

/// Cleans texts of providers for errors.
enum ProviderText {
    /// A provider's name of a category or reason: harmless characters only, at most 80.
    static func token(_ text: String) -> String {
        String(
            text.unicodeScalars.prefix(80).map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_-./[]".unicodeScalars.contains(scalar))
                    ? Character(scalar) : "_"
            })
    }

    /// A message for developers: one line of at most 500 characters, without the key.
    static func detail(_ text: String?, without secret: Secret?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let line = String(text.sanitized.prefix(scalars: 2000).map { $0.isNewline ? " " : $0 })
        return String((secret?.redact(line) ?? line).prefix(scalars: 500))
    }
}
