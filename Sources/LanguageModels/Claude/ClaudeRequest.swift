internal import JSON

/// The body of a Messages request. Version 2026-10-21 of the API rejects a temperature with 400, so none is sent.
struct ClaudeRequest {
    let body: JSON

    init(_ request: ModelRequest, for call: ProviderCall) throws(ModelError) {
        let model = call.model
        var body: JSON = [
            "model": JSON(model.wireName),
            "max_tokens": JSON(min(request.maxOutputTokens, model.maxOutputTokens)),
        ]
        let mustAsk = request.toolChoice.isForced && !model.allowsForcedToolChoice
        var system = Self.system(request.system, adding: mustAsk ? Self.toolInstruction(request.toolChoice) : nil)
        body["messages"] = .array(try Self.messages(request.messages, call, after: &system))
        if !system.isEmpty { body["system"] = .array(system) }
        do throws(SchemaLoweringError) {
            if !request.tools.isEmpty {
                body["tools"] = .array(request.tools.map(Self.tool))
                body["tool_choice"] = mustAsk ? nil : Self.toolChoice(request.toolChoice)
            }
            if model.thinking == .adaptive, mustAsk || !request.toolChoice.isForced {
                body["thinking"] = ["type": "adaptive"]
            }
            body["output_config"] = try Self.outputConfig(request, model)
        } catch {
            throw call.failure(.unsupportedSchema(error))
        }
        if let label = request.userLabel { body["metadata"] = ["user_id": JSON(label)] }
        if !request.stopSequences.isEmpty { body["stop_sequences"] = JSON(request.stopSequences) }
        self.body = body
    }

    private static func system(_ prompt: SystemPrompt, adding toolInstruction: String?) -> [JSON] {
        ([prompt.stable, prompt.varying].filter { !$0.isEmpty } + [toolInstruction].compactMap(\.self)).map(text)
    }

    /// Models that think before every answer reject a forced tool choice; an instruction in words replaces it.
    private static func toolInstruction(_ choice: ToolChoice) -> String {
        if case .tool(let name) = choice { return "Answer with a call of the tool \(name)." }
        return "Answer with a call of one of the tools."
    }

    private static func tool(_ tool: ModelTool) -> JSON {
        ["name": JSON(tool.name), "description": JSON(tool.description), "input_schema": tool.parameters]
    }

    private static func toolChoice(_ choice: ToolChoice) -> JSON? {
        switch choice {
        case .automatic: nil
        case .any: ["type": "any"]
        case .none: ["type": "none"]
        case .tool(let name): ["type": "tool", "name": JSON(name)]
        }
    }

    private static func outputConfig(_ request: ModelRequest, _ model: ModelDescription) throws(SchemaLoweringError)
        -> JSON?
    {
        var config = JSONObject()
        if let effort = request.effort?.nearest(in: model.efforts) { config["effort"] = JSON(effort.rawValue) }
        if case .json(_, let schema) = request.output {
            config["format"] = ["type": "json_schema", "schema": try SchemaLowering.claude(schema)]
        }
        return config.isEmpty ? nil : .object(config)
    }

    // MARK: Messages

    /// The turns; a mark at the beginning of the first one belongs to the last block before them.
    private static func messages(
        _ messages: [ModelMessage], _ call: ProviderCall, after system: inout [JSON]
    ) throws(ModelError) -> [JSON] {
        var turns: [JSON] = []
        for message in messages {
            let content: JSON
            if let original = message.original, original.provider == .claude {
                content = original.content
            } else {
                var blocks: [JSON] = []
                for part in message.parts {
                    if case .cacheMark(let mark) = part {
                        if !blocks.isEmpty {
                            Self.put(mark, on: &blocks)
                        } else if turns.isEmpty {
                            Self.put(mark, on: &system)
                        }
                    } else if let block = try Self.block(part, in: message.role, call) {
                        blocks.append(block)
                    }
                }
                content = .array(blocks)
            }
            if content.array?.isEmpty == false {
                turns.append(["role": JSON(message.role.rawValue), "content": content])
            }
        }
        return turns
    }

    /// Puts a mark that is to be sent on the last of some blocks.
    private static func put(_ mark: CacheMark, on blocks: inout [JSON]) {
        guard let lifetime = mark.lifetime, !blocks.isEmpty else { return }
        blocks[blocks.count - 1]["cache_control"] = ["type": "ephemeral", "ttl": JSON(lifetime.rawValue)]
    }

    private static func text(_ text: String) -> JSON { ["type": "text", "text": JSON(text)] }

    private static func block(_ part: ModelMessage.Part, in role: ModelMessage.Role, _ call: ProviderCall)
        throws(ModelError) -> JSON?
    {
        switch part {
        case .text(let text): text.isEmpty ? nil : Self.text(text)
        // The API accepts media in user turns only.
        case .media(let media): role == .user ? try Self.media(media, call) : nil
        case .cacheMark: nil
        case .toolCall(let call):
            [
                "type": "tool_use", "id": JSON(identifier(call.id)), "name": JSON(call.name),
                "input": call.input.object == nil ? [:] : call.input,
            ]
        case .toolResult(let result):
            [
                "type": "tool_result", "tool_use_id": JSON(identifier(result.callID)), "content": JSON(result.text),
                "is_error": JSON(result.isError),
            ]
        }
    }

    /// Rewrites ids of other providers in the characters that Claude accepts.
    private static func identifier(_ id: String) -> String {
        String(
            id.unicodeScalars.map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_-".unicodeScalars.contains(scalar))
                    ? Character(scalar) : "_"
            })
    }

    private static func media(_ media: Media, _ call: ProviderCall) throws(ModelError) -> JSON {
        let type: JSON
        switch media.mimeType {
        case "image/jpeg", "image/png", "image/gif", "image/webp": type = "image"
        case "application/pdf": type = "document"
        default:
            var error = call.failure(.invalidRequest)
            error.detail = "Claude reads no \(ProviderText.token(media.mimeType))"
            throw error
        }
        switch media.source {
        case .url(let url): return ["type": type, "source": ["type": "url", "url": JSON(url)]]
        case .base64(let data):
            return [
                "type": type,
                "source": ["type": "base64", "media_type": JSON(media.mimeType), "data": JSON(data)],
            ]
        }
    }
}
