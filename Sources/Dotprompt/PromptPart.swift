public import JSON

/// A piece of a message.
public enum PromptPart: Sendable, Hashable {
    case text(String)
    /// An image, a sound or another file; the URL may be a `data:` URL.
    case media(url: String, contentType: String?)
    /// A place that `{{section}}` left for whoever runs the prompt to fill, such as instructions on the output.
    case pending(purpose: String)
    /// What came in with a history and has no form of its own here: tool requests, tool responses, data.
    case other(JSONObject)

    /// Reads a part; what has no form of its own is kept as it is.
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
