internal import Basics
internal import DataSources
internal import DossierAPI
internal import JobQueue
internal import JSON
internal import News

/// An article in the news API: a stored one, or one from a list of headlines only.
struct ArticleResource: Sendable {
    let id: String
    let url: String
    let title: String
    let description: String?
    /// The main text, or the excerpt that the source gives.
    let content: String?
    /// Whether `content` is the main text.
    let isWhole: Bool
    let source: String
    let author: String?
    let image: String?
    let category: String?
    let tickers: [String]
    let publishedAt: Timestamp

    /// A stored article; until its text is stored, the beginning or the text that a list of headlines has of it.
    init(_ article: NewsArticle, listed: Headline? = nil) {
        id = article.id
        url = article.url
        title = article.title
        description = article.description
        content = article.text ?? listed?.text ?? listed?.excerpt
        isWhole = article.text != nil || listed?.text != nil
        source = article.source
        author = article.author
        image = article.image
        category = article.category
        tickers = article.tickers
        publishedAt = article.publishedAt
    }

    init(_ headline: Headline) {
        id = headline.id
        url = headline.url
        title = headline.title
        description = headline.description
        content = headline.text ?? headline.excerpt
        isWhole = headline.text != nil
        source = headline.source
        author = headline.author
        image = headline.image
        category = headline.category
        tickers = []
        publishedAt = Timestamp(milliseconds: headline.publishedAt)
    }

    /// The longest text that there is.
    var text: String { content ?? description ?? title }

    /// The article in a list.
    var json: JSONObject {
        [
            "id": JSON(id), "title": JSON(title), "description": JSON(description), "url": JSON(url),
            "image_url": JSON(image), "url_to_image": JSON(image),
            "source": ["id": .null, "name": JSON(source)], "author": JSON(author), "category": JSON(category),
            "published_at": JSON(publishedAt.iso8601), "content": JSON(content),
        ]
    }

    /// The article on its own, with questions in the reader's language.
    func detail(for language: Language?) -> JSON {
        var body = json
        body["content_is_whole"] = .bool(isWhole)
        body["tickers"] = JSON(tickers)
        body["suggested_questions"] = suggestedQuestions(for: language)
        return .object(body)
    }

    func suggestedQuestions(for language: Language?) -> JSON {
        JSON(SuggestedQuestions(title: title, text: text, tickers: tickers, language: language ?? .english).all)
    }
}

/// Finds articles by id.
struct ArticleLookup: Sendable {
    let records: any ArticleRepository & DocumentRepository

    /// - Throws: `404` when no article has the id.
    func find(_ id: String) async throws(APIError) -> ArticleResource {
        do {
            let article = try await records.article(id: id)
            if let article, article.text != nil { return ArticleResource(article) }
            let listed = try await records.headlines([id]).first
            if let article { return ArticleResource(article, listed: listed) }
            if let listed { return ArticleResource(listed) }
        } catch {
            throw APIError(error)
        }
        throw .notFound("The article")
    }
}

extension DocumentRepository {
    /// The headlines that lists showed, by their ids.
    func headlines(_ ids: [String]) async throws(StoreError) -> [Headline] {
        try await documents(ids.map(Headline.documentKey)).compactMap { document in
            (try? JSON(parsing: document.text)).flatMap { try? Headline(JSONField($0)) }
        }
    }
}
