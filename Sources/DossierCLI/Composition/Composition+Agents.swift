import Agents
import Basics
import Broker
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
        tracer: Tracer? = nil, metrics: WorkerMetrics = WorkerMetrics()
    ) throws(CommandFailure) -> Worker {
        let models = try models()
        let books = callBooks(over: store, plans: plans)
        let router = router(
            to: models, over: store, transport: transport, jobs: configuration.concurrency, metrics: metrics)
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
        if let server = settings.feedsBaseURL {
            logger.info(
                "the feeds of jobs/ingest.yaml are read from another server, not from their own (NEWS_FEEDS_BASE_URL)",
                ["server": .string(server)])
        }
        let batches = batchDispatcher(of: models, over: store, transport: transport)
        var dependencies = try dependencies(
            over: store, transport: transport, router: router, books: books, batches: batches)
        dependencies.jobs = store
        dependencies.archiver = UserArchive(store, store, plans: plans)
        dependencies.onSourceFailure = { [logger] failure in
            logger.warning(
                "a source of news could not be read",
                [
                    "source": .string(failure.source), "problem": .string(failure.problem),
                    "failures_in_a_row": .integer(Int64(failure.inARow)),
                ])
            metrics.sourceFailed()
        }
        dependencies.embedder = embeddings(of: models, over: transport).map { ArticleEmbedder($0, books: books) }
        // A user waits for the answer, so a slow call is given up soon.
        dependencies.meaning = embeddings(of: models, over: transport, limit: .seconds(8)).map {
            MeaningSearch(PassageEmbedder($0, passages: store, books: books), passages: store, articles: store)
        }
        let process = ProcessInfo.processInfo
        var configuration = configuration
        configuration.version = BuildInfo.version
        return Worker(
            configuration: configuration, store: store,
            bundles: BundleCache(repository: store, rules: Self.rules), agents: AgentRegistry.agents(dependencies),
            host: process.hostName, providers: reachableProviders,
            missing: { [hasContact = settings.secUserAgent != nil] kind in
                Self.missing(for: kind, router: router, hasContact: hasContact)
            },
            gate: ClaimGate(
                room: { tier in
                    let room = await router.room(for: tier)
                    return ClaimGate.Room(count: room.count, wait: room.wait, held: room.held)
                }, expect: { router.expect($0, tier: $1) }, forget: { router.forget($0, tier: $1) }),
            makeID: { WorkerID(rawValue: UUID().uuidString.lowercased()) }, calls: books.running, logger: logger,
            tracer: tracer,
            workOnBatches: { await batches.work() },
            webhooks: WebhookDispatcher(
                store: store, transport: transport, configuration: settings.webhooks,
                makeLease: { UUID().uuidString.lowercased() }, logger: logger, metrics: metrics), metrics: metrics)
    }

    /// Model calls by batch, with the providers that this process can reach.
    private func batchDispatcher(of models: Models, over store: any Store, transport: HTTPClient) -> BatchDispatcher {
        BatchDispatcher(
            models.catalogue, configuration: models.configuration, transport: transport, store: store,
            now: { () async throws(StoreError) in try await store.now() },
            makeID: { UUID().uuidString.lowercased() }, onEvent: { [logger] in logger.note($0) })
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
    /// requests: the journal has the outputs of all steps that made some, and the text of filings is stored. Nor do
    /// they make vectors, since a job of a worker without them has no such step. Agents without prompts are left out.
    func replayingAgents(
        through steps: [Step], over store: any Store, transport: HTTPClient
    ) throws(CommandFailure) -> [String: any Agent] {
        let models = try models()
        let router = router(to: models, over: store, transport: transport, jobs: 1)
        var dependencies = try dependencies(over: store, transport: transport, router: router)
        // A report of an earlier version has read none.
        let readers = [ResearchAgent.filingsStep, ResearchAgent.readingStep]
        if steps.contains(where: { readers.contains($0.name) }) {
            dependencies.filings = FilingLibrary(nil, documents: store, budgets: store)
        }
        return AgentRegistry.agents(dependencies)
            .filter { AgentRegistry.requirements[$0.key]?.prompts.isEmpty == false }
    }

    private func dependencies(
        over store: any Store, transport: HTTPClient, router: ModelRouter, books: CallBooks = .none,
        batches: BatchDispatcher? = nil
    ) throws(CommandFailure) -> AgentDependencies {
        let content = content(over: transport)
        let edgar = try edgar(over: transport, store)
        var dependencies = AgentDependencies(
            companies: edgar ?? UnconfiguredFilings(), market: market(over: transport), content: content,
            news: NewsFetcher(
                feeds: FeedFetcher(web: web(over: transport), mirror: settings.feedsBaseURL),
                headlines: newsAPI(over: transport), stocks: market(over: transport),
                pages: PageCrawler(web: web(over: transport))),
            store: store, models: ModelCalls(router, books: books, sharers: CacheSharers(store), batches: batches),
            now: { Timestamp(milliseconds: WallClock.milliseconds()) })
        // What goes through a journal again fetches nothing.
        if batches != nil { dependencies.filings = edgar.map { FilingLibrary($0, documents: store, budgets: store) } }
        dependencies.history = prices(over: transport).map {
            PriceHistory($0, documents: store, now: WallClock.milliseconds)
        }
        return dependencies
    }

    // MARK: Models

    /// The catalogue of models, and the access to their providers.
    private typealias Models = (catalogue: ModelCatalogue, configuration: ModelsConfiguration)

    /// The content of `models.yaml`.
    static func catalogue(_ settings: Settings) throws(CommandFailure) -> ModelCatalogue {
        let file = settings.home + "/models.yaml"
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw .failed("\(file) cannot be read; start in Dossier's folder or set DOSSIER_HOME")
        }
        do {
            return try ModelCatalogue(parsing: text)
        } catch {
            throw .failed("\(error)")
        }
    }

    /// The budgets and the clocks of `models.yaml`, for metrics and operators. A broker that never calls a model starts
    /// without that file.
    func monitoredModels() -> (budgets: [MonitoredBudget], clocks: ProviderView.Clocks) {
        do {
            let catalogue = try Self.catalogue(settings)
            return (
                catalogue.monitoredBudgets,
                { model, latencies in
                    (catalogue.models[model]?.clocks(of: latencies) ?? []).map { reading in
                        ModelClock(
                            name: reading.clock.rawValue, median: reading.median, p95: reading.p95,
                            limit: reading.limit, interactiveLimit: reading.interactiveLimit)
                    }
                }
            )
        } catch {
            logger.warning("metrics lack the providers' budgets", ["reason": .string(error.text)])
            return ([], { _, _ in [] })
        }
    }

    /// The models of `routes.yaml` that `models.yaml` does not have, or has without prices.
    static func routeProblems(_ bundle: Prompts.Bundle, _ settings: Settings) throws(CommandFailure) -> [BundleProblem]
    {
        guard !bundle.routes.entries.isEmpty else { return [] }
        return bundle.routes.problems(with: try catalogue(settings).models.mapValues(\.hasPrices))
    }

    private func models() throws(CommandFailure) -> Models {
        (
            try Self.catalogue(settings),
            ModelsConfiguration(
                claude: settings.anthropic.configuration, gemini: settings.gemini.configuration,
                openai: settings.openAI.configuration)
        )
    }

    /// The books of a worker's model calls, with the limits of the plans that hold at each call.
    private func callBooks(over store: any Store, plans: CurrentPlans) -> CallBooks {
        let warnings = SpendWarnings(logger: logger)
        let users = UserPlans(plans, records: store)
        return CallBooks(
            store, limits: { SpendLimits(plans.value, await users.plan(of: $0), for: $0) },
            onBooking: { warnings.note($0) })
    }

    /// A router for a number of jobs at once.
    private func router(
        to models: Models, over store: any Store, transport: HTTPClient, jobs: Int,
        metrics: WorkerMetrics = WorkerMetrics()
    ) -> ModelRouter {
        var configuration = models.configuration
        // No job waits for the call of another one: only the worker's concurrency limits their number.
        configuration.concurrentCalls = max(configuration.concurrentCalls, jobs + configuration.interactiveReserve)
        return ModelRouter(
            models.catalogue, configuration: configuration, transport: TracedTransport(transport: transport),
            budgets: store, documents: store,
            onBreaker: { [logger] in logger.note($0) },
            onCacheMiss: { [logger] miss in
                logger.warning(
                    "a prompt's beginning was twice not read from the provider's cache",
                    [
                        "model": .string(miss.model), "mark": .string(miss.mark), "prefix": .string(miss.hash),
                        "tokens": .integer(miss.tokens),
                    ])
            },
            onCall: { [logger] record in
                let trace = TraceScope.current?.trace.description
                let line = logger.with(record.origin).with(trace: trace)
                let fields: KeyValuePairs<String, LogValue> = [
                    "provider": .string(record.provider.rawValue), "model": .string(record.model),
                    "prompt": .string(record.prompt ?? ""), "outcome": .string(record.outcome),
                    "problem": .string(record.problem ?? ""), "hedge_of": .string(record.hedgeOf ?? ""),
                    "provider_request_id": .string(record.requestID ?? ""),
                    "milliseconds": .integer(record.duration.wholeMilliseconds),
                    "input_tokens": .integer(record.usage?.prompt ?? 0),
                    "cache_read_tokens": .integer(record.usage?.cacheRead ?? 0),
                    "cache_write_tokens": .integer(
                        (record.usage?.cacheWrite5m ?? 0) + (record.usage?.cacheWrite1h ?? 0)),
                    "output_tokens": .integer(record.usage?.output ?? 0),
                    "micro_dollars": .integer(record.cost?.rawValue ?? 0),
                ]
                // A key or an account that an operator has to mend, which other providers hide.
                if ["authentication", "quota_exhausted"].contains(record.outcome) {
                    line.warning("model call", fields)
                } else {
                    line.info("model call", fields)
                }
                TraceScope.current?.record(record)
                metrics.called(WorkerMetrics.Call(record))
            })
    }

    /// `nil` where no provider of vectors is configured.
    private func embeddings(
        of models: Models, over transport: HTTPClient, limit: Duration = .seconds(60)
    ) -> EmbeddingModel? {
        EmbeddingModel(
            models.catalogue, configuration: models.configuration, over: TracedTransport(transport: transport),
            limit: limit,
            onBreaker: { [logger] in logger.note($0) })
    }
}

