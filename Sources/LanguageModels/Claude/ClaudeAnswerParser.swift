internal import JSON

/// Reads a message of Claude, whole or event by event. Unknown blocks are kept; unknown events and deltas are ignored.
struct ClaudeAnswerParser {
    private let cacheLifetime: CacheMark.Lifetime
    private var id: String?
    private var model: String?
    private var blocks: [Int: ClaudeBlock] = [:]
    private var usageFields = JSONObject()
    /// The reported usage; `nil` while nothing has been reported.
    private(set) var usage: TokenUsage?
    private var stopReason: String?
    private var stopDetails: JSON?
    /// Bytes of text, thinking and input of tool calls so far.
    private(set) var outputBytes = 0
    private var isOutputTold = false

    /// - Parameter cacheLifetime: The lifetime of cache writes if the usage does not distinguish them.
    init(cacheLifetime: CacheMark.Lifetime) { self.cacheLifetime = cacheLifetime }

    /// Takes in a whole message, which a proxy may send instead of a stream.
    private mutating func receive(message: JSON) -> String {
        takeHead(message)
        for (index, block) in (message["content"]?.array ?? []).enumerated() { blocks[index] = ClaudeBlock(block) }
        take(stop: message)
        outputBytes += message["content"]?.compact.utf8.count ?? 0
        return blocks.sorted { $0.key < $1.key }.compactMap(\.value.visibleText).joined()
    }

    /// Takes in one event of a stream, or a whole message.
    ///
    /// - Returns: The new text of the answer.
    mutating func receive(_ event: JSON) -> String? {
        let index = Int(clamping: event["index"]?.integer ?? 0)
        switch event["type"]?.string {
        case "message": return receive(message: event)
        case nil where event["content"]?.array != nil: return receive(message: event)
        case "message_start":
            if let message = event["message"] { takeHead(message) }
        case "content_block_start":
            let block = ClaudeBlock(event["content_block"] ?? [:])
            blocks[index] = block
            outputBytes += block.visibleText?.utf8.count ?? 0
            return block.visibleText
        case "content_block_delta":
            let delta = event["delta"] ?? [:]
            for member in ["text", "thinking", "partial_json"] { outputBytes += delta[member]?.string?.utf8.count ?? 0 }
            return blocks[index]?.receive(delta)
        case "message_delta":
            if let delta = event["delta"] { take(stop: delta) }
            take(usage: event["usage"])
            isOutputTold = event["usage"]?["output_tokens"]?.integer != nil
        default: break
        }
        return nil
    }

    private mutating func takeHead(_ message: JSON) {
        id = message["id"]?.string
        model = message["model"]?.string
        take(usage: message["usage"])
    }

    private mutating func take(stop fields: JSON) {
        if let reason = fields["stop_reason"]?.string { stopReason = reason }
        if let details = fields["stop_details"], !details.isNull { stopDetails = details }
    }

    /// Counts are cumulative: a later one replaces an earlier one.
    private mutating func take(usage fields: JSON?) {
        for (key, value) in fields?.object ?? JSONObject() where !value.isNull { usageFields[key] = value }
        usage = usageFields.isEmpty ? nil : readUsage()
    }

    private func readUsage() -> TokenUsage {
        let fields = JSON.object(usageFields)
        let written = fields["cache_creation_input_tokens"]?.tokenCount ?? 0
        let fiveMinutes = fields["cache_creation"]?["ephemeral_5m_input_tokens"]?.tokenCount ?? 0
        let oneHour = fields["cache_creation"]?["ephemeral_1h_input_tokens"]?.tokenCount ?? 0
        let unassigned = max(0, written - fiveMinutes - oneHour)
        let isHour = cacheLifetime == .oneHour
        return TokenUsage(
            input: fields["input_tokens"]?.tokenCount ?? 0, output: fields["output_tokens"]?.tokenCount ?? 0,
            cacheRead: fields["cache_read_input_tokens"]?.tokenCount ?? 0,
            cacheWrite5m: fiveMinutes + (isHour ? 0 : unassigned), cacheWrite1h: oneHour + (isHour ? unassigned : 0),
            thinking: fields["output_tokens_details"]?["thinking_tokens"]?.tokenCount ?? 0)
    }

    var progress: CallProgress {
        CallProgress(usage: usage, outputBytes: outputBytes, isOutputTold: isOutputTold)
    }

    /// The answer; `nil` before the stop reason.
    var answer: RawAnswer? {
        guard let stopReason else { return nil }
        let ordered = blocks.sorted { $0.key < $1.key }.map(\.value)
        let calls = ordered.compactMap(\.toolCall)
        var stop = Self.stop(stopReason, stopDetails)
        if case .finished = stop, calls.contains(where: { $0.input == .null }) { stop = .unusable("tool_input") }
        return RawAnswer(
            id: id, model: model, text: ordered.compactMap(\.visibleText).joined(), toolCalls: calls, stop: stop,
            usage: usage, content: .array(ordered.map(\.json)))
    }

    private static func stop(_ reason: String, _ details: JSON?) -> RawAnswer.Stop {
        switch reason {
        case "end_turn": .finished(.endOfTurn)
        case "stop_sequence": .finished(.stopSequence)
        case "tool_use": .finished(.toolCalls)
        case "max_tokens": .truncated(.maxOutputTokens)
        case "model_context_window_exceeded": .truncated(.contextWindow)
        case "refusal": .refused(category: details?["category"]?.string)
        case "pause_turn": .paused(token: nil)
        default: .finished(.other(reason))
        }
    }
}

/// One content block of Claude, which grows by deltas. It keeps Claude's format, so that it can be echoed unchanged.
struct ClaudeBlock {
    private var start: JSON
    private var text = ""
    private var thinking = ""
    private var signature = ""
    private var partialInput = ""
    private var citations: [JSON] = []

    init(_ start: JSON) { self.start = start }

    private var type: String? { start["type"]?.string }

    /// Returns the new text of the answer.
    mutating func receive(_ delta: JSON) -> String? {
        switch delta["type"]?.string {
        case "text_delta":
            let piece = delta["text"]?.string ?? ""
            text += piece
            return type == "text" ? piece : nil
        case "input_json_delta": partialInput += delta["partial_json"]?.string ?? ""
        case "thinking_delta": thinking += delta["thinking"]?.string ?? ""
        case "signature_delta": signature += delta["signature"]?.string ?? ""
        case "citations_delta":
            if let citation = delta["citation"] { citations.append(citation) }
        default: break
        }
        return nil
    }

    /// The block in the form of a whole message.
    var json: JSON {
        var block = start
        func append(_ piece: String, to key: String) {
            if !piece.isEmpty { block[key] = JSON((block[key]?.string ?? "") + piece) }
        }
        append(text, to: "text")
        append(thinking, to: "thinking")
        append(signature, to: "signature")
        // Tool input that is not JSON cannot be echoed; null marks it.
        if !partialInput.isEmpty { block["input"] = (try? JSON(parsing: partialInput)) ?? .null }
        if !citations.isEmpty { block["citations"] = .array((block["citations"]?.array ?? []) + citations) }
        return block
    }

    /// The text of the answer; `nil` for blocks of other types.
    var visibleText: String? { type == "text" ? (start["text"]?.string ?? "") + text : nil }

    var toolCall: ToolCall? {
        guard type == "tool_use", let id = start["id"]?.string, let name = start["name"]?.string else { return nil }
        return ToolCall(id: id, name: name, input: json["input"] ?? [:])
    }
}
