/// An article as it was found on a page.
package struct Article: Sendable, Hashable {
    package var title: String?
    /// The line that names who wrote it.
    package var byline: String?
    /// The name of the publication.
    package var site: String?
    /// As the page states it, a BCP 47 tag as a rule.
    package var language: String?
    package var publishedAt: PublishedDate?
    /// What the page says in a sentence or two of the article.
    package var summary: String?
    /// Absolute, when the address of the page was given.
    package var image: String?
    /// The address that the page itself states for the article, as written there.
    package var statedURL: String?
    /// The main text: paragraphs apart by blank lines, lists and tables in lines.
    package var text: String

    package init(
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
