internal import JSON

/// One content block of Claude, growing by deltas. Kept in its own format, so that it can be echoed unchanged.
struct ClaudeBlock {
    private var start: JSON
    private var text = ""
    private var thinking = ""
    private var signature = ""
    private var partialInput = ""
    private var citations: [JSON] = []

    init(_ start: JSON) { self.start = start }

    private var type: String? { start["type"]?.string }

    /// Returns the text for the reader that the delta brought.
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

    /// The block as a whole message would hold it.
    var json: JSON {
        var block = start
        func append(_ piece: String, to key: String) {
            if !piece.isEmpty { block[key] = JSON((block[key]?.string ?? "") + piece) }
        }
        append(text, to: "text")
        append(thinking, to: "thinking")
        append(signature, to: "signature")
        // Tool input that is no JSON cannot be echoed; null marks it.
        if !partialInput.isEmpty { block["input"] = (try? JSON(parsing: partialInput)) ?? .null }
        if !citations.isEmpty { block["citations"] = .array((block["citations"]?.array ?? []) + citations) }
        return block
    }

    /// The text for the reader; `nil` for blocks of other types.
    var visibleText: String? { type == "text" ? (start["text"]?.string ?? "") + text : nil }

    var toolCall: ToolCall? {
        guard type == "tool_use", let id = start["id"]?.string, let name = start["name"]?.string else { return nil }
        return ToolCall(id: id, name: name, input: json["input"] ?? [:])
    }
}
