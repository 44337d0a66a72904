internal import JSON

/// Reads a message of Claude, whole or event by event. Unknown events, blocks and deltas are kept or passed over.
struct ClaudeAnswer {
    private let cacheLifetime: SystemPrompt.CacheLifetime
    private var id: String?
    private var model: String?
    private var blocks: [Int: ClaudeBlock] = [:]
    private var usageFields = JSONObject()
    private var stopReason: String?
    private var stopDetails: JSON?

    /// - Parameter cacheLifetime: What cache writes are counted as where the usage does not tell them apart.
    init(cacheLifetime: SystemPrompt.CacheLifetime) { self.cacheLifetime = cacheLifetime }

    /// Takes a whole message.
    mutating func receive(message: JSON) {
        takeHead(message)
        for (index, block) in (message["content"]?.array ?? []).enumerated() { blocks[index] = ClaudeBlock(block) }
        take(stop: message)
    }

    /// Takes one event of a stream; returns the text for the reader that it brought.
    mutating func receive(_ event: JSON) -> String? {
        let index = Int(clamping: event["index"]?.integer ?? 0)
        switch event["type"]?.string {
        case "message_start":
            if let message = event["message"] { takeHead(message) }
        case "content_block_start":
            let block = ClaudeBlock(event["content_block"] ?? [:])
            blocks[index] = block
            return block.visibleText
        case "content_block_delta":
            return blocks[index]?.receive(event["delta"] ?? [:])
        case "message_delta":
            if let delta = event["delta"] { take(stop: delta) }
            take(usage: event["usage"])
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

    /// Counts are cumulative: a later one replaces the earlier.
    private mutating func take(usage fields: JSON?) {
        for (key, value) in fields?.object ?? JSONObject() where !value.isNull { usageFields[key] = value }
    }

    /// What was used so far; `nil` while nothing has been reported.
    var usage: TokenUsage? {
        guard !usageFields.isEmpty else { return nil }
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

    /// The answer; `nil` while no reason to stop has come.
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
