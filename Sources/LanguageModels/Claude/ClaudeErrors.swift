internal import HTTP
internal import JSON

/// The table of Claude's errors: by `error.type`, and by status when the edge responds instead of the API.
enum ClaudeErrors {
    /// A spend limit gives a 429 without a hint, and lasts until the month ends or the limit is raised.
    private static let spendLimitCodes: Set<String> = ["enforced_spend_limit_reached", "contract_spend_limit_reached"]
    /// The start of the message about the account owner's own limit, which has no code.
    private static let ownLimitMessage = "You have reached your specified API usage limits"

    static func verdict(on answer: ErrorResponse) -> ErrorVerdict {
        ErrorVerdict(
            kind(of: answer), retryAfter: answer.retryAfter,
            retryOverride: answer.headers["x-should-retry"].flatMap(Bool.init))
    }

    private static func kind(of answer: ErrorResponse) -> ModelError.Kind {
        let code = answer.error?["details"]?["error_code"]?.string ?? ""
        switch answer.error?["type"]?.string {
        case "rate_limit_error": return spendLimitCodes.contains(code) ? .quotaExhausted(.spendLimit) : .rateLimited
        case "invalid_request_error":
            let isOwnLimit = answer.message?.hasPrefix(ownLimitMessage) == true
            // The edge's 413 and a proxy's other statuses are more precise than the type.
            return isOwnLimit ? .quotaExhausted(.spendLimit) : answer.status == 413 ? .tooLarge : .invalidRequest
        case "authentication_error": return .authentication
        case "billing_error": return .quotaExhausted(.credit)
        case "permission_error": return .permission
        case "not_found_error": return .notFound
        case "conflict_error": return .conflict
        case "request_too_large": return .tooLarge
        case "api_error": return .serverError
        case "timeout_error": return .timeout
        case "overloaded_error": return .overloaded
        default: return answer.kindByStatus
        }
    }
}
