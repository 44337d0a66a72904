import Agents
import Basics
import DataSources
import Foundation
import HTTP
import JobQueue
import LanguageModels
import Observability
import Prompts
import Worker

extension Composition {
    /// A worker over a store.
    func worker(
        over store: any Store, transport: HTTPClient, configuration: WorkerConfiguration, plans: CurrentPlans,
        tracer: Tracer? = nil
    ) throws(CommandFailure) -> Worker {
        let models = try models()
        let cap = spendCap(of: models, over: store)
        let router = router(to: models, over: store, cap: cap, transport: transport, jobs: configuration.concurrency)
        for tier in Self.rules.tiers.sorted() where !router.canServe(tier) {
            logger.warning(
                "no model can be reached: set ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENAI_BASE_URL; jobs that need one will fail",
                ["tier": .string(tier)])
        }
        if settings.secUserAgent == nil {
            logger.warning("SEC_USER_AGENT is not set; research jobs will fail, since the SEC wants to know who asks")
        }
        var dependencies = try dependencies(over: store, transport: transport, router: router)
        dependencies.embedder = embeddings(of: models, over: transport).map(ArticleEmbedder.init)
        // A user waits for the answer, so a slow call is given up soon.
        dependencies.meaning = embeddings(of: models, over: transport, limit: .seconds(8), cap: cap).map {
            MeaningSearch(PassageEmbedder($0, passages: store), passages: store, articles: store)
        }
        let process = ProcessInfo.processInfo
        return Worker(
            configuration: configuration, store: store,
            bundles: BundleCache(repository: store, rules: Self.rules), agents: AgentRegistry.agents(dependencies),
            host: process.hostName, processID: process.processIdentifier,
            makeID: { WorkerID(rawValue: UUID().uuidString.lowercased()) }, logger: logger, tracer: tracer)
    }

    /// Agents that go through the journal of a finished job again, to find the prompts that it used. They make no
    /// requests: the journal has the outputs of all steps that made some. Nor do they make vectors, since a job of a
    /// worker without them has no such step. Agents without prompts are left out.
    func replayingAgents(over store: any Store, transport: HTTPClient) throws(CommandFailure) -> [String: any Agent] {
        let models = try models()
        let router = router(to: models, over: store, cap: nil, transport: transport, jobs: 1)
        return AgentRegistry.agents(try dependencies(over: store, transport: transport, router: router))
            .filter { AgentRegistry.requirements[$0.key]?.prompts.isEmpty == false }
    }

    private func dependencies(
        over store: any Store, transport: HTTPClient, router: ModelRouter
    ) throws(CommandFailure) -> AgentDependencies {
        let content = content(over: transport)
        return AgentDependencies(
            companies: try filings(over: transport), market: market(over: transport), content: content,
            news: NewsFetcher(
                feeds: FeedFetcher(web: web(over: transport)), headlines: newsAPI(over: transport),
                stocks: market(over: transport), pages: content),
            store: store, models: ModelCalls(router), now: { Timestamp(milliseconds: WallClock.milliseconds()) })
    }

    // MARK: Models

    /// The catalogue of models, and the access to their providers.
    private typealias Models = (catalogue: ModelCatalogue, configuration: ModelsConfiguration)

    private func models() throws(CommandFailure) -> Models {
        let file = settings.home + "/models.yaml"
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw .failed("\(file) cannot be read; start in Dossier's folder or set DOSSIER_HOME")
        }
        let catalogue: ModelCatalogue
        do {
            catalogue = try ModelCatalogue(parsing: text)
        } catch {
            throw .failed("\(error)")
        }
        return (
            catalogue,
            ModelsConfiguration(
                claude: settings.anthropic.configuration, gemini: settings.gemini.configuration,
                openai: settings.openAI.configuration)
        )
    }

    /// The limit on the cost of one user's calls in a day.
    private func spendCap(of models: Models, over store: any Store) -> SpendCap? {
        models.configuration.dailySpendCap.map { cap in
            SpendCap(cap) { user in
                let day: Int64 = 86_400_000
                let midnight = Timestamp(milliseconds: try await store.now().milliseconds / day * day)
                return MicroDollars(
                    rawValue: try await store.modelSpend(of: user, since: midnight))
            }
        }
    }

    /// A router for a number of jobs at once.
    private func router(
        to models: Models, over store: any Store, cap: SpendCap?, transport: HTTPClient, jobs: Int
    ) -> ModelRouter {
        var configuration = models.configuration
        // No job waits for the call of another one: only the worker's concurrency limits their number.
        configuration.concurrentCalls = max(configuration.concurrentCalls, jobs + configuration.interactiveReserve)
        return ModelRouter(
            models.catalogue, configuration: configuration, transport: transport, spendCap: cap,
            budgets: store,
            onCall: { [logger] record in
                logger.info(
                    "model call",
                    [
                        "provider": .string(record.provider.rawValue), "model": .string(record.model),
                        "outcome": .string(record.outcome), "milliseconds": .integer(record.duration.wholeMilliseconds),
                        "input_tokens": .integer(record.usage?.prompt ?? 0),
                        "output_tokens": .integer(record.usage?.output ?? 0),
                        "micro_dollars": .integer(record.cost?.rawValue ?? 0),
                    ])
                TraceScope.current?.record(record)
            })
    }

    /// `nil` where no provider of vectors is configured.
    private func embeddings(
        of models: Models, over transport: HTTPClient, limit: Duration = .seconds(60), cap: SpendCap? = nil
    ) -> EmbeddingModel? {
        EmbeddingModel(
            models.catalogue, configuration: models.configuration, over: transport, limit: limit, spendCap: cap)
    }
}

extension Settings.Provider {
    var configuration: ModelsConfiguration.Provider { ModelsConfiguration.Provider(key: key, baseURL: baseURL) }
}
