extension ModelError {
    /// What went wrong. Closed, so that whoever handles it handles everything.
    package enum Kind: Hashable, Sendable {
        // The same call may succeed later.
        case rateLimited
        case overloaded
        case serverError
        case timeout
        /// No connection, or it broke off; the phrase names the host at most.
        case connection(String)
        case conflict
        /// A success status with a body that is not in the provider's format; the phrase says what is wrong.
        case malformedAnswer(String)
        /// Every provider is resting after failures.
        case unavailable

        // The provider will not serve us until somebody does something.
        case quotaExhausted(Quota)
        case authentication
        case permission
        case notFound

        // The request is at fault.
        case invalidRequest
        case tooLarge
        case unsupportedSchema(SchemaLoweringError)

        // The model answered, and the answer is of no use. It was billed.
        case refused(category: String?)
        case truncated(Truncation)
        /// Not the JSON that was asked for; the phrase says where it breaks.
        case unparseable(String)
        case schemaViolation([SchemaViolation])
        /// The model stopped for a reason that leaves nothing to use, by the provider's name of it.
        case unusable(reason: String)
        case answerTooLarge

        // Ours.
        case spendCapReached
        /// The phrase names what to set.
        case notConfigured(String)
        case cancelled
    }

    /// Which allowance is used up.
    package enum Quota: String, Hashable, Sendable {
        /// Comes back the next day.
        case daily
        /// A limit of spend, the provider's or one set in its console.
        case spendLimit = "spend limit"
        /// Prepaid money or billing.
        case credit
    }

    /// Where the answer was cut off.
    package enum Truncation: String, Hashable, Sendable {
        case maxOutputTokens = "the limit of output tokens"
        case contextWindow = "the model's context window"
    }
}

/// A place where an answer does not fit its schema.
package struct SchemaViolation: Hashable, Sendable {
    /// The way from the answer's root, like `holdings[2].ticker`; empty for the root itself.
    package var path: String
    /// A sentence that names the field: what to tell the model that shall repair it.
    package var message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }
}
