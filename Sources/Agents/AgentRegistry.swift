package import DataSources
internal import JSON
package import JobQueue
package import Prompts

/// All agents: the names by which `agent:` in a job kind selects them, the requirements on such a kind, and their
/// factories. A new agent is one more entry in `entries`.
package enum AgentRegistry {
    private struct Entry {
        let name: String
        let requirements: BundleRules.Agent
        let make: @Sendable (AgentDependencies) -> any Agent

        /// - Parameters:
        ///   - name: The value of `agent:`.
        ///   - prompts: The roles for which the kind names a prompt.
        ///   - stages: The stages of progress that the kind describes.
        ///   - settings: JSON Schema of the kind's `settings`; `nil` for an agent without settings.
        ///   - make: Makes the agent.
        init(
            _ name: String, prompts: Set<String>, stages: Set<String>, settings: JSON? = nil,
            make: @escaping @Sendable (AgentDependencies) -> any Agent
        ) {
            self.name = name
            requirements = BundleRules.Agent(prompts: prompts, stages: stages, settings: settings)
            self.make = make
        }
    }

    private static let entries: [Entry] = [
        Entry(
            "research", prompts: ["draft", "repair"], stages: ["gather", "score", "draft", "verify", "store"],
            settings: [
                "type": "object", "properties": ["filing_readings": ["type": "boolean"]],
                "additionalProperties": false,
            ],
            make: {
                ResearchAgent(
                    companies: $0.companies, market: $0.market, history: $0.history, library: $0.filings,
                    readings: FilingReadings(documents: $0.store, jobs: $0.jobs, now: $0.now), models: $0.models,
                    now: $0.now)
            }),
        Entry(
            "comparison", prompts: ["compare"], stages: ["gather", "score", "compare", "store"],
            make: {
                ComparisonAgent(
                    companies: $0.companies, market: $0.market, history: $0.history, models: $0.models, now: $0.now)
            }),
        Entry(
            "filing-reading", prompts: ["read"], stages: ["open", "read", "store"],
            make: { FilingReadingAgent(library: $0.filings, models: $0.models, now: $0.now) }),
        Entry(
            "analyze", prompts: ["analyze", "questions"], stages: ["read", "analyze", "questions", "store"],
            make: { AnalyzeAgent(reader: $0.content, cards: $0.store, models: $0.models, now: $0.now) }),
        Entry(
            "recall", prompts: ["grade"], stages: ["read", "grade", "store"],
            make: { RecallAgent(cards: $0.store, models: $0.models) }),
        Entry(
            "explanation", prompts: ["explain"], stages: ["explain", "store"],
            make: { ExplanationAgent(stories: $0.storyExplainer) }),
        Entry(
            "explain-ahead", prompts: ["explain"], stages: ["choose", "explain", "store"],
            settings: AheadSettings.schema,
            make: {
                AheadAgent(
                    stories: $0.storyExplainer, explanations: $0.store, records: $0.store, now: $0.now)
            }),
        Entry(
            "interpret", prompts: ["interpret", "explain"], stages: ["read", "interpret", "explain", "store"],
            make: { dependencies in
                InterpretAgent(
                    reader: dependencies.content,
                    holdings: { (user) async throws(StoreError) in
                        try await dependencies.store.preferences(of: user).holdings.map(\.ticker)
                    }, models: dependencies.models)
            }),
        Entry(
            "summary", prompts: ["phone", "watch"], stages: ["read", "summarise", "store"],
            make: {
                SummaryAgent(
                    find: $0.findArticle, keep: $0.keepArticle, reader: $0.content, models: $0.models, now: $0.now)
            }),
        Entry(
            "chat", prompts: ["phone", "watch"], stages: ["read", "answer", "store"],
            make: {
                ChatAgent(
                    find: $0.findArticle, keep: $0.keepArticle, reader: $0.content, conversations: $0.store,
                    models: $0.models, now: $0.now)
            }),
        Entry(
            "education", prompts: ["answer"], stages: ["search", "answer", "store"],
            make: {
                EducationAgent(
                    passages: $0.store, articles: $0.store, meaning: $0.meaning, conversations: $0.store,
                    models: $0.models, now: $0.now)
            }),
        Entry(
            "ingest", prompts: [], stages: ["read", "take", "embed", "group"], settings: IngestSettings.schema,
            make: {
                IngestAgent(
                    fetcher: $0.news, store: $0.store, embedder: $0.embedder, onFailure: $0.onSourceFailure,
                    now: $0.now)
            }),
        Entry(
            "impact", prompts: ["judge"], stages: ["choose", "judge", "store"], settings: ImpactSettings.schema,
            make: { ImpactAgent(models: $0.models, records: $0.store, now: $0.now) }),
        Entry(
            "brief", prompts: [], stages: ["everybody", "holders", "store"],
            make: { BriefAgent(records: $0.store) }),
        Entry(
            "training", prompts: [], stages: ["fetch", "walk", "store"],
            make: {
                ForecastAgent(
                    .training, history: $0.history, documents: $0.store, executor: $0.trainings, now: $0.now)
            }),
        Entry(
            "forecast", prompts: [], stages: ["fetch", "walk", "store"],
            make: {
                ForecastAgent(
                    .forecast, history: $0.history, documents: $0.store, executor: $0.trainings, now: $0.now)
            }),
        Entry(
            "export", prompts: [], stages: ["read", "store"],
            make: { ExportAgent(archiver: $0.archiver, exports: $0.store) }),
        Entry("drill", prompts: [], stages: ["work"], make: { _ in DrillAgent() }),
    ]

    /// The requirements on kinds of jobs, by agent name.
    package static let requirements = Dictionary(
        uniqueKeysWithValues: entries.map { ($0.name, $0.requirements) })

    /// The agents that cannot work without the SEC's filings.
    package static let readFilings: Set<String> = ["research", "comparison", "filing-reading"]

    /// The agents by name.
    package static func agents(_ dependencies: AgentDependencies) -> [String: any Agent] {
        Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.make(dependencies)) })
    }
}

