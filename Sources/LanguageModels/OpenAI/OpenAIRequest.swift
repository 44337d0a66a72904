internal import JSON

/// The body of a chat completion request.
struct OpenAIRequest {
    let body: JSON

    init(_ request: ModelRequest, for model: ModelDescription) {
        var messages: [JSON] = []
        let system = [request.system.stable, request.system.varying].filter { !$0.isEmpty }
        if !system.isEmpty {
            messages.append(["role": "system", "content": JSON(system.joined(separator: "\n\n"))])
        }
        for message in request.messages { messages += Self.messages(message) }
        var body: JSON = [
            "model": JSON(model.wireName), "messages": .array(messages),
            "max_tokens": JSON(min(request.maxOutputTokens, model.maxOutputTokens)),
        ]
        body["temperature"] = request.temperature.map { JSON($0) }
        if !request.stopSequences.isEmpty { body["stop"] = JSON(request.stopSequences) }
        if case .json(let name, let schema) = request.output {
            // The nested form: llama.cpp silently ignores the flat one.
            body["response_format"] = [
                "type": "json_schema",
                "json_schema": ["name": JSON(Self.formatName(name)), "strict": true, "schema": schema],
            ]
        }
        if !request.tools.isEmpty {
            body["tools"] = .array(request.tools.map(Self.tool))
            body["tool_choice"] = Self.toolChoice(request.toolChoice)
        }
        if let effort = request.effort?.nearest(in: model.efforts) { body["reasoning_effort"] = JSON(effort.rawValue) }
        if let label = request.userLabel { body["user"] = JSON(label) }
        self.body = body
    }

    /// At most 64 letters, digits, underscores and dashes.
    private static func formatName(_ name: String) -> String {
        let allowed = name.unicodeScalars.prefix(64).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_-".unicodeScalars.contains(scalar))
                ? Character(scalar) : "_"
        }
        return allowed.isEmpty ? "answer" : String(allowed)
    }

    private static func tool(_ tool: ModelTool) -> JSON {
        [
            "type": "function",
            "function": [
                "name": JSON(tool.name), "description": JSON(tool.description), "parameters": tool.parameters,
            ],
        ]
    }

    private static func toolChoice(_ choice: ToolChoice) -> JSON {
        switch choice {
        case .automatic: "auto"
        case .any: "required"
        case .none: "none"
        case .tool(let name): ["type": "function", "function": ["name": JSON(name)]]
        }
    }

    // MARK: Messages

    /// The messages of a turn. Tool results are separate messages and come first, directly after the calls.
    private static func messages(_ message: ModelMessage) -> [JSON] {
        if let original = message.original, original.provider == .openai { return [original.content] }
        return message.role == .user ? userMessages(message.unmarkedParts) : assistantMessages(message.unmarkedParts)
    }

    private static func userMessages(_ parts: [ModelMessage.Part]) -> [JSON] {
        var results: [JSON] = []
        var texts: [String] = []
        var blocks: [JSON] = []
        for part in parts {
            switch part {
            case .text(let text):
                texts.append(text)
                blocks.append(["type": "text", "text": JSON(text)])
            case .media(let media): blocks.append(Self.media(media))
            case .toolResult(let result):
                results.append(
                    ["role": "tool", "tool_call_id": JSON(result.callID), "content": JSON(result.text)])
            case .toolCall, .cacheMark: break
            }
        }
        guard !blocks.isEmpty else { return results }
        // Many local servers read plain strings only.
        let content: JSON = blocks.count == texts.count ? JSON(texts.joined(separator: "\n\n")) : .array(blocks)
        return results + [["role": "user", "content": content]]
    }

    private static func assistantMessages(_ parts: [ModelMessage.Part]) -> [JSON] {
        var text = ""
        var calls: [JSON] = []
        for part in parts {
            switch part {
            case .text(let piece): text += piece
            case .toolCall(let call): calls.append(OpenAIAnswerParser.wireCall(call.id, call.name, call.input.compact))
            case .media, .toolResult, .cacheMark: break
            }
        }
        var message: JSON = ["role": "assistant", "content": text.isEmpty ? .null : JSON(text)]
        if !calls.isEmpty { message["tool_calls"] = .array(calls) }
        return [message]
    }

    private static func media(_ media: Media) -> JSON {
        switch media.source {
        case .url(let url): ["type": "image_url", "image_url": ["url": JSON(url)]]
        case .base64(let data) where media.mimeType.hasPrefix("image/"):
            ["type": "image_url", "image_url": ["url": "data:\(media.mimeType);base64,\(data)"]]
        case .base64(let data):
            [
                "type": "file",
                "file": ["filename": "document", "file_data": "data:\(media.mimeType);base64,\(data)"],
            ]
        }
    }
}
