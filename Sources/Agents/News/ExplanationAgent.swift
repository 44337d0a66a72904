internal import Basics
internal import JobQueue
internal import JSON
internal import Observability
internal import Prompts

/// Explains a story calmly: the events, their meaning and course, signs to watch, conclusions to avoid, and
/// the sources of all of it.
///
/// The input names a story of the service, or contains the articles. The explanation of a stored story is stored for
/// all users that request the same, so none is written twice.
struct ExplanationAgent: Agent {
    private static let stage = "explain"

    private let stories: StoryExplainer

    init(stories: StoryExplainer) { self.stories = stories }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        guard let group = context.job.input["story_id"]?.integer else {
            let input = try context.input(ExplanationInput.init)
            let result = try await stories.explain(input, stage: Self.stage, in: context)
            context.progress("store")
            return AgentResult(result)
        }
        let holdings = context.job.input["holdings"]?.array?.compactMap(\.string) ?? []
        let made = try await stories.explain(group: group, holdings: holdings, stage: Self.stage, in: context)
        context.progress("store")
        return AgentResult(made.result, records: made.records)
    }
}

/// Explains stored stories from the texts of their articles, for jobs of readers and ahead of reading.
struct StoryExplainer: Sendable {
    private let step: StoryStep
    private let pages: StoryPages?
    private let explainer: Explainer

    /// - Parameters:
    ///   - stories: The stored stories.
    ///   - explanations: The explanations that were written before.
    ///   - pages: Reads the pages of articles whose text is not stored; `nil` reads none.
    ///   - models: The models that write.
    ///   - now: The time.
    init(
        stories: any StoryReader, explanations: any ExplanationRepository, pages: StoryPages? = nil, models: ModelCalls,
        now: @escaping @Sendable () -> Timestamp
    ) {
        step = StoryStep(stories: stories, explanations: explanations, now: now)
        self.pages = pages
        explainer = Explainer(models: models)
    }

    /// The key of the explanation of a story for all users of a language; `nil` when there is no such story.
    func key(ofGroup group: Int64, in language: Language) async throws(StoreError) -> ExplanationKey? {
        try await step.stories.story(ofGroup: group)?.key(for: [], in: language)
    }

    /// The result of a job that explains a story, and the records that go with it: none when it was written before.
    /// An answer advances the stage of the job; a stage that its kind does not have is not shown.
    func explain(
        group: Int64, holdings: [String], stage: String, in context: JobContext
    ) async throws(AgentError) -> (result: JSON, records: [RecordChange]) {
        var story = try await step.read(
            group: group, holdings: holdings, language: context.language ?? .english, in: context)
        if let written = story.written {
            let result: JSON = [
                "explanation": written.explanation, "holdings": JSON(story.key.holdings),
                "provenance": written.provenance,
            ]
            return (result, [])
        }
        if let pages { story.input.articles = try await pages.read(story.input.articles, in: context) }
        let result = try await explain(story.input, stage: stage, in: context)
        let record = StoryExplanation(
            story.key, body: result["explanation"]?.compact ?? "", provenance: result["provenance"]?.compact ?? "",
            createdAt: story.readAt)
        return (result, [.storyExplanation(record)] + passages(of: story, result))
    }

    /// Passages that answers to all users can cite: none of an explanation that names one user's holdings.
    private func passages(of story: StoryStep.Story, _ result: JSON) -> [RecordChange] {
        // Answers are searched for in English.
        guard story.key.holdings.isEmpty, story.key.language == .english, let group = story.group,
            let explanation = result["explanation"]
        else {
            return []
        }
        return StoryPassages(
            group: group, title: story.input.title ?? "", explanation: explanation, writtenAt: story.readAt
        ).records
    }

    /// The result of a job that explains articles.
    func explain(_ input: ExplanationInput, stage: String, in context: JobContext) async throws(AgentError) -> JSON {
        let prompt = try context.prompt("explain")
        let (explanation, answer) = try await explainer.explain(input, with: prompt, stage: stage, in: context)
        return [
            "explanation": explanation, "holdings": JSON(input.holdings),
            "provenance": context.provenance(of: [answer]),
        ]
    }
}

