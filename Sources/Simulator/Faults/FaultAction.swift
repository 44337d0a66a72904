internal import JSON

/// A mistake that a simulated service makes.
package enum FaultAction: Sendable, Hashable {
    /// Waits before the first byte, and between two deltas of a stream.
    case slow(firstByte: Duration, perDelta: Duration)
    /// Takes the request and never answers.
    case stall
    /// Sends a number of pieces of the answer, then nothing more, with the connection open.
    case stallMidStream(after: Int)
    /// Sends a number of deltas, then one byte of each further piece at a time, with a pause before each, for ever.
    case drip(after: Int, every: Duration)
    /// Sends the head, and then only pings or empty deltas, with a pause before each, for ever.
    case pings(every: Duration)
    /// Breaks the connection off: after a number of deltas of a stream, or in the middle of a whole answer.
    case cut(after: Int)
    /// Does what the request asks for, and breaks the connection off before the answer.
    case lostAnswer
    /// `429` or the provider's equivalent, with its body and headers.
    case rateLimit(RateLimit, retryAfter: Duration?)
    /// An error with the provider's body: 400, 401, 402, 403, 404, 408, 413, 500, 502, 503, 504, 529.
    case status(Int)
    /// An error after `200` and a number of deltas.
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
    /// A figure that the request does not have.
    case inventedFigure
    /// Claims that a passage of the request does not bear out.
    case badClaim(BadClaim)
    /// A stream whose lines are no event stream and whose data is no JSON.
    case malformedStream
    /// A success that is a web page.
    case wrongContentType
    /// A body of a number of bytes.
    case hugeBody(bytes: Int)

    /// The limit that a `429` reports.
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

/// Why a description of a fault is not understood.
package struct FaultSyntaxError: Error, Equatable, CustomStringConvertible, Sendable {
    package let description: String
}

extension FaultAction {
    /// Every name of a fault, besides the status codes.
    static let names = [
        "slow", "stall", "stall_mid_stream", "drip", "pings", "cut", "lost_answer", "rate_limit", "error_mid_stream",
        "refusal",
        "blocked_prompt",
        "truncation", "broken_schema", "invalid_json", "empty_content", "invented_figure", "bad_claim",
        "malformed_stream",
        "wrong_content_type", "huge_body",
    ]

    private static let statuses: Set<Int> = [400, 401, 402, 403, 404, 408, 413, 500, 502, 503, 504, 529]

    /// Reads a name (`stall`, `529`, `429`) or a name with its limit (`429:per_day`).
    package init(parsing text: String) throws(FaultSyntaxError) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        var fields: JSON = ["action": JSON(parts.first ?? "")]
        if parts.count == 2 { fields["limit"] = JSON(parts[1]) }
        try self.init(fields)
    }

    /// Reads `{"action": "slow", "first_byte": 0.5, "per_delta": 0.05}` and the like; times are seconds.
    init(_ fields: JSON) throws(FaultSyntaxError) {
        guard let name = fields["action"]?.string ?? fields["action"]?.integer.map(String.init) else {
            throw FaultSyntaxError(description: "'action' is missing")
        }
        let after = fields["after_deltas"]?.integer.map(Int.init) ?? 2
        switch name {
        case "slow":
            self = .slow(
                firstByte: try Self.seconds("first_byte", in: fields) ?? .seconds(1),
                perDelta: try Self.seconds("per_delta", in: fields) ?? .zero)
        case "stall": self = .stall
        case "stall_mid_stream": self = .stallMidStream(after: after)
        case "drip": self = .drip(after: after, every: try Self.seconds("every", in: fields) ?? .seconds(5))
        case "pings": self = .pings(every: try Self.seconds("every", in: fields) ?? .seconds(5))
        case "cut": self = .cut(after: after)
        case "lost_answer": self = .lostAnswer
        case "rate_limit", "429":
            let limit = fields["limit"]?.string ?? RateLimit.perMinute.rawValue
            guard let limit = RateLimit(rawValue: limit) else {
                let known = RateLimit.allCases.map(\.rawValue).joined(separator: ", ")
                throw FaultSyntaxError(description: "'limit' must be one of \(known)")
            }
            self = .rateLimit(limit, retryAfter: try Self.seconds("retry_after", in: fields))
        case "error_mid_stream": self = .errorMidStream(after: after)
        case "refusal": self = .refusal
        case "blocked_prompt": self = .blockedPrompt
        case "truncation": self = .truncation
        case "broken_schema": self = .brokenSchema
        case "invalid_json": self = .invalidJSON
        case "empty_content": self = .emptyContent
        case "invented_figure": self = .inventedFigure
        case "bad_claim":
            let kind = fields["limit"]?.string ?? fields["claim"]?.string ?? BadClaim.quote.rawValue
            guard let kind = BadClaim(rawValue: kind) else {
                let known = BadClaim.allCases.map(\.rawValue).joined(separator: ", ")
                throw FaultSyntaxError(description: "'claim' must be one of \(known)")
            }
            self = .badClaim(kind)
        case "malformed_stream": self = .malformedStream
        case "wrong_content_type": self = .wrongContentType
        case "huge_body": self = .hugeBody(bytes: fields["bytes"]?.integer.map(Int.init) ?? 128 << 20)
        default:
            guard let status = Int(name), Self.statuses.contains(status) else {
                let known = (Self.names + ["429"] + Self.statuses.sorted().map(String.init)).joined(separator: ", ")
                throw FaultSyntaxError(description: "there is no fault '\(name)'; known are \(known)")
            }
            self = .status(status)
        }
    }

    static func seconds(_ name: String, in fields: JSON) throws(FaultSyntaxError) -> Duration? {
        guard let value = fields[name], !value.isNull else { return nil }
        guard let seconds = value.double, seconds >= 0, seconds <= 86_400 else {
            throw FaultSyntaxError(description: "'\(name)' must be seconds from 0 to 86400")
        }
        return .milliseconds(Int64(seconds * 1_000))
    }

    /// The name by which records and logs call it.
    package var name: String {
        switch self {
        case .slow: "slow"
        case .stall: "stall"
        case .stallMidStream: "stall_mid_stream"
        case .drip: "drip"
        case .pings: "pings"
        case .cut: "cut"
        case .lostAnswer: "lost_answer"
        case .rateLimit(let limit, _): "429:\(limit.rawValue)"
        case .status(let status): String(status)
        case .errorMidStream: "error_mid_stream"
        case .refusal: "refusal"
        case .blockedPrompt: "blocked_prompt"
        case .truncation: "truncation"
        case .brokenSchema: "broken_schema"
        case .invalidJSON: "invalid_json"
        case .emptyContent: "empty_content"
        case .inventedFigure: "invented_figure"
        case .badClaim(let kind): "bad_claim:\(kind.rawValue)"
        case .malformedStream: "malformed_stream"
        case .wrongContentType: "wrong_content_type"
        case .hugeBody: "huge_body"
        }
    }

    /// Its effect on the reply's content.
    var flaw: ReplyComposer.Flaw? {
        switch self {
        case .refusal: .refusal
        case .blockedPrompt: .blockedPrompt
        case .truncation: .truncation
        case .brokenSchema: .brokenSchema
        case .invalidJSON: .invalidJSON
        case .emptyContent: .emptyContent
        case .inventedFigure: .inventedFigure
        case .badClaim(let kind): .badClaim(kind)
        default: nil
        }
    }
}
