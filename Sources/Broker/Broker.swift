internal import Basics
internal import DataSources
package import JobQueue
package import Observability

/// The records that routes read and write.
package typealias BrokerRecords = AccountRepository & DocumentRepository & ArticleRepository & ArticleSearchRepository
    & StoryRepository & ConversationRepository & RecallRepository & ExplanationRepository & PreferencesRepository
    & ArticleSignalRepository & BriefRepository & WatchlistRepository & RateCountRepository & SharedWorkRepository
    & UsageRepository & SessionRepository
    & APIKeyRepository & AuditRepository & CreditRepository & PlanRepository & MonthlyCreditRepository
    & UserDeletionRepository & ErasureRepository & ExportRepository & WebhookRepository & WorkerAdministration
    & JobAdministration & BundleRepository & BatchStore & PauseRepository
    & OperationRepository

/// The settings of a broker.
package struct BrokerConfiguration: Sendable {
    package var authentication: Authentication = .development
    /// The users of this broker's database, where the service has several.
    package var slots = UserSlots.all
    /// Web pages of other origins that may call.
    package var cors = CORSPolicy()
    /// The limits of users and of the service, which a reload may replace.
    package var plans = CurrentPlans()
    /// The longest time that a request waits for the result of its job.
    package var timeout: Duration = .seconds(60)
    /// The time after which an event stream ends; its client may reconnect.
    package var streamLifetime: Duration = .seconds(900)
    /// The number of streams and waiting requests of all users together. Below the server's limit of connections.
    package var heldRequests = 8000
    /// Whether operators have a listener of their own, which alone serves `/metrics`.
    package var hasAdminListener = false
    /// The address by which clients reach the service, for its description.
    package var publicURL: String?
    /// Private hosts and blocks that endpoints of webhooks may have.
    package var webhookHosts: [String] = []
    /// The budgets of `models.yaml`, for metrics.
    package var budgets: [MonitoredBudget] = []
    /// Whether browsers get the console.
    package var hasConsole = true
    /// Whether the models are the simulator's, which the console says.
    package var isSimulated = false
    /// Makes the requests of model calls again, for operators.
    package var callRequests: (any CallRequestSource)?
    /// The cases of the prompts, for operators.
    package var suite: (any PromptSuite)?
    /// The clocks of the models of `models.yaml`, for operators.
    package var clocks: ProviderView.Clocks = { _, _ in [] }
    /// The metrics of this process beside those of its requests.
    package var writeProcessMetrics: @Sendable (inout PrometheusText) -> Void = { _ in }

    package init() {}
}

