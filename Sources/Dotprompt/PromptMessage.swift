public import JSON

/// Who speaks in a message.
public struct PromptRole: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let user = PromptRole(rawValue: "user")
    public static let model = PromptRole(rawValue: "model")
    public static let system = PromptRole(rawValue: "system")
    public static let tool = PromptRole(rawValue: "tool")
}

/// A message of a conversation.
public struct PromptMessage: Sendable, Hashable {
    public var role: PromptRole
    public var content: [PromptPart]
    /// `purpose: history` for messages that `{{history}}` put in; empty for most.
    public var metadata: JSONObject

    public init(role: PromptRole, content: [PromptPart], metadata: JSONObject = [:]) {
        self.role = role
        self.content = content
        self.metadata = metadata
    }

    /// Reads a message as the format writes it: `{role, content: [{text}, …], metadata?}`.
    ///
    /// - Throws: `JSONFieldError` naming the field that does not fit.
    public init(json: JSON) throws(JSONFieldError) {
        let field = JSONField(json)
        role = PromptRole(rawValue: try field["role"].string())
        content = try field["content"].array().map { PromptPart(json: $0.value ?? .null) }
        metadata = try field["metadata"].optional?.object() ?? [:]
    }

    public var json: JSON {
        var members: JSONObject = ["role": .string(role.rawValue), "content": .array(content.map(\.json))]
        if !metadata.isEmpty { members["metadata"] = .object(metadata) }
        return .object(members)
    }

    /// The texts of the message, one after the other.
    public var text: String {
        content.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }
}