/// The step that reads a stored story and its articles.
struct StoryStep: Sendable {
    struct Story: Sendable {
        var key: ExplanationKey
        /// The number of the group in which all users see the story; `nil` where it is not known.
        var group: Int64?
        var input: ExplanationInput
        var readAt: Timestamp
        /// The explanation that was written before for the same key, if any.
        var written: (explanation: JSON, provenance: JSON)?
    }

    let stories: any StoryReader
    let explanations: any ExplanationRepository
    let now: @Sendable () -> Timestamp

    func read(
        group: Int64, holdings: [String], language: Language, in context: JobContext
    ) async throws(AgentError) -> Story {
        var input: JSON = ["story_id": JSON(group), "holdings": JSON(holdings)]
        if language != .english { input["language"] = JSON(language.rawValue) }
        let entry = try await context.journal.step("story", input: input) { try await find(group, holdings, language) }
        guard entry.output != .null else {
            throw .notFound(
                "There is no story of this id, or none of its articles is left.",
                userMessage: "This story is not here any more. Nothing was charged.")
        }
        var story = try entry.decoded("story", Self.story)
        story.key.language = language
        return story
    }

    private func find(
        _ group: Int64, _ holdings: [String], _ language: Language
    ) async throws(StoreError) -> JSON {
        guard let story = try await stories.story(ofGroup: group) else { return .null }
        let key = story.key(for: holdings, in: language)
        let made = try await explanations.explanation(key)
        let articles = made == nil ? try await stories.articles(of: story) : []
        if made == nil, articles.isEmpty { return .null }
        return [
            "story": JSON(key.story), "group": JSON(story.group), "version": JSON(key.version),
            "holdings": JSON(key.holdings),
            "tickers": JSON(story.tickers), "title": JSON(story.title.withoutNUL), "read_at": JSON(now().milliseconds),
            "made": made.map { ["explanation": JSON($0.body), "provenance": JSON($0.provenance)] } ?? .null,
            "articles": .array(articles.map(\.json)),
        ]
    }

    private static func story(_ field: JSONField) throws(JSONFieldError) -> Story {
        let key = ExplanationKey(
            story: try field["story"].string(), version: try field["version"].string(),
            holdings: try field["holdings"].strings())
        var articles: [ExplanationInput.Article] = []
        for article in try field["articles"].array() {
            articles.append(try ExplanationInput.Article(article, number: articles.count + 1))
        }
        let input = ExplanationInput(
            title: try field["title"].string(), articles: articles, holdings: key.holdings,
            subjects: try field["tickers"].optional?.strings() ?? [])
        var story = Story(
            key: key, group: try field["group"].optional?.integer(), input: input,
            readAt: Timestamp(milliseconds: try field["read_at"].integer()))
        if let made = field["made"].optional {
            let explanation = try? JSON(parsing: try made["explanation"].string())
            let provenance = try? JSON(parsing: try made["provenance"].string())
            if let explanation { story.written = (explanation, provenance ?? .null) }
        }
        return story
    }
}

extension ArticleContext {
    /// The form of an article in a job's input.
    fileprivate var json: JSON {
        [
            "title": JSON(title.withoutNUL), "source": JSON(publisher.withoutNUL), "url": JSON(url.withoutNUL),
            "published_at": JSON(publishedAt.iso8601), "text": JSON(text.withoutNUL), "record": JSON(id),
            "is_whole": JSON(isWhole),
        ]
    }
}

extension String {
    /// No store accepts NUL characters, and any page may contain them.
    fileprivate var withoutNUL: String { filter { $0 != "\0" } }
}

/// The parts of an explanation for all users as passages, which answers can cite.
struct StoryPassages: Sendable {
    /// The order gives each part its number within the source, by which another version of it replaces this one.
    private static let parts = [
        ("what_happened", "What happened"), ("why_it_happened", "Why it happened"),
        ("why_it_matters_now", "Why it matters now"), ("what_to_watch_next", "What to watch next"),
        ("what_this_does_not_mean", "What this does not mean"),
    ]

    /// The number of the group in which all users see the story.
    let group: Int64
    let title: String
    let explanation: JSON
    /// The time at which the explanation was written; its passages are deleted with it.
    let writtenAt: Timestamp

    /// A passage for each part; no part of an explanation is empty.
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
