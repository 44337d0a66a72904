internal import JSON

/// Reads the turns of a request to Claude and checks them against the rules of the conversation.
struct ClaudeMessageReader {
    let body: JSON
    let version: String
    let context: AnswerContext

    func turns(allowsPrefill: Bool) throws(Refusal) -> [SimulatedCall.Turn] {
        let messages = body["messages"]?.array ?? []
        guard !messages.isEmpty else { throw invalid("messages: at least one message is required") }
        guard messages.count <= 100_000 else { throw invalid("messages: List should have at most 100000 items") }
        var turns: [SimulatedCall.Turn] = []
        var openCalls: [String] = []
        for (place, message) in messages.enumerated() {
            let isUser = message["role"] == "user"
            let blocks = try blocks(of: message, at: place)
            if isUser { try checkResults(blocks, openCalls, place) }
            openCalls = isUser ? [] : blocks.filter { $0["type"] == "tool_use" }.compactMap { $0["id"]?.string }
            turns.append(SimulatedCall.Turn(isFromUser: isUser, parts: blocks.compactMap(part)))
        }
        guard messages.first?["role"] == "user" else {
            throw invalid("messages: first message must use the \"user\" role")
        }
        if messages.last?["role"] != "user", !allowsPrefill {
            throw invalid(
                "This model does not support assistant message prefill. The conversation must end with a user message.")
        }
        return turns
    }

    private func invalid(_ message: String) -> Refusal { SimulatedClaudeErrors.invalid(message, context: context) }

    private func blocks(of message: JSON, at place: Int) throws(Refusal) -> [JSON] {
        let isUser = message["role"] == "user"
        if let text = message["content"]?.string {
            guard !text.isEmpty else { throw invalid("messages.\(place): content must not be empty") }
            return [["type": "text", "text": JSON(text)]]
        }
        let blocks = message["content"]?.array ?? []
        guard !blocks.isEmpty else { throw invalid("messages.\(place): content must not be empty") }
        for (index, block) in blocks.enumerated() {
            let path = "messages.\(place).content.\(index)"
            guard let type = block["type"]?.string else { throw invalid("\(path).type: Field required") }
            guard let shape = ClaudeShapes.blocks[type] else {
                guard ClaudeShapes.otherBlocks.contains(type) else {
                    throw invalid("\(path): Input tag '\(type)' is not one of the expected tags")
                }
                if type == "document", !isUser, version == "2026-10-21" {
                    throw invalid("\(path): document blocks are not allowed in assistant messages")
                }
                continue
            }
            let steps: [Shape.Step] = [
                .member("messages"), .index(place), .member("content"), .index(index), .member(type),
            ]
            if let violation = shape.violations(of: block, at: steps).first {
                throw invalid(SimulatedClaudeErrors.message(violation))
            }
            if type == "text", block["text"]?.string?.allSatisfy(\.isWhitespace) == true {
                throw invalid("messages: text content blocks must contain non-whitespace text")
            }
            if isUser, version == "2026-10-21", block["citations"]?.array?.isEmpty == false {
                throw invalid("\(path).text.citations: not allowed in user messages")
            }
            if isUser != (type == "tool_result"), type == "tool_result" || (isUser && type == "tool_use") {
                throw invalid("\(path): `\(type)` blocks can only be in \(isUser ? "`assistant`" : "`user`") messages")
            }
            if isUser, type.hasSuffix("thinking") {
                throw invalid("\(path): `\(type)` blocks can only be in `assistant` messages")
            }
        }
        return blocks
    }

    /// Each call is answered in the next turn, before anything else that it says.
    private func checkResults(_ blocks: [JSON], _ calls: [String], _ place: Int) throws(Refusal) {
        let results = blocks.prefix { $0["type"] == "tool_result" }.compactMap { $0["tool_use_id"]?.string }
        let all = blocks.compactMap { $0["type"] == "tool_result" ? $0["tool_use_id"]?.string : nil }
        let missing = calls.filter { !results.contains($0) }
        guard missing.isEmpty else {
            throw invalid(
                "messages.\(place): `tool_use` ids were found without `tool_result` blocks immediately after: "
                    + missing.joined(separator: ", "))
        }
        if let stray = all.first(where: { !calls.contains($0) }) {
            throw invalid(
                "messages.\(place): unexpected `tool_use_id` found in `tool_result` blocks: \(stray). Each "
                    + "`tool_result` block must have a corresponding `tool_use` block in the previous message.")
        }
    }

    private func part(_ block: JSON) -> SimulatedCall.Turn.Part? {
        switch block["type"]?.string {
        case "text": return block["text"]?.string.map { .text($0) }
        case "tool_use": return .toolCall(name: block["name"]?.string ?? "")
        case "tool_result":
            let text =
                block["content"]?.string
                ?? (block["content"]?.array ?? []).compactMap { $0["text"]?.string }.joined(separator: "\n")
            return .toolResult(text)
        default: return nil
        }
    }
}
