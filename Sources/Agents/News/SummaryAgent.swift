internal import DataSources
internal import JobQueue
internal import JSON
package import Prompts

/// Says in two or three paragraphs what an article says, and how it speaks of its subject.
///
/// A summary is for everybody: it is kept under the article's id and the form factor.
package struct SummaryAgent: Agent {
    package let name = "summary"

    /// What `jobs/summary.yaml` must give.
    package static let requirements = BundleRules.Agent(
        prompts: ["phone", "watch"], stages: ["read", "summarise", "store"])

    private let reading: ArticleStep
    private let models: ModelCalls
    private let now: @Sendable () -> Int64

    /// `find` finds articles, `reader` reads the page of one whose text is not there, `models` writes.
    package init(
        find: @escaping ArticleFinder, reader: any ContentReader, models: ModelCalls,
        now: @escaping @Sendable () -> Int64
    ) {
        reading = ArticleStep(find: find, reader: reader)
        self.models = models
        self.now = now
    }

    package func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let order = try ArticleInput(context)
        let prompt = try context.prompt(order.form.rawValue)
        context.progress("read")
        let article = try await reading.read(order.article, in: context)
        context.progress("summarise")
        let question = CheckedQuestion(
            step: "summarise", stage: "summarise", prompt: prompt, input: .object(article.promptInput),
            expectedCharacters: order.form == .phone ? 1400 : 500,
            userMessage: "We could not summarise this article.")
        let answer = try await models.ask(question, in: context)
        context.progress("store")
        let summary = ArticleSummary(answer.content)
        var result = summary.json
        result["article_id"] = JSON(article.id)
        result["form_factor"] = JSON(order.form.rawValue)
        result["provenance"] = CheckedAnswer.provenance(of: [answer], in: context)
        return AgentResult(
            .object(result),
            records: [
                .document(summary.document(of: article.id, for: order.form.rawValue, at: now(), job: context.job))
            ])
    }
}

/// A summary as a model wrote it and passed its checks.
struct ArticleSummary: Sendable {
    /// How long a summary is kept: about as long as its article.
    private static let lifetime: Int64 = 30 * 86_400_000

    let paragraphs: [String]
    let sentiment: String

    init(_ answer: JSON) {
        paragraphs = (answer["paragraphs"]?.array ?? []).compactMap { $0.string?.trimmed }
        sentiment = answer["sentiment"]?.string ?? "neutral"
    }

    var json: JSONObject {
        [
            "summary": JSON(paragraphs.joined(separator: "\n\n")), "paragraphs": JSON(paragraphs),
            "sentiment": JSON(sentiment),
        ]
    }

    /// The record by which everybody gets the same summary.
    func document(of article: String, for form: String, at timestamp: Int64, job: ClaimedJob) -> CachedDocument {
        var body = json
        body["job_id"] = JSON(job.lease.job.description)
        return CachedDocument(
            key: CachedDocument.summaryKey(article: article, form: form), text: JSON.object(body).compact,
            storedAt: timestamp, keptUntil: timestamp + Self.lifetime)
    }
}
