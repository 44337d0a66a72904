internal import Basics
internal import JobQueue
internal import JSON
internal import Prompts

/// Answers questions about investing from passages that the user may see, and says when they do not answer it.
struct EducationAgent: Agent {
    private static let subject = "education"

    private let history: HistoryStep
    private let passages: PassageStep
    private let models: ModelCalls
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - passages: The sources of answers, besides articles.
    ///   - articles: The news.
    ///   - meaning: Finds passages and articles by their meaning; without it words alone decide.
    ///   - conversations: The earlier turns.
    ///   - models: The models that answer.
    ///   - now: The time.
    init(
        passages: any PassageRepository, articles: any ArticleSearchRepository, meaning: MeaningSearch?,
        conversations: any ConversationRepository, models: ModelCalls,
        now: @escaping @Sendable () -> Timestamp
    ) {
        history = HistoryStep(conversations: conversations)
        self.passages = PassageStep(repository: passages, articles: articles, meaning: meaning)
        self.models = models
        self.now = now
    }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let turn = try ChatTurn(context, about: Self.subject)
        let prompt = try context.prompt("answer")
        context.progress("search")
        let earlier = try await history.read(before: turn, in: context)
        let found = try await passages.search(turn.question, after: earlier, in: context)
        guard !found.isEmpty else {
            context.progress("answer")
            return finish(turn, .unknown(in: turn.language ?? .english), [], context)
        }
        let answer = try await models.ask(Self.question(turn, earlier, found, prompt), in: context)
        return finish(turn, EducationAnswer(answer.content, from: found), [answer], context)
    }

    private static func question(
        _ turn: ChatTurn, _ earlier: ConversationHistory, _ found: [CitedPassage], _ prompt: LoadedPrompt
    ) -> PromptQuestion {
        var input: JSON = ["question": JSON(turn.question), "passages": .array(found.map(\.promptInput))]
        input["turns"] = earlier.promptInput
        input["language"] = turn.languageInput
        return PromptQuestion(
            step: "answer", stage: "answer", prompt: prompt, input: input, expectedCharacters: 1200,
            userMessage: "We could not answer this from what we know. Please ask in another way.",
            rules: EducationAnswer.problems)
    }

    private func finish(
        _ turn: ChatTurn, _ answer: EducationAnswer, _ calls: [CheckedAnswer], _ context: JobContext
    ) -> AgentResult {
        context.progress("store")
        let citations = JSON.array(answer.citations.map(\.citation))
        let result: JSON = [
            "conversation_id": JSON(turn.conversation), "answer": JSON(answer.text), "known": .bool(answer.isKnown),
            "citations": citations, "provenance": context.provenance(of: calls),
        ]
        return AgentResult(result, records: [turn.record(answer.text, citations: citations, at: now(), in: context)])
    }
}

/// The answer to a learner's question.
struct EducationAnswer: Sendable {
    let text: String
    let isKnown: Bool
    /// The passages that the answer rests on, the most important first.
    let citations: [CitedPassage]

    /// The answer when no passage is near enough to the question.
    static func unknown(in language: Language) -> EducationAnswer {
        let text =
            switch language {
            case .english: "I do not know: there is no report of yours, no article and no text of the library on this."
            case .german:
                "Das weiß ich nicht: Es gibt dazu keinen Ihrer Berichte, keinen Artikel und keinen Text der Bibliothek."
            case .spanish:
                "No lo sé: no hay sobre ello ningún informe suyo, ningún artículo ni ningún texto de la biblioteca."
            case .french:
                "Je ne sais pas : il n’y a là-dessus ni rapport de vous, ni article, ni texte de la bibliothèque."
            }
        return EducationAnswer(text: text, isKnown: false, citations: [])
    }

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

    /// A rule beyond the checks of the prompt: an answer cites passages if, and only if, it is known.
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
