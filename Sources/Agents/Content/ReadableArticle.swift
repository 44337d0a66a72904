package import DataSources
package import JobQueue
internal import JSON
internal import Observability

/// The article that a job is about, and the device for which it writes.
struct ArticleInput: Sendable {
    let article: String
    let form: FormFactor

    /// Reads `article_id` and `form_factor` of a job's input.
    init(_ context: JobContext) throws(AgentError) {
        let input = JSONField(context.job.input)
        do {
            article = try input["article_id"].string()
            guard let form = FormFactor(rawValue: try input["form_factor"].string()) else {
                throw input["form_factor"].failure("is no form factor")
            }
            self.form = form
        } catch {
            throw .failed(AgentFailure(.internalFailure("the job's input: \(error)"), isTransient: false))
        }
    }
}

/// The device for which something is written; it is also the role of the prompt that writes it.
enum FormFactor: String, Sendable, CaseIterable {
    case phone, watch
}

/// A news article as somebody reads it who is asked about it.
package struct ReadableArticle: Sendable, Hashable {
    package var id: String
    package var title: String
    /// Who published it.
    package var source: String
    /// ISO 8601.
    package var publishedAt: String
    package var url: String
    /// The main text, or what the source shows of it.
    package var text: String
    /// Whether `text` is the main text.
    package var isWhole: Bool

    package init(
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
    package init(_ article: NewsArticle) {
        self.init(
            id: article.id, title: article.title, source: article.source,
            publishedAt: ISO8601.text(milliseconds: article.publishedAt), url: article.url,
            text: article.text ?? article.description ?? article.title, isWhole: article.text != nil)
    }

    /// An article of which there is only what a list of headlines shows.
    package init(_ headline: Headline) {
        self.init(
            id: headline.id, title: headline.title, source: headline.source,
            publishedAt: ISO8601.text(milliseconds: headline.publishedAt), url: headline.url,
            text: headline.excerpt ?? headline.description ?? headline.title, isWhole: false)
    }
}

/// Finds an article that was taken in; `nil` when there is none of that id.
package typealias ArticleFinder = @Sendable (_ id: String) async throws(StoreError) -> ReadableArticle?

/// The steps that read an article, once in the life of the job.
struct ArticleStep: Sendable {
    private static let timeout: Duration = .seconds(8)

    let find: ArticleFinder
    let reader: any ContentReader

    /// The article with its main text where that can be read; else with what its source shows of it.
    func read(_ id: String, in context: JobContext) async throws(AgentError) -> ReadableArticle {
        let found = try await context.journal.step("article", input: ["id": JSON(id)]) { () async throws(AgentError) in
            do throws(StoreError) {
                return (try await find(id)?.json ?? .null, [])
            } catch {
                throw AgentError(error)
            }
        }
        guard found.output != .null else { throw .noArticle }
        var article = try article(found)
        guard !article.isWhole, !article.url.isEmpty else { return article }
        let url = article.url
        let page = try await context.journal.step("read", input: ["url": JSON(url)]) { () async throws(AgentError) in
            // Not every page can be read; what the source shows of the article is at hand.
            let content = await readInTime(url)
            if content == nil, Task.isCancelled { throw .interrupted }
            return (content?.json ?? .null, [])
        }
        if let text = page.output["text"]?.string, text.count > article.text.count {
            article.text = text
            article.isWhole = true
        }
        return article
    }

    /// The page, unless that takes so long that nothing could be written about it in time.
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

    private func article(_ entry: Journal.Entry) throws(AgentError) -> ReadableArticle {
        do {
            return try ReadableArticle(JSONField(entry.output))
        } catch {
            throw .failed(
                AgentFailure(
                    .internalFailure("a journalled article cannot be read: \(error)"), isTransient: false,
                    dropStepsFrom: entry.sequence))
        }
    }
}

extension AgentError {
    static let noArticle = AgentError.failed(
        AgentFailure(
            JobError(
                code: "BIZ_2005", message: "There is no article of this id.",
                userMessage: "This article is not here any more."), isTransient: false))
}
