public import DataSources
internal import JSON
internal import Logging
public import Records

/// A news article as somebody reads it who is asked about it.
public struct ReadableArticle: Sendable, Hashable {
    public var id: String
    public var title: String
    /// Who published it.
    public var source: String
    /// ISO 8601.
    public var publishedAt: String
    public var url: String
    /// The main text, or what the source shows of it.
    public var text: String
    /// Whether `text` is the main text.
    public var isWhole: Bool

    public init(
        id: String, title: String, source: String, publishedAt: String, url: String, text: String, isWhole: Bool
    ) {
        self.id = id
        self.title = title
        self.source = source
        self.publishedAt = publishedAt
        self.url = url
        self.text = text
        self.isWhole = isWhole
    }
}

extension ReadableArticle {
    var json: JSON {
        [
            "id": JSON(id), "title": JSON(title), "source": JSON(source), "published_at": JSON(publishedAt),
            "url": JSON(url), "text": JSON(text), "is_whole": JSON(isWhole),
        ]
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        self.init(
            id: try field["id"].string(), title: try field["title"].string(), source: try field["source"].string(),
            publishedAt: try field["published_at"].string(), url: try field["url"].string(),
            text: try field["text"].string(), isWhole: try field["is_whole"].bool())
    }

    /// The values of a prompt that is about the article.
    var promptInput: JSONObject {
        let excerpt = Excerpt(of: text)
        var input: JSONObject = ["title": JSON(title), "source": JSON(source), "text": JSON(excerpt.text)]
        if !publishedAt.isEmpty { input["published_at"] = JSON(publishedAt) }
        input["cut"] = excerpt.remark.map { JSON($0) }
        return input
    }
}

extension ReadableArticle {
    /// An article that was taken in.
    public init(_ article: NewsArticle) {
        self.init(
            id: article.id, title: article.title, source: article.source,
            publishedAt: ISO8601.text(milliseconds: article.publishedAt), url: article.url,
            text: article.text ?? article.description ?? article.title, isWhole: article.text != nil)
    }

    /// An article of which there is only what a list of headlines shows.
    public init(_ headline: Headline) {
        self.init(
            id: headline.id, title: headline.title, source: headline.source,
            publishedAt: ISO8601.text(milliseconds: headline.publishedAt), url: headline.url,
            text: headline.excerpt ?? headline.description ?? headline.title, isWhole: false)
    }
}
