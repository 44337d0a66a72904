internal import JSON

/// Reads an answer of Gemini, whole or chunk by chunk: each chunk is a response object with a part of the text.
struct GeminiAnswerParser {
    private var id: String?
    private var model: String?
    private var text = ""
    private var parts: [JSON] = []
    /// The plain text since the last part. It is echoed as one part; a signature or a call ends it.
    private var openText = ""
    private var toolCalls: [ToolCall] = []
    private var usageFields: JSON?
    private var finishReason: String?
    private var blockReason: String?
    private var continuationToken: String?
    /// Bytes of text, thinking and input of tool calls so far.
    private(set) var outputBytes = 0

    /// Takes in one response object.
    ///
    /// - Returns: The new text of the answer.
    mutating func receive(_ response: JSON) -> String {
        id = response["responseId"]?.string ?? id
        model = response["modelVersion"]?.string ?? model
        // Running totals: the last one counts.
        if let usage = response["usageMetadata"], !usage.isNull { usageFields = usage }
        if let reason = response["promptFeedback"]?["blockReason"]?.string { blockReason = reason }
        guard let candidate = response["candidates"]?[0] else { return "" }
        if let reason = candidate["finishReason"]?.string { finishReason = reason }
        if let token = candidate["continuationToken"]?.string { continuationToken = token }
        var news = ""
        for part in candidate["content"]?["parts"]?.array ?? [] { news += receive(part: part) }
        text += news
        return news
    }

    private mutating func receive(part: JSON) -> String {
        outputBytes += part["text"]?.string?.utf8.count ?? 0
        if let call = part["functionCall"] {
            outputBytes += call["args"]?.compact.utf8.count ?? 0
            append(part)
            toolCalls.append(
                ToolCall(
                    id: GeminiCallID.make(call["id"]?.string, responseID: id, index: toolCalls.count),
                    name: call["name"]?.string ?? "", input: call["args"] ?? [:]))
            return ""
        }
        guard part["thought"]?.bool != true, let piece = part["text"]?.string else {
            append(part)
            return ""
        }
        if part.object?.count == 1 { openText += piece } else { append(part) }
        return piece
    }

    private mutating func append(_ part: JSON) {
        parts = content
        openText = ""
        parts.append(part)
    }

    /// The parts in the form of a whole answer.
    private var content: [JSON] { openText.isEmpty ? parts : parts + [["text": JSON(openText)]] }

    var usage: TokenUsage? {
        guard let fields = usageFields else { return nil }
        let cached = fields["cachedContentTokenCount"]?.tokenCount ?? 0
        let thoughts = fields["thoughtsTokenCount"]?.tokenCount ?? 0
        let prompt = fields["promptTokenCount"]?.tokenCount ?? 0
        return TokenUsage(
            input: max(0, prompt - cached) + (fields["toolUsePromptTokenCount"]?.tokenCount ?? 0),
            output: (fields["candidatesTokenCount"]?.tokenCount ?? 0) + thoughts, cacheRead: min(cached, prompt),
            thinking: thoughts)
    }

    /// The bytes of text that a token has at the most; some have a long word.
    private static let mostBytesPerToken: Int64 = 8

    /// Each chunk may tell the output up to its end. A count that is too small for the text counts as none: the last chunk
    /// alone has the count of the whole then.
    var progress: CallProgress {
        let told = usageFields?["candidatesTokenCount"]?.integer == nil ? nil : usage?.output
        let isOutputTold = told.map { finishReason != nil || $0 * Self.mostBytesPerToken >= outputBytes } ?? false
        return CallProgress(usage: usage, outputBytes: outputBytes, isOutputTold: isOutputTold)
    }

    /// The answer; `nil` while it is incomplete.
    var answer: RawAnswer? {
        guard let stop else { return nil }
        return RawAnswer(
            id: id, model: model, text: text, toolCalls: toolCalls, stop: stop, usage: usage, content: .array(content))
    }

    private var stop: RawAnswer.Stop? {
        if let blockReason { return .refused(category: blockReason) }
        guard let finishReason else { return nil }
        switch finishReason {
        case "STOP": return .finished(.endOfTurn)
        case "MAX_TOKENS": return .truncated(.maxOutputTokens)
        case "CONTINUATION": return continuationToken.map { .paused(token: $0) } ?? .truncated(.maxOutputTokens)
        case "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "ESCALATION",
            "PUP_LIMITED_DISABLED", "MODEL_ARMOR", "NO_IMAGE":
            return .refused(category: finishReason)
        case _ where finishReason.hasPrefix("IMAGE_"): return .refused(category: finishReason)
        case "MISSING_THOUGHT_SIGNATURE": return .invalidRequest(finishReason)
        case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MALFORMED_RESPONSE", "OTHER",
            "FINISH_REASON_UNSPECIFIED":
            return .unusable(finishReason)
        default: return .finished(.other(finishReason))
        }
    }
}
