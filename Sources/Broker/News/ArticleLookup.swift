internal import DataSources
internal import DossierAPI
internal import JobQueue
internal import JSON

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

    /// The article on its own.
    var detail: JSON {
        var body = json
        body["content_is_whole"] = .bool(isWhole)
        body["tickers"] = JSON(tickers)
        body["suggested_questions"] = JSON(SuggestedQuestions(title: title, text: text, tickers: tickers).all)
        return .object(body)
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

/// Questions that an app offers below an article: common ones, and some that the article's text suggests. They are
/// chosen without a model.
struct SuggestedQuestions: Sendable {
    private static let maxCount = 4

    let all: [String]

    /// - Parameters:
    ///   - title: The article's title.
    ///   - text: Its text, or a part of it.
    ///   - tickers: The symbols that it names.
    init(title: String, text: String, tickers: [String]) {
        var questions = ["What happened?", "Why does it matter?"]
        if let ticker = tickers.first { questions.append("What does it mean for \(ticker)?") }
        if (title + text).contains(where: \.isNumber) { questions.append("What do the figures say?") }
        if Self.quotes.contains(where: text.contains) { questions.append("Who said what?") }
        questions += ["Who is involved?", "What happens next?"]
        all = Array(questions.prefix(Self.maxCount))
    }

    private static let quotes = ["\u{201C}", "\"", " said ", " says "]
}
