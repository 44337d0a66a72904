internal import DataSources
internal import JobQueue
internal import JSON
package import Prompts

/// Says what an article or a video teaches somebody with a goal, whether it is worth their time, and if so, asks
/// questions by which they can test what they remember.
///
/// A model names the concepts with passages that bear them out; the scores and the decision are computed from that.
package struct AnalyzeAgent: Agent {
    package let name = "analyze"

    /// What `jobs/analyze.yaml` must give.
    package static let requirements = BundleRules.Agent(
        prompts: ["analyze", "questions"], stages: ["read", "analyze", "questions", "store"])

    private static let userMessage = "We could not make sense of this content. Nothing was charged."

    private let reading: ContentStep
    private let models: ModelCalls

    /// `reader` reads what users point at, `models` answers.
    package init(reader: any ContentReader, models: ModelCalls) {
        reading = ContentStep(reader: reader)
        self.models = models
    }

    package func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let order = try AnalyzeInput(context)
        context.progress("read")
        let content = try await reading.read(order.url, in: context)
        let excerpt = Excerpt(of: content.text)
        context.progress("analyze")
        let found = try await models.ask(analysis(of: content, excerpt, for: order), in: context)
        let analysis = Analysis(found.content, text: excerpt.text, learner: order.learner)
        var answers = [found]
        var questions: JSON = []
        if analysis.isTriggered {
            context.progress("questions")
            let recall = RecallQuestions(analysis: analysis)
            let asked = try await models.ask(self.questions(recall, excerpt, for: order), in: context)
            questions = recall.questions(in: asked.content, text: excerpt.text)
            answers.append(asked)
        }
        context.progress("store")
        return AgentResult([
            "trace_id": JSON(context.job.lease.job.description),
            "concepts": JSON(analysis.concepts.map(\.name)),
            "relevance_score": JSON(analysis.relevance),
            "learning_value_score": JSON(analysis.learningValue),
            "decision": analysis.isTriggered ? "triggered" : "ignored",
            "recall_questions": questions,
            "relevance_reasons": JSON(analysis.reasons),
            "concept_details": .array(analysis.concepts.map(\.json)),
            "content": description(of: content, excerpt),
            "provenance": CheckedAnswer.provenance(of: answers, in: context),
        ])
    }

    // MARK: Questions to the model

    private func analysis(of content: Content, _ excerpt: Excerpt, for order: AnalyzeInput) -> CheckedQuestion {
        var input: JSON = [
            "goal": JSON(order.goal), "known": JSON(order.learner.known), "weak": JSON(order.learner.weak),
            "kind": JSON(content.kind.rawValue), "text": JSON(excerpt.text),
        ]
        input["title"] = content.title.map { JSON(Excerpt(of: $0, limit: 300).text) }
        input["cut"] = excerpt.remark.map { JSON($0) }
        return CheckedQuestion(
            step: "analyze", stage: "analyze", prompt: order.analyze, input: input, expectedCharacters: 2500,
            userMessage: Self.userMessage)
    }

    private func questions(_ recall: RecallQuestions, _ excerpt: Excerpt, for order: AnalyzeInput) -> CheckedQuestion {
        let subjects = recall.subjects.map { concept -> JSON in
            ["name": JSON(concept.name), "standing": JSON(concept.standing.rawValue), "passage": JSON(concept.span)]
        }
        let input: JSON = ["goal": JSON(order.goal), "concepts": .array(subjects), "text": JSON(excerpt.text)]
        return CheckedQuestion(
            step: "questions", stage: "questions", prompt: order.questions, input: input, expectedCharacters: 2500,
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
            "bearing": JSON(bearing.rawValue), "standing": JSON(standing.rawValue),
        ]
    }
}

/// What an `analyze` job asks for.
struct AnalyzeInput: Sendable {
    let url: String
    let goal: String
    let learner: Learner
    let analyze: LoadedPrompt
    let questions: LoadedPrompt

    init(_ context: JobContext) throws(AgentError) {
        let input = JSONField(context.job.input)
        do {
            url = try input["content_url"].string()
            goal = try input["goal_description"].string()
            learner = Learner(
                known: try input["known_concepts"].optional?.strings() ?? [],
                weak: try input["weak_concepts"].optional?.strings() ?? [])
        } catch {
            throw .failed(AgentFailure(.internalFailure("the job's input: \(error)"), isTransient: false))
        }
        analyze = try context.prompt("analyze")
        questions = try context.prompt("questions")
    }
}
