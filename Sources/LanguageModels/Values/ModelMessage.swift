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
    }

    package var role: Role
    package var parts: [Part]
    /// An assistant turn exactly as its provider sent it (thinking and signatures included). The same provider gets it
    /// back unchanged, as tool loops demand; any other gets `parts`.
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

    /// The turn that answers all calls of a response.
    package static func toolResults(_ results: [ToolResult]) -> ModelMessage {
        ModelMessage(role: .user, parts: results.map(Part.toolResult))
    }
}

/// Content in one provider's own format.
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

    package init(mimeType: String, source: Source) {
        self.mimeType = mimeType
        self.source = source
    }

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