/// The dependencies of all agents.
package struct AgentDependencies: Sendable {
    var companies: any CompanyFactsSource
    /// `nil` where no source of prices is set up.
    var market: (any MarketDataSource)?
    /// Reads the pages and videos at addresses.
    var content: any ContentReader
    var news: NewsFetcher
    var store: any Repositories
    var models: ModelCalls
    /// Finds passages and articles by their meaning; `nil` where nothing makes vectors.
    package var meaning: MeaningSearch?
    /// Makes vectors of articles; `nil` where nothing makes vectors.
    package var embedder: ArticleEmbedder?
    /// `nil` where no source of prices over time is set up.
    package var history: PriceHistory?
    /// All trainings of a process run one after the other.
    let trainings = TrainingExecutor()
    /// The text of filings; `nil` where there is no contact for the SEC, and for work on journals alone.
    package var filings: FilingLibrary?
    /// Takes jobs of the service itself; `nil` for work on journals alone.
    package var jobs: (any JobStore)?
    /// Reads the data of users; `nil` where no archives are made.
    package var archiver: (any UserArchiver)?
    /// Is told of sources of news that could not be read.
    package var onSourceFailure: @Sendable (SourceFailure) -> Void = { _ in }
    var now: @Sendable () -> Timestamp

    package init(
        companies: any CompanyFactsSource, market: (any MarketDataSource)?, content: any ContentReader,
        news: NewsFetcher, store: any Repositories, models: ModelCalls, now: @escaping @Sendable () -> Timestamp
    ) {
        self.companies = companies
        self.market = market
        self.content = content
        self.news = news
        self.store = store
        self.models = models
        self.now = now
    }

    var storyExplainer: StoryExplainer {
        StoryExplainer(
            stories: RepositoryStoryReader(store), explanations: store,
            pages: StoryPages(reader: news.pages, keep: keepArticle, documents: store, now: now), models: models,
            now: now)
    }
    var findArticle: ArticleFinder { ReadableArticle.finder(in: store) }
    var keepArticle: ArticleKeeper { ReadableArticle.keeper(in: store) }
}
