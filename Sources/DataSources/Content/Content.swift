/// What an article or a video says, without the page around it.
public struct Content: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case article
        /// The text is the transcript.
        case video
    }

    /// Where it was read, after redirects.
    public var url: String
    public var kind: Kind
    public var title: String?
    /// Who publishes it: a site or a channel.
    public var site: String?
    /// A language tag such as `en` or `pt-BR`, as the page states it.
    public var language: String?
    /// As the page states it, ISO 8601.
    public var publishedAt: String?
    /// Paragraphs with a line break between them.
    public var text: String

    public init(
        url: String, kind: Kind, title: String? = nil, site: String? = nil, language: String? = nil,
        publishedAt: String? = nil, text: String
    ) {
        self.url = url
        self.kind = kind
        self.title = title
        self.site = site
        self.language = language
        self.publishedAt = publishedAt
        self.text = text
    }
}
