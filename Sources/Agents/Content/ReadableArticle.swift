internal import DataSources
internal import JobQueue
internal import JSON
internal import Observability

/// The article that a job is about, and the device for which it writes.
struct ArticleInput: Sendable {
    let article: String
    let form: FormFactor

    init(_ input: JSONField) throws(JSONFieldError) {
        article = try input["article_id"].string()
        guard let form = FormFactor(rawValue: try input["form_factor"].string()) else {
            throw input["form_factor"].failure("is no form factor")
        }
        self.form = form
    }
}

/// The device for which a text is written; it is also the role of the prompt that writes it.
enum FormFactor: String, Sendable, CaseIterable {
    case phone, watch
}

/// A news article with the text that agents work on.
struct ReadableArticle: Sendable, Hashable {
    var id: String
    var title: String
    /// The publication.
    var source: String
    /// ISO 8601.
    var publishedAt: String
    var url: String
    /// The main text, or the part of it that the source shows.
    var text: String
    /// Whether `text` is the main text.
    var isWhole: Bool
    /// Whether the page says that its text is for subscribers, so that `text` is what its source shows to all.
    var isForSubscribers = false
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
        let remark =
            isForSubscribers ? "The page is for subscribers; the text is what its publisher shows to all." : nil
        input["cut"] = (remark ?? excerpt.remark).map { JSON($0) }
        return input
    }
}

extension ReadableArticle {
    /// An article that was ingested.
    init(_ article: NewsArticle) {
        self.init(
            id: article.id, title: article.title, source: article.source,
            publishedAt: article.publishedAt.iso8601, url: article.url,
            text: article.text ?? article.description ?? article.title, isWhole: article.text != nil)
    }

    /// An article that only a list of headlines shows.
    init(_ headline: Headline) {
        self.init(
            id: headline.id, title: headline.title, source: headline.source,
            publishedAt: ISO8601.text(milliseconds: headline.publishedAt), url: headline.url,
            text: headline.text ?? headline.excerpt ?? headline.description ?? headline.title,
            isWhole: headline.text != nil)
    }
}

/// Makes the record that keeps the text of an article's page; `nil` where nothing is to be kept.
typealias ArticleKeeper = @Sendable (_ id: String, _ text: String) async throws(StoreError) -> RecordChange?

extension DocumentRepository {
    /// The headline that a list showed, and the document in which it is kept.
    func headline(_ id: String) async throws(StoreError) -> (document: CachedDocument, headline: Headline)? {
        guard let document = try await document(Headline.documentKey(id)), let json = try? JSON(parsing: document.text),
            let headline = try? Headline(JSONField(json))
        else { return nil }
        return (document, headline)
    }
}

/// Finds a stored article; `nil` when there is none of that id.
typealias ArticleFinder = @Sendable (_ id: String) async throws(StoreError) -> ReadableArticle?

extension ReadableArticle {
    /// Finds articles that were ingested, and those that only lists of headlines show.
    static func finder(in records: any ArticleRepository & DocumentRepository) -> ArticleFinder {
        { id throws(StoreError) in
            if let article = try await records.article(id: id) {
                var found = ReadableArticle(article)
                // The text may have been read before the article was taken in.
                if article.text == nil, let kept = try await records.headline(id) {
                    let read = ReadableArticle(kept.headline)
                    if read.text.count > found.text.count { (found.text, found.isWhole) = (read.text, read.isWhole) }
                }
                return found
            }
            return try await records.headline(id).map { ReadableArticle($0.headline) }
        }
    }

    /// Makes the records that keep a page's text with the article, for all who read it later.
    static func keeper(in records: any ArticleRepository & DocumentRepository) -> ArticleKeeper {
        { id, text throws(StoreError) in
            if var article = try await records.article(id: id) {
                guard text.unicodeScalars.count > (article.text?.unicodeScalars.count ?? 0) else { return nil }
                article.text = text
                return .article(article)
            }
            guard var (document, headline) = try await records.headline(id) else { return nil }
            headline.take(text: text)
            document.text = headline.json.compact
            return .document(document)
        }
    }
}

/// The steps that read an article.
struct ArticleStep: Sendable {
    private static let timeout: Duration = .seconds(8)

    let find: ArticleFinder
    let reader: any ContentReader
    var keep: ArticleKeeper = { _, _ in nil }

    /// The article with its main text where that can be read, else with the text that its source shows.
    func read(_ id: String, in context: JobContext) async throws(AgentError) -> ReadableArticle {
        let found = try await context.journal.step("article", input: ["id": JSON(id)]) {
            try await find(id)?.json ?? .null
        }
        guard found.output != .null else {
            throw .notFound("There is no article of this id.", userMessage: "This article is not here any more.")
        }
        var article = try found.decoded("article") { try ReadableArticle($0) }
        guard !article.isWhole, !article.url.isEmpty else { return article }
        let (url, shown) = (article.url, article.text.count)
        let page = try await context.journal.step("read", input: ["url": JSON(url)]) {
            // The source's own text will do for a page that cannot be read.
            let content = await readInTime(url)
            if content == nil, Task.isCancelled { throw AgentError.interrupted }
            guard let content else { return (JSON.null, []) }
            // All users read the answer, and subscribers alone this page.
            if content.isForSubscribers { return (["for_subscribers": true], []) }
            // Without the record the next reader fetches the page again, which is no harm.
            let record = content.text.count > shown && !content.refusesCopies ? try? await keep(id, content.text) : nil
            return (content.json, record.flatMap { $0 }.map { [Effect.record($0)] } ?? [])
        }
        article.isForSubscribers = page.output["for_subscribers"] == true
        if let text = page.output["text"]?.string, text.count > article.text.count {
            article.text = text
            article.isWhole = true
        }
        return article
    }

    /// The page, unless reading it takes longer than a waiting user would accept.
    private func readInTime(_ url: String) async -> Content? {
        await withTaskGroup(of: Content?.self) { group in
            group.addTask { try? await reader.read(url) }
            group.addTask {
                try? await Task.sleep(for: Self.timeout)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
