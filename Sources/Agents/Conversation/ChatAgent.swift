internal import Basics
internal import DataSources
internal import JobQueue
internal import JSON

/// Answers questions about an article from the article, and remembers the conversation.
struct ChatAgent: Agent {
    private let articles: ArticleStep
    private let history: HistoryStep
    private let models: ModelCalls
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - find: Finds articles.
    ///   - keep: Makes the record that keeps a page's text.
    ///   - reader: Reads the page of an article whose text is not stored.
    ///   - conversations: The earlier turns.
    ///   - models: The models that answer.
    ///   - now: The time.
    init(
        find: @escaping ArticleFinder, keep: @escaping ArticleKeeper = { _, _ in nil }, reader: any ContentReader,
        conversations: any ConversationRepository,
        models: ModelCalls, now: @escaping @Sendable () -> Timestamp
    ) {
        articles = ArticleStep(find: find, reader: reader, keep: keep)
        history = HistoryStep(conversations: conversations)
        self.models = models
        self.now = now
    }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let input = try context.input(ArticleInput.init)
        let turn = try ChatTurn(context, about: "article:\(input.article)")
        let prompt = try context.prompt(input.form.rawValue)
        context.progress("read")
        let article = try await articles.read(input.article, in: context)
        let earlier = try await history.read(before: turn, in: context)
        var values = article.promptInput
        values["turns"] = earlier.promptInput
        values["question"] = JSON(turn.question)
        values["language"] = turn.languageInput
        let question = PromptQuestion(
            step: "answer", stage: "answer", prompt: prompt, input: .object(values),
            expectedCharacters: input.form == .phone ? 900 : 300,
            userMessage: "We could not answer from this article. Please ask in another way.")
        let answer = try await models.ask(question, in: context)
        context.progress("store")
        let text = answer.content["answer"]?.string?.trimmed ?? ""
        let citations = JSON.array(
            (answer.content["quotes"]?.array ?? []).map { quote in
                [
                    "kind": "article", "id": JSON(article.id), "title": JSON(article.title), "url": JSON(article.url),
                    "quote": quote,
                ]
            })
        let result: JSON = [
            "conversation_id": JSON(turn.conversation), "article_id": JSON(article.id),
            "form_factor": JSON(input.form.rawValue), "answer": JSON(text),
            "in_article": answer.content["in_article"] ?? false, "citations": citations,
            "for_subscribers": JSON(article.isForSubscribers),
            "provenance": context.provenance(of: [answer]),
        ]
        return AgentResult(result, records: [turn.record(text, citations: citations, at: now(), in: context)])
    }
}
