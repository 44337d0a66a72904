/// What a simulated service does wrong.
package enum FaultAction: Sendable, Hashable {
    /// Waits before the first byte, and between two deltas of a stream.
    case slow(firstByte: Duration, perDelta: Duration)
    /// Takes the request and never answers.
    case stall
    /// Sends so many pieces of the answer, then nothing more, with the connection open.
    case stallMidStream(after: Int)
    /// Breaks the connection off: after so many deltas of a stream, in the middle of a whole answer.
    case cut(after: Int)
    /// `429`, or what stands for it, with the provider's body and headers.
    case rateLimit(RateLimit, retryAfter: Duration?)
    /// An error with the provider's body: 400, 401, 402, 403, 404, 408, 413, 500, 502, 503, 504, 529.
    case status(Int)
    /// An error after `200`, when so many deltas were sent.
    case errorMidStream(after: Int)
    /// The model refuses.
    case refusal
    /// The prompt is blocked; where a provider does not block prompts, the model refuses.
    case blockedPrompt
    /// The answer ends at its token limit.
    case truncation
    /// Well-formed JSON that the schema does not allow.
    case brokenSchema
    /// Text that starts as JSON and is none.
    case invalidJSON
    /// A success without any content.
    case emptyContent
    /// A figure that stands nowhere in the request.
    case inventedFigure
    /// A stream whose lines are no event stream and whose data is no JSON.
    case malformedStream
    /// A success that is a web page.
    case wrongContentType
    /// A body of so many bytes.
    case hugeBody(bytes: Int)

    /// Which limit a `429` is about.
    package enum RateLimit: String, Sendable, Hashable, CaseIterable {
        /// Passes within a minute.
        case perMinute = "per_minute"
        /// Claude: usage grew too fast; passes.
        case ramp
        /// Gone until tomorrow (Gemini's daily quota) or next month (Claude's tier cap).
        case perDay = "per_day"
        /// Claude: a spend limit was reached.
        case spendLimit = "spend_limit"
        /// Claude: the spend limit that the account set itself, which is a `400`.
        case ownSpendLimit = "own_spend_limit"
    }
}
