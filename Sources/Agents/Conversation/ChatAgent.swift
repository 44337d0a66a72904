internal import DataSources
package import JobQueue
internal import JSON
package import Prompts

/// Answers questions about an article from the article, and remembers the conversation.
package struct ArticleChatAgent: Agent {
    package let name = "chat"

    /// What `jobs/chat.yaml` must give.
    package static let requirements = BundleRules.Agent(
        prompts: ["phone", "watch"], stages: ["read", "answer", "store"])

    private let reading: ArticleStep
    private let history: HistoryStep
    private let models: ModelCalls
    private let now: @Sendable () -> Int64

    /// `find` finds articles, `reader` reads the page of one whose text is not there, `conversations` tells what was
    /// said before, `models` answers.
    package init(
        find: @escaping ArticleFinder, reader: any ContentReader, conversations: any ConversationRepository,
        models: ModelCalls, now: @escaping @Sendable () -> Int64
    ) {
        reading = ArticleStep(find: find, reader: reader)
        history = HistoryStep(conversations: conversations)
        self.models = models
        self.now = now
    }

    package func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let order = try ArticleInput(context)
        let talk = try ChatTurn(context, about: "article:\(order.article)")
        let prompt = try context.prompt(order.form.rawValue)
        context.progress("read")
        let article = try await reading.read(order.article, in: context)
        let earlier = try await history.read(talk, in: context)
        context.progress("answer")
        var input = article.promptInput
        input["turns"] = earlier.promptInput
        input["question"] = JSON(talk.question)
        let question = CheckedQuestion(
            step: "answer", stage: "answer", prompt: prompt, input: .object(input),
            expectedCharacters: order.form == .phone ? 900 : 300,
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
            "conversation_id": JSON(talk.conversation), "article_id": JSON(article.id),
            "form_factor": JSON(order.form.rawValue), "answer": JSON(text),
            "in_article": answer.content["in_article"] ?? false, "citations": citations,
            "provenance": CheckedAnswer.provenance(of: [answer], in: context),
        ]
        return AgentResult(result, records: [talk.turn(text, citations: citations, at: now(), in: context)])
    }
}
