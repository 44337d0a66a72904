internal import HTTP
internal import JSON

/// The table of errors of OpenAI-compatible servers: by `code` and `type` if they are known, else by status.
enum OpenAIErrors {
    static func verdict(on answer: ErrorResponse) -> ErrorVerdict {
        ErrorVerdict(
            kind(of: answer), retryAfter: answer.retryAfter,
            retryOverride: answer.headers["x-should-retry"].flatMap(Bool.init))
    }

    private static func kind(of answer: ErrorResponse) -> ModelError.Kind {
        let names = [answer.error?["code"]?.string, answer.error?["type"]?.string].compactMap(\.self)
        for name in names {
            switch name {
            case "insufficient_quota": return .quotaExhausted(.credit)
            case "context_length_exceeded", "exceed_context_size_error": return .tooLarge
            case "content_filter", "content_policy_violation": return .refused(category: name)
            case "invalid_api_key": return .authentication
            case "model_not_found": return .notFound
            default: continue
            }
        }
        guard answer.status == nil || answer.status == 200 else { return answer.kindByStatus }
        // A stream has no status; llama.cpp and vLLM repeat it as a number in `code`.
        let coded = answer.error?["code"]?.integer.map { Int(clamping: $0) } ?? 500
        return ErrorResponse(status: coded, headers: answer.headers, body: nil, now: answer.now).kindByStatus
    }
}
