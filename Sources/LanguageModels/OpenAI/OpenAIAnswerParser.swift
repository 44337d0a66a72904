internal import JSON

/// Reads a chat completion, whole (`message`) or chunk by chunk (`delta`). Reasoning that local servers add is ignored.
struct OpenAIAnswerParser {
    private struct Call {
        var id: String?
        var name = ""
        var arguments = ""
    }

    private var id: String?
    private var model: String?
    private var text = ""
    private var refusal: String?
    private var calls: [Int: Call] = [:]
    private var usageFields: JSON?
    private var finishReason: String?
    private var hasEnded = false
    /// Bytes of text, thinking and input of tool calls so far.
    private(set) var outputBytes = 0

    /// Takes in one chunk of a stream, or a whole completion, which some servers send instead.
    ///
    /// - Returns: The new text of the answer.
    mutating func receive(_ object: JSON) -> String {
        id = object["id"]?.string ?? id
        model = object["model"]?.string ?? model
        if let usage = object["usage"], !usage.isNull { usageFields = usage }
        guard let choice = object["choices"]?[0] else { return "" }
        if let reason = choice["finish_reason"]?.string { finishReason = reason }
        let isWhole = choice["delta"] == nil && choice["message"] != nil
        if isWhole { hasEnded = true }
        let delta = choice[isWhole ? "message" : "delta"]
        if let piece = delta?["refusal"]?.string { refusal = (refusal ?? "") + piece }
        for (offset, call) in (delta?["tool_calls"]?.array ?? []).enumerated() {
            let index = Int(clamping: call["index"]?.integer ?? Int64(offset))
            var known = calls[index] ?? Call()
            known.id = known.id ?? call["id"]?.string
            if known.name.isEmpty { known.name = call["function"]?["name"]?.string ?? "" }
            let arguments = call["function"]?["arguments"]?.string ?? ""
            known.arguments += arguments
            outputBytes += arguments.utf8.count
            calls[index] = known
        }
        for member in ["content", "reasoning_content", "reasoning", "refusal"] {
            outputBytes += delta?[member]?.string?.utf8.count ?? 0
        }
        let piece = delta?["content"]?.string ?? ""
        text += piece
        return piece
    }

    /// Marks the answer as complete.
    mutating func end() { hasEnded = true }

    var usage: TokenUsage? {
        guard let fields = usageFields else { return nil }
        let prompt = fields["prompt_tokens"]?.tokenCount ?? 0
        let cached = min(prompt, fields["prompt_tokens_details"]?["cached_tokens"]?.tokenCount ?? 0)
        return TokenUsage(
            input: prompt - cached, output: fields["completion_tokens"]?.tokenCount ?? 0, cacheRead: cached,
            thinking: fields["completion_tokens_details"]?["reasoning_tokens"]?.tokenCount ?? 0)
    }

    var progress: CallProgress {
        let isOutputTold = usageFields?["completion_tokens"]?.integer != nil
        return CallProgress(usage: usage, outputBytes: outputBytes, isOutputTold: isOutputTold)
    }

    /// The answer; `nil` while it is incomplete.
    var answer: RawAnswer? {
        guard hasEnded || finishReason != nil else { return nil }
        let ordered = calls.sorted { $0.key < $1.key }.map(\.value)
        let toolCalls = ordered.enumerated().map { index, call in
            let arguments = call.arguments.isEmpty ? [:] : (try? JSON(parsing: call.arguments)) ?? .null
            return ToolCall(id: call.id ?? "call_\(index)", name: call.name, input: arguments)
        }
        var stop = Self.stop(finishReason)
        if refusal?.isEmpty == false { stop = .refused(category: nil) }
        if case .finished = stop, toolCalls.contains(where: { $0.input == .null }) { stop = .unusable("tool_input") }
        return RawAnswer(
            id: id, model: model, text: text, toolCalls: toolCalls, stop: stop, usage: usage,
            content: content(zip(ordered, toolCalls).map { Self.wireCall($1.id, $1.name, $0.arguments) }))
    }

    private func content(_ calls: [JSON]) -> JSON {
        var message: JSON = ["role": "assistant", "content": text.isEmpty ? .null : JSON(text)]
        if !calls.isEmpty { message["tool_calls"] = .array(calls) }
        return message
    }

    static func wireCall(_ id: String, _ name: String, _ arguments: String) -> JSON {
        [
            "id": JSON(id), "type": "function",
            "function": ["name": JSON(name), "arguments": JSON(arguments.isEmpty ? "{}" : arguments)],
        ]
    }

    private static func stop(_ reason: String?) -> RawAnswer.Stop {
        switch reason {
        case nil, "stop": .finished(.endOfTurn)
        case "tool_calls", "function_call": .finished(.toolCalls)
        case "length": .truncated(.maxOutputTokens)
        case "content_filter": .refused(category: "content_filter")
        case .some(let other): .finished(.other(other))
        }
    }
}
