internal import JSON

/// The body of a `generateContent` request.
struct GeminiRequest {
    let body: JSON

    init(_ request: ModelRequest, for call: ProviderCall) throws(ModelError) {
        var body: JSON = [:]
        let system = [request.system.stable, request.system.varying].filter { !$0.isEmpty }
        if !system.isEmpty { body["systemInstruction"] = ["parts": .array(system.map { ["text": JSON($0)] })] }
        body["contents"] = .array(request.messages.compactMap(Self.content))
        do throws(SchemaLoweringError) {
            body["generationConfig"] = try Self.generationConfig(request, call.model)
            if !request.tools.isEmpty {
                var declarations: [JSON] = []
                for tool in request.tools { declarations.append(try Self.declaration(tool)) }
                body["tools"] = [["functionDeclarations": .array(declarations)]]
                body["toolConfig"] = ["functionCallingConfig": Self.calling(request.toolChoice)]
            }
        } catch {
            throw call.failure(.unsupportedSchema(error))
        }
        self.body = body
    }

    private static func generationConfig(_ request: ModelRequest, _ model: ModelDescription)
        throws(SchemaLoweringError) -> JSON
    {
        var config: JSON = ["maxOutputTokens": JSON(min(request.maxOutputTokens, model.maxOutputTokens))]
        config["temperature"] = request.temperature.map { JSON($0) }
        if !request.stopSequences.isEmpty { config["stopSequences"] = JSON(request.stopSequences) }
        if case .json(_, let schema) = request.output {
            config["responseMimeType"] = "application/json"
            config["responseJsonSchema"] = try SchemaLowering.gemini(schema)
        }
        if model.thinking == .level, let effort = request.effort?.nearest(in: model.efforts) {
            config["thinkingConfig"] = [
                "thinkingLevel": JSON(effort.rawValue.uppercased()), "includeThoughts": false,
            ]
        }
        return config
    }

    private static func declaration(_ tool: ModelTool) throws(SchemaLoweringError) -> JSON {
        [
            "name": JSON(tool.name), "description": JSON(tool.description),
            "parametersJsonSchema": try SchemaLowering.gemini(tool.parameters),
        ]
    }

    private static func calling(_ choice: ToolChoice) -> JSON {
        switch choice {
        case .automatic: ["mode": "AUTO"]
        case .any: ["mode": "ANY"]
        case .none: ["mode": "NONE"]
        case .tool(let name): ["mode": "ANY", "allowedFunctionNames": [JSON(name)]]
        }
    }

    // MARK: Contents

    private static func content(_ message: ModelMessage) -> JSON? {
        let role: JSON = message.role == .user ? "user" : "model"
        if let original = message.original, original.provider == .gemini {
            return ["role": role, "parts": original.content]
        }
        let parts = message.unmarkedParts.compactMap(part)
        return parts.isEmpty ? nil : ["role": role, "parts": .array(parts)]
    }

    private static func part(_ part: ModelMessage.Part) -> JSON? {
        switch part {
        case .text(let text): text.isEmpty ? nil : ["text": JSON(text)]
        case .media(let media):
            switch media.source {
            case .base64(let data): ["inlineData": ["mimeType": JSON(media.mimeType), "data": JSON(data)]]
            case .url(let url): ["fileData": ["mimeType": JSON(media.mimeType), "fileUri": JSON(url)]]
            }
        // A call by another provider's model has no signature, and Gemini rejects such calls in the history. It accepts
        // them as text.
        case .toolCall(let call): ["text": "[called \(call.name) with \(call.input.compact)]"]
        case .toolResult(let result): Self.result(result)
        case .cacheMark: nil
        }
    }

    private static func result(_ result: ToolResult) -> JSON {
        guard GeminiCallID.isOurs(result.callID) || result.callID.hasPrefix(GeminiCallID.theirs) else {
            return ["text": "[\(result.name) \(result.isError ? "failed" : "answered"): \(result.text)]"]
        }
        var response: JSON = [
            "name": JSON(result.name), "response": [result.isError ? "error" : "output": result.content],
        ]
        response["id"] = GeminiCallID.wireID(result.callID).map { JSON($0) }
        return ["functionResponse": response]
    }
}

/// Ids of Gemini's calls. A call without an id gets one here. All ids have a mark, because only the results of Gemini's
/// own calls may be sent as results.
enum GeminiCallID {
    static let theirs = "gemini-"
    private static let ours = "gemini.unnamed-"

    static func make(_ wireID: String?, responseID: String?, index: Int) -> String {
        wireID.map { theirs + $0 } ?? "\(ours)\(responseID ?? "")-\(index)"
    }

    static func isOurs(_ id: String) -> Bool { id.hasPrefix(ours) }

    /// Gemini's own id; `nil` if it gave none.
    static func wireID(_ id: String) -> String? { id.hasPrefix(theirs) ? String(id.dropFirst(theirs.count)) : nil }
}
