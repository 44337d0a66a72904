package import JSON

/// One turn of a conversation.
package struct ModelMessage: Hashable, Sendable {
    package enum Role: String, Hashable, Sendable {
        case user, assistant
    }

    package enum Part: Hashable, Sendable {
        case text(String)
        case media(Media)
        case toolCall(ToolCall)
        case toolResult(ToolResult)
        /// A place up to which other calls have the same text.
        case cacheMark(CacheMark)
    }

    package var role: Role
    package var parts: [Part]
    /// An assistant turn exactly as its provider sent it (thinking and signatures included). The same provider gets it
    /// back unchanged, as tool loops require; other providers get `parts`.
    package var original: ProviderContent?

    package init(role: Role, parts: [Part], original: ProviderContent? = nil) {
        self.role = role
        self.parts = parts
        self.original = original
    }

    package static func user(_ text: String) -> ModelMessage { ModelMessage(role: .user, parts: [.text(text)]) }

    package static func assistant(_ text: String) -> ModelMessage {
        ModelMessage(role: .assistant, parts: [.text(text)])
    }

    /// The turn with the results of all calls of a response.
    package static func toolResults(_ results: [ToolResult]) -> ModelMessage {
        ModelMessage(role: .user, parts: results.map(Part.toolResult))
    }
}

/// Content in one provider's format.
package struct ProviderContent: Hashable, Sendable {
    package var provider: ModelProvider
    package var content: JSON

    package init(provider: ModelProvider, content: JSON) {
        self.provider = provider
        self.content = content
    }
}

/// An image or a document.
package struct Media: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        case base64(String)
        case url(String)
    }

    package var mimeType: String
    package var source: Source
}

extension Media {
    /// Media from a URL, which may be a `data:` URL with base64 content (`data:image/png;base64,…`).
    package init(mimeType: String, url: String) {
        if url.hasPrefix("data:"), let comma = url.firstIndex(of: ","), url[..<comma].hasSuffix(";base64") {
            let declared = url[..<comma].dropFirst(5).dropLast(7).prefix { $0 != ";" }
            self.init(
                mimeType: declared.isEmpty ? mimeType : String(declared),
                source: .base64(String(url[url.index(after: comma)...])))
        } else {
            self.init(mimeType: mimeType, source: .url(url))
        }
    }
}

extension ModelMessage {
    package var encoded: JSON {
        var value: JSON = ["role": JSON(role.rawValue), "parts": .array(parts.map(\.encoded))]
        value["original"] = original?.encoded
        return value
    }

    package init(decoding field: JSONField) throws(JSONFieldError) {
        let name = try field["role"].string()
        guard let role = Role(rawValue: name) else { throw field["role"].failure("must be user or assistant") }
        var parts: [Part] = []
        for part in try field["parts"].array() { parts.append(try Part(decoding: part)) }
        var original: ProviderContent?
        if let content = field["original"].optional { original = try ProviderContent(decoding: content) }
        self.init(role: role, parts: parts, original: original)
    }
}

extension ProviderContent {
    var encoded: JSON { ["provider": JSON(provider.rawValue), "content": content] }

    init(decoding field: JSONField) throws(JSONFieldError) {
        self.init(provider: try ModelProvider(decoding: field["provider"]), content: field["content"].value ?? .null)
    }
}

extension ModelProvider {
    init(decoding field: JSONField) throws(JSONFieldError) {
        guard let provider = ModelProvider(rawValue: try field.string()) else {
            throw field.failure("must be one of \(ModelProvider.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = provider
    }
}

extension ModelMessage.Part {
    var encoded: JSON {
        switch self {
        case .text(let text): ["text": JSON(text)]
        case .media(let media): ["media": media.encoded]
        case .toolCall(let call): ["tool_call": call.encoded]
        case .toolResult(let result): ["tool_result": result.encoded]
        case .cacheMark(let mark): ["cache_mark": JSON(mark.name)]
        }
    }

    init(decoding field: JSONField) throws(JSONFieldError) {
        if let text = field["text"].optional {
            self = .text(try text.string())
        } else if let media = field["media"].optional {
            self = .media(try Media(decoding: media))
        } else if let call = field["tool_call"].optional {
            self = .toolCall(try ToolCall(decoding: call))
        } else if let result = field["tool_result"].optional {
            self = .toolResult(try ToolResult(decoding: result))
        } else if let mark = field["cache_mark"].optional {
            self = .cacheMark(CacheMark(try mark.string()))
        } else {
            throw field.failure("must hold text, media, tool_call, tool_result or cache_mark")
        }
    }
}

extension Media {
    var encoded: JSON {
        switch source {
        case .base64(let data): ["mime_type": JSON(mimeType), "base64": JSON(data)]
        case .url(let url): ["mime_type": JSON(mimeType), "url": JSON(url)]
        }
    }

    init(decoding field: JSONField) throws(JSONFieldError) {
        let mimeType = try field["mime_type"].string()
        if let data = field["base64"].optional {
            self.init(mimeType: mimeType, source: .base64(try data.string()))
        } else {
            self.init(mimeType: mimeType, source: .url(try field["url"].string()))
        }
    }
}

extension ToolCall {
    var encoded: JSON { ["id": JSON(id), "name": JSON(name), "input": input] }

    init(decoding field: JSONField) throws(JSONFieldError) {
        self.init(
            id: try field["id"].string(), name: try field["name"].string(), input: field["input"].value ?? .null)
    }
}

extension ToolResult {
    var encoded: JSON {
        ["call_id": JSON(callID), "name": JSON(name), "content": content, "is_error": JSON(isError)]
    }

    init(decoding field: JSONField) throws(JSONFieldError) {
        self.init(
            callID: try field["call_id"].string(), name: try field["name"].string(),
            content: field["content"].value ?? .null, isError: try field["is_error"].bool())
    }
}
