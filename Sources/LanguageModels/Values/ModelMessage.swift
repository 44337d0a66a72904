public import JSON

/// One turn of a conversation.
public struct ModelMessage: Hashable, Sendable {
    public enum Role: String, Hashable, Sendable {
        case user, assistant
    }

    public enum Part: Hashable, Sendable {
        case text(String)
        case media(Media)
        case toolCall(ToolCall)
        case toolResult(ToolResult)
    }

    public var role: Role
    public var parts: [Part]
    /// An assistant turn exactly as its provider sent it (thinking and signatures included). The same provider gets it
    /// back unchanged, as tool loops demand; any other gets `parts`.
    public var original: ProviderContent?

    public init(role: Role, parts: [Part], original: ProviderContent? = nil) {
        self.role = role
        self.parts = parts
        self.original = original
    }

    public static func user(_ text: String) -> ModelMessage { ModelMessage(role: .user, parts: [.text(text)]) }

    public static func assistant(_ text: String) -> ModelMessage {
        ModelMessage(role: .assistant, parts: [.text(text)])
    }

    /// The turn that answers all calls of a response.
    public static func toolResults(_ results: [ToolResult]) -> ModelMessage {
        ModelMessage(role: .user, parts: results.map(Part.toolResult))
    }
}

/// Content in one provider's own format.
public struct ProviderContent: Hashable, Sendable {
    public var provider: ModelProvider
    public var content: JSON

    public init(provider: ModelProvider, content: JSON) {
        self.provider = provider
        self.content = content
    }
}

/// An image or a document.
public struct Media: Hashable, Sendable {
    public enum Source: Hashable, Sendable {
        case base64(String)
        case url(String)
    }

    public var mimeType: String
    public var source: Source

    public init(mimeType: String, source: Source) {
        self.mimeType = mimeType
        self.source = source
    }

    /// Media from a URL, which may be a `data:` URL with base64 content (`data:image/png;base64,…`).
    public init(mimeType: String, url: String) {
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
