internal import Basics
internal import DataSources
internal import JobQueue
internal import JSON
internal import Prompts

/// Summarises an article and its tone in two or three paragraphs.
///
/// A summary is for all users of a language: it is stored under the article's id, the form factor and the language.
struct SummaryAgent: Agent {
    private let articles: ArticleStep
    private let models: ModelCalls
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - find: Finds articles.
    ///   - keep: Makes the record that keeps a page's text.
    ///   - reader: Reads the page of an article whose text is not stored.
    ///   - models: The models that write.
    ///   - now: The time.
    init(
        find: @escaping ArticleFinder, keep: @escaping ArticleKeeper = { _, _ in nil }, reader: any ContentReader,
        models: ModelCalls,
        now: @escaping @Sendable () -> Timestamp
    ) {
        articles = ArticleStep(find: find, reader: reader, keep: keep)
        self.models = models
        self.now = now
    }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let input = try context.input(ArticleInput.init)
        let prompt = try context.prompt(input.form.rawValue)
        context.progress("read")
        let article = try await articles.read(input.article, in: context)
        let question = PromptQuestion(
            step: "summarise", stage: "summarise", prompt: prompt, input: .object(article.promptInput),
            expectedCharacters: input.form == .phone ? 1400 : 500,
            userMessage: "We could not summarise this article.")
        let answer = try await models.ask(question, in: context)
        context.progress("store")
        let summary = ArticleSummary(answer.content, isForSubscribers: article.isForSubscribers)
        var result = summary.json
        result["article_id"] = JSON(article.id)
        result["form_factor"] = JSON(input.form.rawValue)
        result["provenance"] = context.provenance(of: [answer])
        let document = summary.document(
            of: article.id, for: input.form.rawValue, at: now(), language: context.language, job: context.job)
        return AgentResult(.object(result), records: [.document(document)])
    }
}

/// A summary that passed its checks.
struct ArticleSummary: Sendable {
    /// The time for which a summary is kept: about as long as its article.
    private static let lifetime: Duration = .seconds(30 * 86_400)

    let paragraphs: [String]
    let sentiment: String
    /// Whether the page is for subscribers, so that the summary rests on what its source shows to all.
    let isForSubscribers: Bool

    init(_ answer: JSON, isForSubscribers: Bool = false) {
        self.isForSubscribers = isForSubscribers
        paragraphs = (answer["paragraphs"]?.array ?? []).compactMap { $0.string?.trimmed }
        sentiment = answer["sentiment"]?.string ?? "neutral"
    }

    var json: JSONObject {
        [
            "summary": JSON(paragraphs.joined(separator: "\n\n")), "paragraphs": JSON(paragraphs),
            "sentiment": JSON(sentiment), "for_subscribers": JSON(isForSubscribers),
        ]
    }

    /// The record that gives all users of a language the same summary.
    func document(of article: String, for form: String, at timestamp: Timestamp, language: Language?, job: ClaimedJob)
        -> CachedDocument
    {
        var body = json
        if let language { body["language"] = JSON(language.rawValue) }
        body["job_id"] = JSON(job.lease.job.description)
        return CachedDocument(
            key: CachedDocument.summaryKey(article: article, form: form, language: language),
            text: JSON.object(body).compact,
            storedAt: timestamp, keptUntil: timestamp + Self.lifetime)
    }
}
