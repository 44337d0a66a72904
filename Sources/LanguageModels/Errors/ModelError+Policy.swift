extension ModelError {
    /// Whether the same call could succeed later.
    package var isTransient: Bool { self.retryOverride ?? self.kind.isTransient }

    /// Whether another provider should be asked: this one cannot serve us now, and the request is not at fault.
    package var allowsFallback: Bool {
        switch self.kind {
        case .quotaExhausted, .authentication, .permission, .notFound: true
        default: self.kind.isTransient
        }
    }

    /// Whether the model's answer was read and found wanting, so that asking it to repair the answer makes sense.
    package var isRepairable: Bool {
        switch self.kind {
        case .unparseable, .schemaViolation: self.answer != nil
        default: false
        }
    }
}

extension ModelError.Kind {
    var isTransient: Bool {
        switch self {
        case .rateLimited, .overloaded, .serverError, .timeout, .connection, .conflict, .malformedAnswer, .unavailable:
            true
        case .quotaExhausted, .authentication, .permission, .notFound, .invalidRequest, .tooLarge, .unsupportedSchema,
            .refused, .truncated, .unparseable, .schemaViolation, .unusable, .answerTooLarge, .spendCapReached,
            .notConfigured, .cancelled:
            false
        }
    }

    /// A short name for metrics.
    package var name: String {
        switch self {
        case .rateLimited: "rate_limited"
        case .overloaded: "overloaded"
        case .serverError: "server_error"
        case .timeout: "timeout"
        case .connection: "connection"
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
        case .notConfigured: "not_configured"
        case .cancelled: "cancelled"
        }
    }
}
