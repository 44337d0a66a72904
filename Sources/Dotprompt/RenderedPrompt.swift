public import JSON

/// A prompt with its values in place, ready for a model.
public struct RenderedPrompt: Sendable, Hashable {
    public var metadata: PromptMetadata
    public var messages: [PromptMessage]

    public var model: String? { metadata.model }
    public var config: JSONObject { metadata.config }

    /// Metadata and messages in one object.
    public var json: JSON {
        var members = metadata.fields
        members["messages"] = .array(messages.map(\.json))
        return .object(members)
    }
}
