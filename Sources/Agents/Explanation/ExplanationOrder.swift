internal import JSON
internal import JobQueue

/// A story to be explained: its articles and, when the explanation is for somebody, what they hold.
struct ExplanationInput: Sendable {
    struct Article: Sendable, Hashable {
        /// How the explanation refers to it: `a1`, `a2`, …
        var id: String
        var title: String
        var publisher: String
        /// ISO 8601; empty when it is not known.
        var publishedAt: String
        var url: String
        var text: String

        init(id: String, title: String, publisher: String, publishedAt: String, url: String, text: String) {
            self.id = id
            self.title = title
            self.publisher = publisher
            self.publishedAt = publishedAt
            self.url = url
            self.text = text
        }

        /// Reads an article of a job's input, the first of which has the number 1.
        init(_ field: JSONField, number: Int) throws(JSONFieldError) {
            self.init(
                id: "a\(number)", title: try field["title"].string(), publisher: try field["source"].string(),
                publishedAt: try field["published_at"].optional?.string() ?? "", url: try field["url"].string(),
                text: try field["text"].string())
        }
    }

    /// What the story is called.
    var title: String?
    var articles: [Article]
    /// Tickers of the reader's holdings that the story is about; empty when the explanation is for everybody.
    var holdings: [String]

    /// Reads the input of an `explanation` job.
    init(_ context: JobContext) throws(AgentError) {
        let input = JSONField(context.job.input)
        do {
            title = try input["title"].optional?.string()
            holdings = try input["holdings"].optional?.strings().map { $0.uppercased() } ?? []
            articles = []
            for field in try input["articles"].array() {
                articles.append(try Article(field, number: articles.count + 1))
            }
        } catch {
            throw .failed(AgentFailure(.internalFailure("the job's input: \(error)"), isTransient: false))
        }
    }

    init(title: String?, articles: [Article], holdings: [String] = []) {
        self.title = title
        self.articles = articles
        self.holdings = holdings
    }

    /// The values of the prompt. What may be read is divided among the articles.
    var promptInput: JSON {
        let share = Excerpt.limit / max(1, articles.count)
        let articles = articles.map { article -> JSON in
            let excerpt = Excerpt(of: article.text, limit: share)
            var body: JSON = [
                "id": JSON(article.id), "title": JSON(article.title), "source": JSON(article.publisher),
                "text": JSON(excerpt.text),
            ]
            if !article.publishedAt.isEmpty { body["published_at"] = JSON(article.publishedAt) }
            body["cut"] = excerpt.remark.map { JSON($0) }
            return body
        }
        var input: JSON = ["articles": .array(articles), "holdings": JSON(holdings)]
        input["title"] = title.map { JSON($0) }
        return input
    }
}
