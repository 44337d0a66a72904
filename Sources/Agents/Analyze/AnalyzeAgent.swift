internal import DataSources
internal import JobQueue
internal import JSON
internal import Learning
internal import Prompts

/// Rates the benefit of an article or a video for a learner with a goal, and if it is worth the time, writes questions
/// by which the learner can test their memory.
///
/// A model names the concepts with passages that prove them; the scores and the decision are computed from that.
struct AnalyzeAgent: Agent {
    private static let userMessage = "We could not make sense of this content. Nothing was charged."

    private let content: ContentStep
    private let learner: LearnerStep
    private let models: ModelCalls
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - reader: Reads the pages and videos at addresses.
    ///   - cards: The recall cards of users, to which the questions of an analysis are added.
    ///   - models: The models that answer.
    ///   - now: The time.
    init(
        reader: any ContentReader, cards: any RecallRepository, models: ModelCalls,
        now: @escaping @Sendable () -> Timestamp
    ) {
        content = ContentStep(reader: reader)
        learner = LearnerStep(cards: cards, now: now)
        self.models = models
        self.now = now
    }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        var input = try context.input(AnalyzeInput.init)
        let (analyzePrompt, questionsPrompt) = (try context.prompt("analyze"), try context.prompt("questions"))
        context.progress("read")
        let content = try await content.read(input.url, in: context)
        let excerpt = Excerpt(of: content.text)
        let history = try await learner.read(source: content.url, in: context)
        input.learner = input.learner.adding(history)
        let found = try await models.ask(analysis(of: content, excerpt, for: input, analyzePrompt), in: context)
        let analysis = Analysis(found.content, text: excerpt.text, learner: input.learner)
        var answers = [found]
        var questions: JSON = []
        var cards: [LearningCard] = []
        if analysis.isTriggered {
            let recall = RecallQuestions(analysis: analysis)
            let asked = try await models.ask(
                self.questions(recall, excerpt, for: input, questionsPrompt), in: context)
            let written = recall.questions(in: asked.content, text: excerpt.text)
            (questions, cards) = self.cards(of: written, content, history, context)
            answers.append(asked)
        }
        context.progress("store")
        return AgentResult(
            [
                "trace_id": JSON(context.job.lease.job.description),
                "concepts": JSON(analysis.concepts.map(\.name)),
                "relevance_score": JSON(analysis.relevance),
                "learning_value_score": JSON(analysis.learningValue),
                "decision": analysis.isTriggered ? "triggered" : "ignored",
                "recall_questions": questions,
                "relevance_reasons": JSON(analysis.reasons),
                "concept_details": .array(analysis.concepts.map(\.json)),
                "content": description(of: content, excerpt),
                "history": ["known": JSON(history.known), "weak": JSON(history.weak)],
                "provenance": context.provenance(of: answers),
            ], records: cards.map { .recallCard($0.record) })
    }

    /// Makes cards of new questions. Each question gets the id of its card; one that the user has already gets none.
    private func cards(
        of questions: JSON, _ content: Content, _ history: LearnerHistory, _ context: JobContext
    ) -> (questions: JSON, cards: [LearningCard]) {
        let source = RecallQuestion.Source(url: content.url, title: content.title, kind: content.kind.rawValue)
        var cards: [LearningCard] = []
        let marked = (questions.array ?? []).map { body -> JSON in
            var body = body
            body["card_id"] = .null
            guard let text = body["question"]?.string, !history.hasQuestion(like: text),
                let form = body["type"]?.string.flatMap(RecallQuestion.Form.init)
            else { return body }
            let question = RecallQuestion(
                form: form, question: text, options: body["options"]?.array?.compactMap(\.string) ?? [],
                answer: body["answer"]?.string ?? "", concept: body["concept"]?.string ?? "",
                sourceSpan: body["source_span"]?.string ?? "", source: source,
                analysis: context.job.lease.job.description)
            let card = LearningCard(question, of: context.job.user, at: now())
            body["card_id"] = JSON(card.id)
            cards.append(card)
            return body
        }
        return (.array(marked), cards)
    }

    // MARK: Questions to the model

    private func analysis(
        of content: Content, _ excerpt: Excerpt, for input: AnalyzeInput, _ prompt: LoadedPrompt
    ) -> PromptQuestion {
        var values: JSON = [
            "goal": JSON(input.goal), "known": JSON(input.learner.known), "weak": JSON(input.learner.weak),
            "kind": JSON(content.kind.rawValue), "text": JSON(excerpt.text),
        ]
        values["title"] = content.title.map { JSON(Excerpt(of: $0, limit: 300).text) }
        values["cut"] = excerpt.remark.map { JSON($0) }
        return PromptQuestion(
            step: "analyze", stage: "analyze", prompt: prompt, input: values, expectedCharacters: 2500,
            userMessage: Self.userMessage)
    }

    private func questions(
        _ recall: RecallQuestions, _ excerpt: Excerpt, for input: AnalyzeInput, _ prompt: LoadedPrompt
    ) -> PromptQuestion {
        let subjects = recall.subjects.map { concept -> JSON in
            ["name": JSON(concept.name), "standing": JSON(concept.familiarity.rawValue), "passage": JSON(concept.span)]
        }
        let values: JSON = ["goal": JSON(input.goal), "concepts": .array(subjects), "text": JSON(excerpt.text)]
        return PromptQuestion(
            step: "questions", stage: "questions", prompt: prompt, input: values, expectedCharacters: 2500,
            userMessage: Self.userMessage, rules: { recall.failures(in: $0) })
    }

    private func description(of content: Content, _ excerpt: Excerpt) -> JSON {
        [
            "url": JSON(content.url), "kind": JSON(content.kind.rawValue), "title": JSON(content.title),
            "site": JSON(content.site), "language": JSON(content.language), "published_at": JSON(content.publishedAt),
            "characters": JSON(excerpt.total), "characters_read": JSON(excerpt.count),
        ]
    }
}

extension Analysis.Concept {
    var json: JSON {
        [
            "name": JSON(name), "source_span": JSON(span), "depth": JSON(depth.rawValue),
            "bearing": JSON(bearing.rawValue), "standing": JSON(familiarity.rawValue),
        ]
    }
}

/// The input of an `analyze` job.
struct AnalyzeInput: Sendable {
    let url: String
    let goal: String
    var learner: Learner

    init(_ input: JSONField) throws(JSONFieldError) {
        url = try input["content_url"].string()
        goal = try input["goal_description"].string()
        learner = Learner(
            known: try input["known_concepts"].optional?.strings() ?? [],
            weak: try input["weak_concepts"].optional?.strings() ?? [])
    }
}
