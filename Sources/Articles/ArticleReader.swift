/// An article extracted from a page.
package struct Article: Sendable, Hashable {
    package var title: String?
    /// The line that names the author.
    package var byline: String?
    /// The name of the publication.
    package var site: String?
    /// As the page states it, a BCP 47 tag as a rule.
    package var language: String?
    package var publishedAt: PublishedDate?
    /// The page's own description of the article, in a sentence or two.
    package var summary: String?
    /// Absolute, when the address of the page was given.
    package var image: String?
    /// The address that the page itself states for the article, as written there.
    package var statedURL: String?
    /// The main text: paragraphs apart by blank lines, lists and tables in lines.
    package var text: String
    /// What the page says of who may read it and keep it.
    package var access = Access.open

    /// Who may read a page, by its own statements.
    package enum Access: Sendable, Hashable {
        case open
        /// Its text is for subscribers, also where the page holds it.
        case subscribers
        /// Programs are asked to keep no copy, or not to read it at all.
        case noCopies
    }

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

/// Reads the article on a web page.
package enum ArticleReader {
    /// A longer page is cut here, in bytes.
    package static let longestPage = 8 << 20

    /// A text that is shorter than this, in characters, gives way to a longer one in the page's structured data.
    private static let short = 250

    /// Reads a page of any quality; missing fields are `nil`, and a page without text gives an empty text.
    ///
    /// - `body`: the page as it came, in any encoding.
    /// - `contentType`: the header of that name, for its `charset`.
    package static func read(_ body: [UInt8], contentType: String? = nil) -> Article {
        let page = HTMLReader.read(CharacterEncoding.utf8(Array(body.prefix(longestPage)), contentType: contentType))
        let meta = PageMetadata(page.tree)
        let pageTitle = HTMLEntities.decode(page.title)
        let structured = StructuredArticle(page.structuredData, pageTitle: pageTitle)
        let title =
            structured?.title
            ?? meta.first(
                "dc:title", "dcterm:title", "dcterms:title", "og:title", "weibo:article:title", "weibo:webpage:title",
                "title", "twitter:title", "parsely:title")
            ?? TitleReader.title(of: pageTitle, headings: meta.titles, firstLevel: meta.headings).nonBlank
        let byline = structured?.byline ?? Self.byline(meta)
        let found = ArticleText(of: page.tree, title: title ?? "", wantsByline: byline == nil)
        var text = found.text
        let length = text.unicodeScalars.count
        if length < short, let stated = structured?.body.map(HTMLText.plain), stated.unicodeScalars.count > length * 2 {
            text = stated
        }
        var article = Article(
            title: title, byline: byline ?? found.byline, site: structured?.site ?? meta.first("og:site_name"),
            language: meta.language ?? meta.contentLanguage ?? structured?.language ?? meta.first("og:locale"),
            publishedAt: published(structured, meta),
            summary: structured?.summary
                ?? meta.first("dc:description", "og:description", "description", "twitter:description"),
            image: meta.first("og:image", "og:image:url", "twitter:image", "twitter:image:src") ?? structured?.image,
            statedURL: meta.canonical ?? meta.first("og:url"), text: text)
        article.access = access(structured, meta)
        return article
    }

    private static func access(_ structured: StructuredArticle?, _ meta: PageMetadata) -> Article.Access {
        let tier = meta.first("article:content_tier", "og:article:content_tier", "content_tier")?.lowercased()
        if structured?.isFree == false || tier == "locked" || tier == "metered" { return .subscribers }
        let orders = ["robots", "dossier"].compactMap { meta.named[$0] }.joined(separator: ",").lowercased()
            .split { $0 == "," || $0 == " " }
        return orders.contains { ["noarchive", "noai"].contains($0) } ? .noCopies : .open
    }

    /// An address of a profile is no name.
    private static func byline(_ meta: PageMetadata) -> String? {
        if let name = meta.first("dc:creator", "dcterm:creator", "dcterms:creator", "author", "parsely:author") {
            return name
        }
        return meta.first("article:author", "og:article:author").flatMap { $0.hasPrefix("http") ? nil : $0 }
    }

    private static func published(_ structured: StructuredArticle?, _ meta: PageMetadata) -> PublishedDate? {
        let stated = [
            structured?.published,
            meta.first(
                "article:published_time", "parsely:pub-date", "og:published_time", "dc:date.issued", "dcterms:created",
                "dcterms:issued", "dc:date", "sailthru:date", "pubdate", "publishdate", "publish-date", "publish_date",
                "date", "dcterms:date", "cxenseparse:recs:publishtime", "datepublished"),
            meta.visibleDate,
        ]
        return stated.lazy.compactMap { $0.flatMap { PublishedDate($0) } }.first
    }
}