extension WorkerMetrics.Call {
    fileprivate init(_ record: CallRecord) {
        self.init(
            provider: record.provider.rawValue, model: record.model,
            error: record.outcome == "answered" ? nil : record.outcome, duration: record.duration,
            firstText: record.firstText, inputTokens: record.usage?.prompt, outputTokens: record.usage?.output,
            isFallback: record.isFallback)
    }
}

extension Logger {
    fileprivate func note(_ change: BreakerChange) {
        let fields: KeyValuePairs<String, LogValue> = [
            "provider": .string(change.provider.rawValue), "model": .string(change.model ?? "all"),
        ]
        if change.isOpen {
            warning("model stopped after stalls or failures", fields)
        } else {
            info("model answers again", fields)
        }
    }

    /// A logger whose lines name a trace, which may be that of a client and not the job's own.
    fileprivate func with(trace: String?) -> Logger { trace.map { with(["trace_id": .string($0)]) } ?? self }

    /// A logger whose lines name the place in a job, under the names of the worker's other lines.
    fileprivate func with(_ origin: CallOrigin?) -> Logger {
        guard let origin else { return self }
        return with(
            job: origin.job.description, attempt: origin.attempt, step: origin.step, requestID: origin.requestID)
    }
}

extension Logger {
    fileprivate func note(_ event: BatchEvent) {
        switch event {
        case .sealed(let batch):
            info(
                "sealed a batch of model calls",
                [
                    "batch": .string(batch.id), "provider": .string(batch.provider), "model": .string(batch.model),
                    "lines": .integer(Int64(batch.lines)),
                ])
        case .changed(let before, let batch, let problem):
            let isOdd = batch.state == .unclear || batch.state == .refused
            let fields: KeyValuePairs<String, LogValue> = [
                "batch": .string(batch.id), "provider": .string(batch.provider), "model": .string(batch.model),
                "provider_id": .string(batch.providerID ?? ""), "before": .string(before.rawValue),
                "state": .string(batch.state.rawValue), "problem": .string(problem ?? ""),
            ]
            if isOdd { warning("batch of model calls", fields) } else { info("batch of model calls", fields) }
        case .settled(let batch, let answered, let again, let failed, let cost):
            info(
                "collected a batch of model calls",
                [
                    "batch": .string(batch.id), "provider": .string(batch.provider), "model": .string(batch.model),
                    "answered": .integer(Int64(answered)), "again": .integer(Int64(again)),
                    "failed": .integer(Int64(failed)), "micro_dollars": .integer(cost.rawValue),
                ])
        case .failed(let batch, let reason):
            warning("cannot work on batches", ["batch": .string(batch ?? ""), "reason": .string(reason)])
        }
    }
}

extension Settings.Provider {
    var configuration: ModelsConfiguration.Provider { ModelsConfiguration.Provider(key: key, baseURL: baseURL) }
}
