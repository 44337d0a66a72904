internal import JobQueue

extension ModelError: CustomStringConvertible, CustomDebugStringConvertible {
    /// For developers and operators; safe to store.
    package var description: String {
        let source = [self.provider?.displayName, self.model.map { "(\($0))" }].compactMap(\.self).joined(
            separator: " ")
        let text = source.isEmpty ? self.kind.phrase : "\(source): \(self.kind.phrase)"
        let marks = [
            self.postponement?.rawValue,
            self.status.map { "status \($0)" }, self.requestID.map { "request \($0)" },
            self.retryAfter.map { "retry after \($0.components.seconds) s" },
        ].compactMap(\.self)
        return marks.isEmpty ? text : "\(text) (\(marks.joined(separator: ", ")))"
    }

    package var debugDescription: String { self.detail.map { "\(description): \($0)" } ?? description }

    /// The message for users: calm and plain, with the next step.
    package var userMessage: String {
        switch self.kind {
        case .rateLimited, .overloaded, .unavailable:
            "Our AI service is very busy right now. Please try again in a few minutes."
        case .serverError, .conflict, .malformedAnswer, .connection, .unreachable:
            "Our AI service is not reachable at the moment. Please try again in a few minutes."
        case .timeout, .stalled, .outOfTime, .tooLittleTime: "This took longer than it should. Please try again."
        case .quotaExhausted, .authentication, .permission, .notFound, .notConfigured:
            "Our AI service is not available at the moment. We are looking into it."
        case .invalidRequest, .unsupportedSchema: "Something went wrong on our side. We are looking into it."
        case .tooLarge: "This is more text than can be read at once. Please try a shorter one."
        case .refused: "The AI declined to answer this. Please ask in another way or choose another topic."
        case .truncated, .unparseable, .schemaViolation, .unusable, .answerTooLarge:
            "The AI's answer could not be used. Please try again."
        case .spendCapReached(.user): "You have reached today's limit. Please try again tomorrow."
        case .spendCapReached: "Our service has reached today's limit. Please try again tomorrow."
        case .notBooked, .hedgeLost, .hedgeRefused:
            "Our service is very busy right now. Please try again in a few minutes."
        case .cancelled: "This was cancelled."
        }
    }
}

extension Stall {
    /// The silence in seconds, with one digit after the point.
    fileprivate var seconds: String { silence.tenths }
}

extension Duration {
    /// Seconds with one digit after the point.
    fileprivate var tenths: String {
        let tenths = wholeMilliseconds / 100
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension ModelError.Kind {
    fileprivate var phrase: String {
        switch self {
        case .rateLimited: "too many requests"
        case .overloaded: "overloaded"
        case .serverError: "server error"
        case .timeout: "did not answer in time"
        case .connection(let reason), .unreachable(let reason): reason
        case .stalled(let stall) where stall.clock == .pace:
            "the answer came too slowly, \(stall.seconds) s after its beginning"
        case .stalled(let stall): "silent for \(stall.seconds) s, waiting for \(stall.clock.phrase)"
        case .outOfTime(let stall, isStalled: true) where stall.clock == .pace:
            "the time was over after \(stall.seconds) s of an answer that came too slowly"
        case .outOfTime(let stall, isStalled: true):
            "the time was over after \(stall.seconds) s of silence, waiting for \(stall.clock.phrase)"
        case .outOfTime(let stall, isStalled: false):
            "the time was over in the midst of the call, \(stall.seconds) s into waiting for \(stall.clock.phrase)"
        case .tooLittleTime(let left, let usual):
            "an answer usually takes \(usual.tenths) s, and \(left.tenths) s are left, so that no call was made"
        case .conflict: "the request conflicts with another one"
        case .malformedAnswer(let reason): "the response is malformed: \(reason)"
        case .unavailable: "no provider may be asked now"
        case .quotaExhausted(let quota): "the \(quota.rawValue) allowance is used up"
        case .authentication: "the key is not accepted"
        case .permission: "the key does not allow this"
        case .notFound: "there is no such model or address"
        case .invalidRequest: "the request was refused as invalid"
        case .tooLarge: "the request is too large"
        case .unsupportedSchema(let error): "the schema is not supported: \(error)"
        case .refused(let category): "declined to answer" + (category.map { " (\($0))" } ?? "")
        case .truncated(let limit): "the answer was cut off at \(limit.rawValue)"
        case .unparseable(let place): "the answer is not JSON: \(place)"
        case .schemaViolation(let violations):
            "the answer does not fit its schema at \(Self.places(violations))"
        case .unusable(let reason): "stopped without a usable answer (\(reason))"
        case .answerTooLarge: "the answer is too large"
        case .spendCapReached(.user): "the spend allowed per user and day is used up"
        case .spendCapReached(.service): "the spend allowed for the service and day is used up"
        case .spendCapReached(.free): "the spend allowed for work without credits and day is used up"
        case .notBooked: "the call cannot be booked"
        case .notConfigured(let what): what
        case .cancelled: "cancelled"
        case .hedgeLost: "another model had content first"
        case .hedgeRefused: "the budget of hedges does not hold the call"
        }
    }

    /// The first few places. Their names come from a model, so they are shortened and cleaned.
    private static func places(_ violations: [SchemaViolation]) -> String {
        let shown = violations.prefix(3).map { $0.path.isEmpty ? "its root" : "'\(ProviderText.token($0.path))'" }
        let rest = violations.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

extension ModelError.Kind {
    /// A short name for metrics.
    package var name: String {
        switch self {
        case .rateLimited: "rate_limited"
        case .overloaded: "overloaded"
        case .serverError: "server_error"
        case .timeout: "timeout"
        case .connection: "connection"
        case .unreachable: "unreachable"
        case .stalled, .outOfTime(_, isStalled: true): "stalled"
        case .outOfTime: "cut"
        case .tooLittleTime: "too_little_time"
        case .conflict: "conflict"
        case .malformedAnswer: "malformed_answer"
        case .unavailable: "unavailable"
        case .quotaExhausted: "quota_exhausted"
        case .authentication: "authentication"
        case .permission: "permission"
        case .notFound: "not_found"
        case .invalidRequest: "invalid_request"
        case .tooLarge: "too_large"
        case .unsupportedSchema: "unsupported_schema"
        case .refused: "refused"
        case .truncated: "truncated"
        case .unparseable: "unparseable"
        case .schemaViolation: "schema_violation"
        case .unusable: "unusable"
        case .answerTooLarge: "answer_too_large"
        case .spendCapReached: "spend_cap_reached"
        case .notBooked: "not_booked"
        case .notConfigured: "not_configured"
        case .cancelled: "cancelled"
        case .hedgeLost: "hedge_lost"
        case .hedgeRefused: "hedge_refused"
        }
    }
}
