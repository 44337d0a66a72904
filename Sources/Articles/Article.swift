/// An article as it was found on a page.
public struct Article: Sendable, Hashable {
    public var title: String?
    /// The line that names who wrote it.
    public var byline: String?
    /// The name of the publication.
    public var site: String?
    /// As the page states it, a BCP 47 tag as a rule.
    public var language: String?
    public var publishedAt: PublishedDate?
    /// What the page says in a sentence or two of the article.
    public var summary: String?
    /// Absolute, when the address of the page was given.
    public var image: String?
    /// The address that the page itself states for the article, as written there.
    public var statedURL: String?
    /// The main text: paragraphs apart by blank lines, lists and tables in lines.
    public var text: String

    public init(
        title: String? = nil, byline: String? = nil, site: String? = nil, language: String? = nil,
        publishedAt: PublishedDate? = nil, summary: String? = nil, image: String? = nil, statedURL: String? = nil,
        text: String
    ) {
        self.title = title
        self.byline = byline
        self.site = site
        self.language = language
        self.publishedAt = publishedAt
        self.summary = summary
        self.image = image
        self.statedURL = statedURL
        self.text = text
    }
}
