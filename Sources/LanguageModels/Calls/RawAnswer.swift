internal import JSON

/// What a provider answered, in common words, before anybody judged it.
struct RawAnswer {
    enum Stop: Hashable {
        case finished(StopReason)
        case refused(category: String?)
        case truncated(ModelError.Truncation)
        case unusable(String)
        case invalidRequest(String)
        /// The same request goes on when it is sent again with what came so far (Claude) or with a token (Gemini).
        case paused(token: String?)
    }

    var id: String?
    var model: String?
    var text = ""
    var toolCalls: [ToolCall] = []
    var stop: Stop
    /// `nil` where the provider reported none.
    var usage: TokenUsage?
    /// The assistant's turn in the provider's own format, an array where turns can be joined.
    var content: JSON
}
