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
        let books = callBooks(over: store, plans: plans)
        let router = router(to: models, over: store, transport: transport, jobs: configuration.concurrency)
        for tier in Self.rules.tiers.sorted() where !router.canServe(tier) {
            logger.warning(
                "no model can be reached: set ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENAI_BASE_URL; jobs that need one are left to other workers",
                ["tier": .string(tier)])
        }
        if settings.secUserAgent == nil {
            logger.warning(
                "SEC_USER_AGENT is not set; research jobs are left to other workers, since the SEC wants to know who asks"
            )
        }
        var dependencies = try dependencies(over: store, transport: transport, router: router, books: books)
        dependencies.embedder = embeddings(of: models, over: transport).map { ArticleEmbedder($0, books: books) }
        // A user waits for the answer, so a slow call is given up soon.
        dependencies.meaning = embeddings(of: models, over: transport, limit: .seconds(8)).map {
            MeaningSearch(PassageEmbedder($0, passages: store, books: books), passages: store, articles: store)
        }
        let process = ProcessInfo.processInfo
        return Worker(
            configuration: configuration, store: store,
            bundles: BundleCache(repository: store, rules: Self.rules), agents: AgentRegistry.agents(dependencies),
            host: process.hostName, providers: reachableProviders,
            missing: { [hasContact = settings.secUserAgent != nil] kind in
                Self.missing(for: kind, router: router, hasContact: hasContact)
            },
            makeID: { WorkerID(rawValue: UUID().uuidString.lowercased()) }, logger: logger, tracer: tracer)
    }

    /// The providers of models that this process can reach.
    private var reachableProviders: [String] {
        [
            ("claude", settings.anthropic.key != nil || settings.anthropic.baseURL != nil),
            ("gemini", settings.gemini.key != nil || settings.gemini.baseURL != nil),
            ("openai", settings.openAI.key != nil || settings.openAI.baseURL != nil),
        ].filter(\.1).map(\.0)
    }

    /// Why a worker with these means cannot run jobs of a kind; `nil` when it can.
    private static func missing(for kind: JobKind, router: ModelRouter, hasContact: Bool) -> String? {
        if !kind.prompts.isEmpty, !router.canServe(kind.tier) {
            return "no model of tier '\(kind.tier)' can be reached"
        }
        if !hasContact, AgentRegistry.readFilings.contains(kind.agent) { return "SEC_USER_AGENT is not set" }
        return nil
    }

    /// Agents that go through the journal of a finished job again, to find the prompts that it used. They make no
    /// requests: the journal has the outputs of all steps that made some. Nor do they make vectors, since a job of a
    /// worker without them has no such step. Agents without prompts are left out.
    func replayingAgents(over store: any Store, transport: HTTPClient) throws(CommandFailure) -> [String: any Agent] {
        let models = try models()
        let router = router(to: models, over: store, transport: transport, jobs: 1)
        return AgentRegistry.agents(try dependencies(over: store, transport: transport, router: router))
            .filter { AgentRegistry.requirements[$0.key]?.prompts.isEmpty == false }
    }

    private func dependencies(
        over store: any Store, transport: HTTPClient, router: ModelRouter, books: CallBooks = .none
    ) throws(CommandFailure) -> AgentDependencies {
        let content = content(over: transport)
        return AgentDependencies(
            companies: try filings(over: transport), market: market(over: transport), content: content,
            news: NewsFetcher(
                feeds: FeedFetcher(web: web(over: transport)), headlines: newsAPI(over: transport),
                stocks: market(over: transport), pages: content),
            store: store, models: ModelCalls(router, books: books),
            now: { Timestamp(milliseconds: WallClock.milliseconds()) })
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

    /// The books of a worker's model calls, with the limits of the plans that hold at each call.
    private func callBooks(over store: any Store, plans: CurrentPlans) -> CallBooks {
        let warnings = SpendWarnings(logger: logger)
        return CallBooks(store, limits: { SpendLimits(plans.value, for: $0) }, onBooking: { warnings.note($0) })
    }

    /// A router for a number of jobs at once.
    private func router(
        to models: Models, over store: any Store, transport: HTTPClient, jobs: Int
    ) -> ModelRouter {
        var configuration = models.configuration
        // No job waits for the call of another one: only the worker's concurrency limits their number.
        configuration.concurrentCalls = max(configuration.concurrentCalls, jobs + configuration.interactiveReserve)
        return ModelRouter(
            models.catalogue, configuration: configuration, transport: transport, budgets: store,
            onBreaker: { [logger] change in
                let fields: KeyValuePairs<String, LogValue> = [
                    "provider": .string(change.provider.rawValue), "model": .string(change.model ?? "all"),
                ]
                if change.isOpen {
                    logger.warning("model stopped after stalls or failures", fields)
                } else {
                    logger.info("model answers again", fields)
                }
            },
            onCall: { [logger] record in
                logger.with(record.origin).info(
                    "model call",
                    [
                        "provider": .string(record.provider.rawValue), "model": .string(record.model),
                        "outcome": .string(record.outcome), "problem": .string(record.problem ?? ""),
                        "provider_request_id": .string(record.requestID ?? ""),
                        "milliseconds": .integer(record.duration.wholeMilliseconds),
                        "input_tokens": .integer(record.usage?.prompt ?? 0),
                        "output_tokens": .integer(record.usage?.output ?? 0),
                        "micro_dollars": .integer(record.cost?.rawValue ?? 0),
                    ])
                TraceScope.current?.record(record)
            })
    }

    /// `nil` where no provider of vectors is configured.
    private func embeddings(
        of models: Models, over transport: HTTPClient, limit: Duration = .seconds(60)
    ) -> EmbeddingModel? {
        EmbeddingModel(
            models.catalogue, configuration: models.configuration, over: transport, limit: limit)
    }
}

extension Logger {
    /// A logger whose lines name the place in a job, under the names of the worker's other lines.
    fileprivate func with(_ origin: CallOrigin?) -> Logger {
        guard let origin else { return self }
        return with(
            job: origin.job.description, attempt: origin.attempt, step: origin.step, requestID: origin.requestID)
    }
}

extension Settings.Provider {
    var configuration: ModelsConfiguration.Provider { ModelsConfiguration.Provider(key: key, baseURL: baseURL) }
}
