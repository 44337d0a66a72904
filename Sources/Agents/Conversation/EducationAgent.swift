package import JobQueue
internal import JSON
package import Prompts

/// Answers questions about investing from passages that the user may see, and says when it does not know.
package struct EducationAgent: Agent {
    package let name = "education"

    /// What `jobs/education.yaml` must give.
    package static let requirements = BundleRules.Agent(prompts: ["answer"], stages: ["search", "answer", "store"])

    private static let subject = "education"

    private let history: HistoryStep
    private let passages: PassageStep
    private let models: ModelCalls
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - passages: What answers rest on, beside articles.
    ///   - articles: The news.
    ///   - meaning: Finds both by what they mean; without it words alone decide.
    ///   - conversations: What was said before.
    ///   - models: Who answers.
    ///   - now: Milliseconds since 1970.
    package init(
        passages: any PassageRepository, articles: any ArticleSearchRepository, meaning: MeaningSearch?,
        conversations: any ConversationRepository, models: ModelCalls,
        now: @escaping @Sendable () -> Int64
    ) {
        history = HistoryStep(conversations: conversations)
        self.passages = PassageStep(repository: passages, articles: articles, meaning: meaning)
        self.models = models
        self.now = now
    }

    package func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let talk = try ChatTurn(context, about: Self.subject)
        let prompt = try context.prompt("answer")
        context.progress("search")
        let earlier = try await history.read(talk, in: context)
        let found = try await passages.search(talk.question, after: earlier, in: context)
        context.progress("answer")
        guard !found.isEmpty else { return finish(talk, .unknown, [], context) }
        let answer = try await models.ask(Self.question(talk, earlier, found, prompt), in: context)
        return finish(talk, EducationAnswer(answer.content, from: found), [answer], context)
    }

    private static func question(
        _ talk: ChatTurn, _ earlier: History, _ found: [CitedPassage], _ prompt: LoadedPrompt
    ) -> CheckedQuestion {
        var input: JSON = ["question": JSON(talk.question), "passages": .array(found.map(\.promptInput))]
        input["turns"] = earlier.promptInput
        return CheckedQuestion(
            step: "answer", stage: "answer", prompt: prompt, input: input, expectedCharacters: 1200,
            userMessage: "We could not answer this from what we know. Please ask in another way.",
            rules: EducationAnswer.problems)
    }

    private func finish(
        _ talk: ChatTurn, _ answer: EducationAnswer, _ calls: [CheckedAnswer], _ context: JobContext
    ) -> AgentResult {
        context.progress("store")
        let citations = JSON.array(answer.citations.map(\.citation))
        let result: JSON = [
            "conversation_id": JSON(talk.conversation), "answer": JSON(answer.text), "known": .bool(answer.isKnown),
            "citations": citations, "provenance": CheckedAnswer.provenance(of: calls, in: context),
        ]
        return AgentResult(result, records: [talk.turn(answer.text, citations: citations, at: now(), in: context)])
    }
}

/// What is answered to a learner's question.
struct EducationAnswer: Sendable {
    let text: String
    let isKnown: Bool
    /// What the answer rests on, what matters most first.
    let citations: [CitedPassage]

    /// When no passage is near enough to the question that a model could answer from it.
    static let unknown = EducationAnswer(
        text: "I do not know: nothing in your reports, in the news or in the library answers this.", isKnown: false,
        citations: [])

    private init(text: String, isKnown: Bool, citations: [CitedPassage]) {
        self.text = text
        self.isKnown = isKnown
        self.citations = citations
    }

    init(_ answer: JSON, from passages: [CitedPassage]) {
        text = answer["answer"]?.string?.trimmed ?? ""
        isKnown = answer["known"] == true
        let ids = (answer["citations"]?.array ?? []).compactMap(\.string).uniqued()
        citations = ids.compactMap { id in passages.first { $0.id == id } }
    }

    /// What an answer breaks beyond the checks of the prompt: what is known has a source, what is not has none.
    static let problems: @Sendable (JSON) -> [CheckFailure] = { answer in
        let hasSource = answer["citations"]?.array?.isEmpty == false
        switch (answer["known"] == true, hasSource) {
        case (true, false):
            return [
                CheckFailure(
                    check: "citations", path: "citations",
                    message: "An answer that is known has to name the passages that it rests on.")
            ]
        case (false, true):
            return [
                CheckFailure(
                    check: "citations", path: "citations",
                    message: "An answer that is not known rests on no passage: leave the list empty.")
            ]
        default: return []
        }
    }
}
