package import JobQueue
internal import JSON
internal import Observability
package import Prompts

/// Explains a story calmly: what happened, why it matters, how it unfolded, what to watch, what it does not mean, and
/// where all of it comes from.
///
/// The input names a story of the service, or brings articles along. What is written of a story is kept for everybody
/// who asks for the same; what was made before is not made again.
package struct ExplanationAgent: Agent {
    package let name = "explanation"

    /// What `jobs/explanation.yaml` must give.
    package static let requirements = BundleRules.Agent(prompts: ["explain"], stages: ["explain", "store"])

    private let step: StoryStep
    private let explainer: Explainer

    /// `stories` has the stories, `explanations` what was made before, `models` writes; `now` gives milliseconds since
    /// 1970.
    package init(
        stories: any StoryReader, explanations: any ExplanationRepository, models: ModelCalls,
        now: @escaping @Sendable () -> Int64
    ) {
        step = StoryStep(stories: stories, explanations: explanations, now: now)
        explainer = Explainer(models: models)
    }

    package func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        guard let group = context.job.input["story_id"]?.integer else {
            return AgentResult(try await explain(try ExplanationInput(context), in: context))
        }
        let holdings = context.job.input["holdings"]?.array?.compactMap(\.string) ?? []
        let story = try await step.read(group: group, holdings: holdings, in: context)
        if let made = story.made {
            return AgentResult([
                "explanation": made.explanation, "holdings": JSON(story.key.holdings), "provenance": made.provenance,
            ])
        }
        let result = try await explain(story.order, in: context)
        let record = StoryExplanation(
            story.key, body: result["explanation"]?.compact ?? "", provenance: result["provenance"]?.compact ?? "",
            createdAt: story.readAt)
        return AgentResult(result, records: [.storyExplanation(record)] + passages(of: story, result))
    }

    /// What everybody's answers may rest on: nothing that speaks to somebody's holdings.
    private func passages(of story: StoryStep.Found, _ result: JSON) -> [RecordChange] {
        guard story.key.holdings.isEmpty, let group = story.group, let explanation = result["explanation"] else {
            return []
        }
        return StoryPassages(
            group: group, title: story.order.title ?? "", explanation: explanation, writtenAt: story.readAt
        ).records
    }

    private func explain(_ order: ExplanationInput, in context: JobContext) async throws(AgentError) -> JSON {
        let prompt = try context.prompt("explain")
        context.progress("explain")
        let (explanation, answer) = try await explainer.explain(order, with: prompt, stage: "explain", in: context)
        context.progress("store")
        return [
            "explanation": explanation, "holdings": JSON(order.holdings),
            "provenance": CheckedAnswer.provenance(of: [answer], in: context),
        ]
    }
}

/// The step that finds out what a story is to be explained from, once in the life of the job.
struct StoryStep: Sendable {
    /// What was found.
    struct Found: Sendable {
        var key: ExplanationKey
        /// The number of the group in which everybody sees the story; `nil` where that is not known.
        var group: Int64?
        var order: ExplanationInput
        /// Milliseconds since 1970.
        var readAt: Int64
        /// What was made before for the same key: nothing is left to do then.
        var made: (explanation: JSON, provenance: JSON)?
    }

    let stories: any StoryReader
    let explanations: any ExplanationRepository
    let now: @Sendable () -> Int64

    func read(group: Int64, holdings: [String], in context: JobContext) async throws(AgentError) -> Found {
        let input: JSON = ["story_id": JSON(group), "holdings": JSON(holdings)]
        let entry = try await context.journal.step("story", input: input) { () async throws(AgentError) in
            do throws(StoreError) {
                return (try await find(group, holdings), [])
            } catch {
                throw AgentError(error)
            }
        }
        guard entry.output != .null else { throw .noStory }
        do {
            return try Self.found(JSONField(entry.output))
        } catch {
            throw .failed(
                AgentFailure(
                    .internalFailure("a journalled story cannot be read: \(error)"), isTransient: false,
                    dropStepsFrom: entry.sequence))
        }
    }

    private func find(_ group: Int64, _ holdings: [String]) async throws(StoreError) -> JSON {
        guard let material = try await stories.material(ofGroup: group) else { return .null }
        let key = material.key(for: holdings)
        let made = try await explanations.explanation(key)
        let articles = made == nil ? try await stories.articles(of: material) : []
        if made == nil, articles.isEmpty { return .null }
        return [
            "story": JSON(key.story), "group": JSON(material.group), "version": JSON(key.version),
            "holdings": JSON(key.holdings),
            "title": JSON(material.title.withoutNUL), "read_at": JSON(now()),
            "made": made.map { ["explanation": JSON($0.body), "provenance": JSON($0.provenance)] } ?? .null,
            "articles": .array(articles.map(\.json)),
        ]
    }

    private static func found(_ field: JSONField) throws(JSONFieldError) -> Found {
        let key = ExplanationKey(
            story: try field["story"].string(), version: try field["version"].string(),
            holdings: try field["holdings"].strings())
        var articles: [ExplanationInput.Article] = []
        for article in try field["articles"].array() {
            articles.append(try ExplanationInput.Article(article, number: articles.count + 1))
        }
        let order = ExplanationInput(
            title: try field["title"].string(), articles: articles, holdings: key.holdings)
        var found = Found(
            key: key, group: try field["group"].optional?.integer(), order: order,
            readAt: try field["read_at"].integer())
        if let made = field["made"].optional {
            let explanation = try? JSON(parsing: try made["explanation"].string())
            let provenance = try? JSON(parsing: try made["provenance"].string())
            if let explanation { found.made = (explanation, provenance ?? .null) }
        }
        return found
    }
}

extension ArticleMaterial {
    /// In the shape of an article in a job's input.
    fileprivate var json: JSON {
        [
            "title": JSON(title.withoutNUL), "source": JSON(publisher.withoutNUL), "url": JSON(url.withoutNUL),
            "published_at": JSON(ISO8601.text(milliseconds: publishedAt)), "text": JSON(text.withoutNUL),
        ]
    }
}

extension String {
    /// No store keeps a NUL, and pages hold what they like.
    fileprivate var withoutNUL: String { filter { $0 != "\0" } }
}

extension AgentError {
    fileprivate static let noStory = AgentError.failed(
        AgentFailure(
            JobError(
                code: "BIZ_2005", message: "There is no story of this id, or none of its articles is left.",
                userMessage: "This story is not here any more. Nothing was charged."), isTransient: false))
}

/// The parts of everybody's explanation of a story, as answers may rest on them.
struct StoryPassages: Sendable {
    /// In this order their places within the source, so that another version of a part takes the place of this one.
    private static let parts = [
        ("what_happened", "What happened"), ("why_it_happened", "Why it happened"),
        ("why_it_matters_now", "Why it matters now"), ("what_to_watch_next", "What to watch next"),
        ("what_this_does_not_mean", "What this does not mean"),
    ]

    /// The number of the group in which everybody sees the story.
    let group: Int64
    let title: String
    let explanation: JSON
    /// When the explanation was written, in milliseconds since 1970: its passages go when it does.
    let writtenAt: Int64

    /// A passage for each part; each part of an explanation says something.
    var records: [RecordChange] {
        Self.parts.enumerated().map { place, part in
            let title = "\(title): \(part.1)"
            let text = explanation[part.0]?.string ?? ""
            return .passage(
                Passage(
                    kind: .story, source: String(group), part: Int64(place), title: title, text: text,
                    terms: ContentWords(title + "\n" + text).terms, writtenAt: writtenAt))
        }
    }
}
