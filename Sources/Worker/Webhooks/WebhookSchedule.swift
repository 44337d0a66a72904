internal import HTTP
internal import JobQueue

/// When and how often deliveries are tried.
package struct WebhookConfiguration: Sendable {
    /// The tries at once for an endpoint, in the whole fleet.
    static let triesPerEndpoint = 4
    /// The tries at once of a worker.
    static let triesPerWorker = 64
    /// The bytes of an answer that are read.
    static let answerBytes = 64 << 10
    /// The longest pause that an answer may ask for.
    static let longestPause: Duration = .seconds(86_400)

    /// The pauses before the second, third and further tries; the number of tries is one more.
    package var schedule: [Duration] =
        [.seconds(5), .seconds(300), .seconds(1800)] + [2, 5, 10, 14, 20, 24].map { .seconds($0 * 3600) }
    /// The time of a whole try.
    package var timeout: Duration = .seconds(15)
    /// The time for which an endpoint may only fail before it is disabled.
    package var disableAfter: Duration = .seconds(5 * 86_400)
    /// Private hosts and blocks that endpoints may have.
    package var allowing: [String] = []

    package init() {}

    /// The lease of a try: longer than the try and the report of its outcome.
    var leaseTime: Duration { timeout + .seconds(10) }

    /// What follows from a try.
    ///
    /// - Parameters:
    ///   - answer: The status and headers of the answer; `nil` without one.
    ///   - attempts: The tries before this one.
    ///   - now: The time of the answer, for a `Retry-After` that is a date.
    ///   - variation: From 0 to 1, by which the pause varies by a tenth to either side.
    /// - Returns: The outcome, with the pause before the next try where there is one.
    func outcome(
        of answer: HTTPResponse?, attempts: Int, at now: Timestamp, variation: Double
    ) -> WebhookOutcome {
        if let answer {
            if answer.isSuccess { return .delivered }
            if answer.status == 410 { return .gone }
        }
        guard schedule.indices.contains(attempts) else { return .failed }
        let pause = schedule[attempts] * (0.9 + 0.2 * min(max(variation, 0), 1))
        let asked = answer.flatMap { Self.askedPause($0, at: now) } ?? .zero
        return .retry(after: max(pause, min(asked, Self.longestPause)))
    }

    /// The pause of `Retry-After`, in seconds or until a date, where the status lets it count.
    private static func askedPause(_ answer: HTTPResponse, at now: Timestamp) -> Duration? {
        guard [429, 502, 503, 504].contains(answer.status), let text = answer.headers["Retry-After"] else { return nil }
        if let seconds = Int64(text), (0...1_000_000_000).contains(seconds) { return .seconds(seconds) }
        return HTTPDate(text).map { .seconds(Int64($0.secondsSinceEpoch)) - .milliseconds(now.milliseconds) }
    }
}

extension HTTPClientError {
    /// A short code for lists of tries.
    var webhookError: String {
        switch self {
        case .forbiddenAddress, .forbiddenPort: "not_public"
        case .timedOut: "timeout"
        case .cannotResolve: "cannot_resolve"
        case .cannotConnect: "cannot_connect"
        case .insecure: "insecure"
        case .connectionLost: "connection_lost"
        case .invalidURL, .invalidHeader: "invalid_url"
        case .bodyTooLarge, .tooManyRedirects: "invalid_answer"
        case .cancelled: "cancelled"
        }
    }
}
