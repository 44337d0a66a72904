public import JSON

/// The author of a message.
public struct PromptRole: RawRepresentable, Sendable, Hashable {
    /// The name of the role as templates write it.
    public let rawValue: String

    /// A role from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The user.
    public static let user = PromptRole(rawValue: "user")
    /// The model.
    public static let model = PromptRole(rawValue: "model")
    /// Instructions to the model.
    public static let system = PromptRole(rawValue: "system")
    /// The answers of tools.
    public static let tool = PromptRole(rawValue: "tool")
}

/// A message of a conversation.
public struct PromptMessage: Sendable, Hashable {
    /// The author of the message.
    public var role: PromptRole
    /// The parts of the message, in order.
    public var content: [PromptPart]
    /// `purpose: history` for messages that `{{history}}` put in; empty for most.
    public var metadata: JSONObject

    /// A message of a role with its parts.
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

    /// The message as the format writes it.
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

/// A piece of a message.
public enum PromptPart: Sendable, Hashable {
    /// Text.
    case text(String)
    /// An image, a sound or another file; the URL may be a `data:` URL.
    case media(url: String, contentType: String?)
    /// A place that `{{section}}` left for the caller to fill, such as instructions on the output.
    case pending(purpose: String)
    /// A part of a history that has no case of its own here: a tool request, a tool response, data.
    case other(JSONObject)

    /// Reads a part; one that has no case of its own is kept as it is.
    public init(json: JSON) {
        let members = json.object ?? [:]
        if members.count == 1, let text = members["text"]?.string {
            self = .text(text)
        } else if members.count == 1, let media = members["media"]?.object, let url = media["url"]?.string,
            media.count == (media["contentType"]?.string == nil ? 1 : 2)
        {
            self = .media(url: url, contentType: media["contentType"]?.string)
        } else if members.count == 1, let metadata = members["metadata"]?.object, metadata.count == 2,
            metadata["pending"] == true, let purpose = metadata["purpose"]?.string
        {
            self = .pending(purpose: purpose)
        } else {
            self = .other(members)
        }
    }

    /// The part as the format writes it.
    public var json: JSON {
        switch self {
        case .text(let text): return ["text": .string(text)]
        case .media(let url, let contentType):
            var media: JSONObject = ["url": .string(url)]
            if let contentType { media["contentType"] = .string(contentType) }
            return ["media": .object(media)]
        case .pending(let purpose): return ["metadata": ["purpose": .string(purpose), "pending": true]]
        case .other(let members): return .object(members)
        }
    }
}
