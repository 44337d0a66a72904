internal import DataSources
internal import DossierAPI
internal import JSON
internal import JobQueue

/// An article as the news API shows it, whether it was taken in or stands in a list of headlines only.
struct ArticleLookup: Sendable {
    let id: String
    let url: String
    let title: String
    let description: String?
    /// The main text, or the beginning that the source shows.
    let content: String?
    /// Whether `content` is the main text.
    let isWhole: Bool
    let source: String
    let author: String?
    let image: String?
    let category: String?
    let tickers: [String]
    let publishedAt: Int64

    init(_ article: NewsArticle) {
        id = article.id
        url = article.url
        title = article.title
        description = article.description
        content = article.text
        isWhole = article.text != nil
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
        content = headline.excerpt
        isWhole = false
        source = headline.source
        author = headline.author
        image = headline.image
        category = headline.category
        tickers = []
        publishedAt = headline.publishedAt
    }

    /// What there is to read of it.
    var text: String { content ?? description ?? title }

    /// In a list.
    var json: JSONObject {
        [
            "id": JSON(id), "title": JSON(title), "description": JSON(description), "url": JSON(url),
            "image_url": JSON(image), "url_to_image": JSON(image),
            "source": ["id": .null, "name": JSON(source)], "author": JSON(author), "category": JSON(category),
            "published_at": JSON(Timestamp(milliseconds: publishedAt).iso8601), "content": JSON(content),
        ]
    }

    /// On a page of its own.
    var detail: JSON {
        var body = json
        body["content_is_whole"] = .bool(isWhole)
        body["tickers"] = JSON(tickers)
        body["suggested_questions"] = JSON(QuickQuestions(title: title, text: text, tickers: tickers).all)
        return .object(body)
    }
}

/// Finds articles by id.
struct KnownArticles: Sendable {
    let records: any ArticleRepository & DocumentRepository

    /// - Throws: `404` when there is none of that id.
    func find(_ id: String) async throws(APIError) -> ArticleLookup {
        do {
            if let article = try await records.article(id: id) { return ArticleLookup(article) }
            if let document = try await records.document(Headline.documentKey(id)),
                let json = try? JSON(parsing: document.text), let headline = try? Headline(JSONField(json))
            {
                return ArticleLookup(headline)
            }
        } catch {
            throw APIError(error)
        }
        throw .notFound("The article")
    }
}