/// Answers clients: takes jobs, reports their progress and returns results. It never calls a model.
///
/// The initialiser wires the parts together; `router` lists the routes, and `RequestPipeline` has the steps that each
/// request passes.
package final class Broker: Sendable {
    let pipeline: RequestPipeline
    private let limiter: RateLimiter
    let held: HeldRequests
    private let workers: WorkerMonitor
    private let failures: FailureLog
    let hasAdminListener: Bool
    let cors: CORSPolicy
    let bundle: CurrentBundle
    private let watcher: JobWatcher
    let jobs: JobRoutes
    let events: JobEventRoutes
    let research: ResearchRoutes
    let comparisons: ComparisonRoutes
    let analysis: AnalysisRoutes
    let forecasts: ForecastRoutes
    let articles: ArticleRoutes
    let summaries: SummaryRoutes
    let chats: ChatRoutes
    let conversations: ConversationRoutes
    let recall: RecallRoutes
    let preferences: PreferencesRoutes
    let feeds: FeedRoutes
    let account: AccountRoutes
    /// `nil` where requests are not authenticated by tokens of this service.
    let sessions: SessionRoutes?
    private let access: AccessList
    private let keyAccess: APIKeyAccess
    let apiKeys: APIKeyRoutes
    let grants: GrantRoutes
    let deletions: DeletionRoutes
    let erasures: ErasureRoutes
    let exports: ExportRoutes
    let credits: CreditRoutes
    let planRoutes: PlanRoutes
    private let months: MonthlyGrants
    let stocks: StockRoutes
    let filings: FilingRoutes
    let watchlist: WatchlistRoutes
    let operations: OperationsRoutes
    let webhooks: WebhookRoutes
    let kinds: KindRoutes
    let workerAdmin: WorkerAdminRoutes
    let jobAdmin: JobAdminRoutes
    let pauses: PauseRoutes
    let bulk: OperationAdminRoutes
    private let runner: OperationRunner
    let records: RecordAdminRoutes
    let content: ContentAdminRoutes
    let callRequests: CallRequestRoutes
    let suite: SuiteRoutes
    let providerAdmin: ProviderAdminRoutes
    let console: ConsoleRoutes
    private let documents: any DocumentRepository
    private let now: @Sendable () -> Timestamp

    /// Makes a broker. `bundle` has the prompts, personas and kinds for new jobs; `now` gives milliseconds since 1970.
    package init(
        configuration: BrokerConfiguration, store: any JobStore & JobCounting & ModelMonitoring & StoreAdministration,
        records: any BrokerRecords,
        bundle: CurrentBundle, news newsSources: NewsSources = NewsSources(),
        stocks stockSources: StockSources = StockSources(),
        now milliseconds: @escaping @Sendable () -> Int64 = WallClock.milliseconds, logger: Logger,
        tracer: Tracer? = nil
    ) {
        let now: @Sendable () -> Timestamp = { Timestamp(milliseconds: milliseconds()) }
        self.now = now
        documents = records
        limiter = RateLimiter(plans: configuration.plans, records: records, now: now)
        held = HeldRequests(plans: configuration.plans, limit: configuration.heldRequests)
        failures = FailureLog(logger: logger, now: now)
        hasAdminListener = configuration.hasAdminListener
        cors = configuration.cors
        watcher = JobWatcher(store: store)
        workers = WorkerMonitor(store: store)
        let cache = DocumentCache<DataSourceError>(repository: records, now: milliseconds)
        let allowance = SharedWorkAllowance(plans: configuration.plans, records: records, now: now)
        let gate = SpendGate(store: store, plans: configuration.plans, now: now)
        let explanations = Explanations(
            store: store, records: records, stories: RepositoryStoryReader(records), bundle: bundle,
            holdings: { user throws(StoreError) in
                try await records.preferences(of: user).holdings.map(\.ticker)
            }, gate: gate, allowance: allowance, now: now, logger: logger)
        let trainings = TrainingAllowance()
        let plans = UserPlans(configuration.plans, records: records)
        months = MonthlyGrants(records: records, plans: configuration.plans, now: now, logger: logger)
        let readers = Readers(preferences: records)
        let board = PauseBoard(records)
        let service = JobService(
            store: store,
            submitter: Submitter(
                store: store, bundle: bundle, explanations: explanations,
                plans: configuration.plans, months: months, gate: gate,
                usage: UsageLimiter(plans: configuration.plans, records: records), records: records,
                trainings: trainings, readers: readers, articles: ArticleLookup(records: records),
                now: now, tracer: tracer),
            watcher: watcher, workers: workers, pauses: board, held: held,
            recent: RecentAnswers(documents: records, now: now), timeout: configuration.timeout, now: now)
        let reader = StockReader(
            sources: stockSources, cache: cache, calls: SourceCallLimiter(plans: configuration.plans, now: now),
            now: milliseconds)
        jobs = JobRoutes(jobs: service, held: held, reader: reader, now: now) { [records] () async throws(StoreError) in
            BatchTimes.estimate(recent: try await records.batchTimes(limit: 50))
        }
        events = JobEventRoutes(jobs: service, held: held, lifetime: configuration.streamLifetime, now: now)
        let availability = ModelAvailability(areConfigured: newsSources.modelsAreConfigured)
        analysis = AnalysisRoutes(jobs: service, availability: availability) { user throws(StoreError) in
            try await records.preferences(of: user).holdings.map(\.ticker)
        }
        forecasts = ForecastRoutes(jobs: service, documents: records, now: now, allowance: trainings)
        let lookup = ArticleLookup(records: records)
        articles = ArticleRoutes(
            headlines: HeadlineReader(
                newsAPI: newsSources.newsAPI, records: records, cache: cache, now: now, logger: logger),
            articles: lookup, index: records, availability: availability, workers: workers, readers: readers,
            now: now)
        summaries = SummaryRoutes(
            jobs: service, articles: lookup, documents: records, availability: availability, allowance: allowance,
            readers: readers, now: now)
        conversations = ConversationRoutes(repository: records)
        chats = ChatRoutes(jobs: service, conversations: conversations, availability: availability)
        recall = RecallRoutes(
            cards: records, usage: records, plans: configuration.plans, jobs: service, availability: availability,
            now: now)
        preferences = PreferencesRoutes(preferences: records)
        feeds = FeedRoutes(records: records, explanations: explanations, readers: readers, now: now)
        account = AccountRoutes(
            store: store, accounts: records, plans: configuration.plans, months: months, now: now)
        grants = GrantRoutes(
            credits: records, accounts: records, slots: configuration.slots, plans: plans, months: months)
        credits = CreditRoutes(
            store: store, credits: records, plans: configuration.plans, months: months, now: now)
        planRoutes = PlanRoutes(
            accounts: records, plans: plans, current: configuration.plans, months: months)
        deletions = DeletionRoutes(store: store, records: records)
        let users = UserCache(records, slots: configuration.slots)
        let keys = APIKeyAccess(records, now: now)
        keyAccess = keys
        access = AccessList(records, now: now) { [limiter] user in
            users.forget()
            guard let user else { return }
            keys.revoke(madeBy: user)
            limiter.forget(user)
            plans.forget(user)
        }
        erasures = ErasureRoutes(
            records: records, eraser: UserEraser(store, records), access: access,
            accounts: records, now: now, logger: logger)
        exports = ExportRoutes(jobs: service, records: records, held: held, now: now)
        apiKeys = APIKeyRoutes(
            keys: records, access: keyAccess,
            maker: APIKeyMaker(secrets: configuration.authentication.tokens?.secrets(for: "api keys") ?? []))
        if case .jwt(let tokens) = configuration.authentication {
            sessions = SessionRoutes(
                service: SessionService(
                    tokens: tokens, sessions: records, users: users, access: access, plans: plans, months: months,
                    logger: logger),
                authentication: configuration.authentication)
        } else {
            sessions = nil
        }
        self.bundle = bundle
        research = ResearchRoutes(
            jobs: service, bundle: bundle, reader: reader, times: UsualTimes(store: store, now: now))
        comparisons = ComparisonRoutes(jobs: service, reader: reader)
        stocks = StockRoutes(reader: reader)
        filings = FilingRoutes(reader: reader)
        watchlist = WatchlistRoutes(records: records, reader: reader)
        kinds = KindRoutes(bundle: bundle, pauses: board)
        pauses = PauseRoutes(records: records, board: board, bundle: bundle, logger: logger)
        workerAdmin = WorkerAdminRoutes(store: records)
        let providers = ProviderView(
            store, records, budgets: configuration.budgets, clocks: configuration.clocks)
        let view = OperatorView(
            store, records, limits: { bundle.limits },
            closedProviders: { () async throws(StoreError) in try await providers.closedProviders() },
            refused: { bundle.refused })
        jobAdmin = JobAdminRoutes(
            store: store, accounts: records, audit: records, view: view, plans: configuration.plans)
        bulk = OperationAdminRoutes(records: records, view: view)
        runner = OperationRunner(store: store, records: records, logger: logger)
        content = ContentAdminRoutes(records: records)
        callRequests = CallRequestRoutes(
            store: store, records: records, audit: records, source: configuration.callRequests)
        suite = SuiteRoutes(suite: configuration.suite, audit: records)
        providerAdmin = ProviderAdminRoutes(view: providers)
        self.records = RecordAdminRoutes(
            store: store, records: records, plans: configuration.plans, userPlans: plans, access: access)
        webhooks = WebhookRoutes(
            store: records, plans: configuration.plans, allowing: configuration.webhookHosts, now: now)
        operations = OperationsRoutes(
            store: store, workers: workers, cache: cache, plans: configuration.plans, budgets: configuration.budgets,
            publicURL: configuration.publicURL, held: held, records: records,
            writeProcess: configuration.writeProcessMetrics)
        pipeline = RequestPipeline(
            authentication: configuration.authentication, cors: configuration.cors, users: users, access: access,
            apiKeys: keyAccess, limiter: limiter, plans: plans,
            signIns: SignInLimiter(plans: configuration.plans, now: now), renderer: ResponseRenderer(now: now),
            requests: operations.requests, failures: failures, logger: logger)
        console = ConsoleRoutes(
            isOn: configuration.hasConsole, pipeline: pipeline,
            session: ConsoleSession(
                pipeline: pipeline, sessions: sessions, bundle: bundle, isSimulated: configuration.isSimulated))
    }

    /// Lets `/ready` say that the process stops, so that a proxy sends nothing new to it while its workers drain.
    package func announceStop() { operations.announceStop() }

    /// The metrics of `/metrics`, in Prometheus's text format.
    package func metricsText() async -> String { await operations.text() }

    /// Runs the broker's background work until the task is cancelled.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { await self.watcher.run() }
            group.addTask { await self.watchWorkers() }
            group.addTask { await self.limiter.run() }
            group.addTask { await self.months.run() }
            group.addTask { await self.operations.run() }
            group.addTask { await self.deleteOldDocuments() }
            group.addTask { await self.flushFailures() }
            group.addTask { await self.refreshProviderKeys() }
            group.addTask { await self.access.run() }
            group.addTask { await self.keyAccess.run() }
            group.addTask { await self.erasures.run() }
            group.addTask { await self.pauses.run() }
            group.addTask { await self.runner.run() }
        }
    }

    /// Lets waiting requests look again when workers come, go, or can run other kinds, which changes no revision.
    private func watchWorkers() async {
        var last: WorkerMonitor.Fleet?
        while (try? await Task.sleep(for: .seconds(2))) != nil {
            guard watcher.isWatching, let fleet = await workers.fleet(within: .seconds(1)) else { continue }
            if last.map(fleet.runsOtherKinds) ?? true { watcher.signalAll() }
            last = fleet
        }
    }

    /// Deletes expired documents of the cache every ten minutes.
    private func deleteOldDocuments() async {
        let batch = 500
        while (try? await Task.sleep(for: .seconds(600))) != nil {
            while (try? await documents.deleteDocuments(keptUntilBefore: now(), limit: batch)) == batch {}
        }
    }

    /// Reads the keys of the identity provider again when they are due.
    private func refreshProviderKeys() async {
        guard case .jwt(let tokens) = pipeline.authentication, let keys = tokens.provider.keys else { return }
        while (try? await Task.sleep(for: .seconds(1))) != nil { await keys.refreshIfDue() }
    }

    /// Writes the counts of lines that a flood of failures left out, when no further failure does so.
    private func flushFailures() async {
        while (try? await Task.sleep(for: .seconds(30))) != nil { failures.flush() }
    }

    /// Stores the last uses of API keys at once, instead of within two seconds.
    func storeKeyUses() async { await keyAccess.storeUses() }

    /// Exchanges request counts with other brokers at once, instead of within a second.
    func exchangeCounts() async { await limiter.exchange() }
}
