internal import HTTP
internal import JSON

/// The table of Gemini's errors: `google.rpc.Status` with its details.
enum GeminiErrors {
    static func verdict(on answer: ErrorResponse) -> ErrorVerdict {
        let details = answer.error?["details"]?.array ?? []
        let hint = details.lazy.compactMap { $0["retryDelay"]?.string }.first.flatMap(RetryHint.protobufDuration)
        return ErrorVerdict(kind(of: answer, details), retryAfter: hint ?? answer.retryAfter)
    }

    private static func kind(of answer: ErrorResponse, _ details: [JSON]) -> ModelError.Kind {
        // Google reports a wrong key as an invalid argument.
        if details.contains(where: { $0["reason"] == "API_KEY_INVALID" }) { return .authentication }
        switch answer.error?["status"]?.string {
        case "RESOURCE_EXHAUSTED": return isDaily(details) ? .quotaExhausted(.daily) : .rateLimited
        case "UNAUTHENTICATED": return .authentication
        // The project (billing, region) must be changed first.
        case "PERMISSION_DENIED", "FAILED_PRECONDITION": return .permission
        case "NOT_FOUND": return .notFound
        case "INVALID_ARGUMENT", "OUT_OF_RANGE", "UNIMPLEMENTED":
            return answer.status == 413 ? .tooLarge : .invalidRequest
        case "ABORTED", "ALREADY_EXISTS": return .conflict
        case "INTERNAL", "UNKNOWN", "DATA_LOSS", "CANCELLED": return .serverError
        case "UNAVAILABLE": return .overloaded
        case "DEADLINE_EXCEEDED": return .timeout
        default:
            let coded = answer.error?["code"]?.integer.map { Int(clamping: $0) }
            return answer.status == nil || answer.status == 200
                ? ErrorResponse(status: coded ?? 500, headers: answer.headers, body: nil, now: answer.now).kindByStatus
                : answer.kindByStatus
        }
    }

    private static func isDaily(_ details: [JSON]) -> Bool {
        details.flatMap { $0["violations"]?.array ?? [] }.contains { $0["quotaId"]?.string?.contains("PerDay") == true }
    }
}
