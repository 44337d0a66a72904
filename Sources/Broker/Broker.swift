internal import DataSources
package import JobQueue
package import Observability

/// The records that routes read and write.
package typealias BrokerRecords = AccountRepository & DocumentRepository & ArticleRepository & ArticleSearchRepository
    & StoryRepository & ConversationRepository & ExplanationRepository & PreferencesRepository & ArticleSignalRepository
    & BriefRepository & WatchlistRepository & RateCountRepository

/// Answers clients: takes in jobs, tells how they are doing and hands out results. It never calls a model.
///
/// It is put together here; `router` says what it serves, and `RequestPipeline` how each request passes.
package final class Broker: Sendable {
    let pipeline: RequestPipeline
    private let limiter: RateLimiter
    private let watcher: JobWatcher
    let health: HealthRoutes
    let jobs: JobRoutes
    let events: JobEvents
    let research: ResearchRoutes
    let analyze: AnalyzeRoutes
    let news: NewsRoutes
    let articles: ArticleRoutes
    let summaries: SummaryRoutes
    let talks: TalkRoutes
    let conversations: ConversationRoutes
    let preferences: PreferencesRoutes
    let feeds: FeedRoutes
    let account: AccountRoutes
    let tokens: TokenRoutes
    let stocks: StockRoutes
    let watchlist: WatchlistRoutes
    let operations: OperationsRoutes
    private let documents: any DocumentRepository
    private let now: @Sendable () -> Int64

    /// Makes a broker; `bundle` holds the prompts, personas and kinds for new jobs, `stocks` whom it asks about stocks,
    /// `now` gives milliseconds since 1970.
    package init(
        configuration: BrokerConfiguration, store: any JobStore & StoreTallies, records: any BrokerRecords,
        bundle: CurrentBundle, news newsSources: NewsSources = NewsSources(),
        stocks sources: StockSources = StockSources(),
        now: @escaping @Sendable () -> Int64 = Logger.systemMilliseconds, logger: Logger, tracer: Tracer? = nil
    ) {
        self.now = now
        documents = records
        limiter = RateLimiter(limit: configuration.rateLimit, records: records, now: now)
        let cache = DocumentCache<DataSourceError>(repository: records, now: now)
        let envelopes = Envelopes(now: now)
        watcher = JobWatcher(store: store)
        let explanations = Explanations(
            store: store, records: records, stories: StoredStories(records), bundle: bundle,
            holdings: { user throws(StoreError) in
                try await records.preferences(of: user.rawValue).holdings.map(\.ticker)
            }, spendCap: configuration.explanationSpendCap, now: now, logger: logger)
        health = HealthRoutes(store: store)
        jobs = JobRoutes(
            store: store,
            submitter: Submitter(
                store: store, bundle: bundle, explanations: explanations,
                startingCredits: configuration.startingCredits, now: now, tracer: tracer),
            watcher: watcher, now: now)
        events = JobEvents(jobs: jobs, envelopes: envelopes)
        research = ResearchRoutes(jobs: jobs, bundle: bundle)
        let waiting = AwaitedJobs(jobs: jobs, timeout: configuration.timeout)
        analyze = AnalyzeRoutes(waiting: waiting)
        news = NewsRoutes(waiting: waiting)
        conversations = ConversationRoutes(repository: records)
        let availability = ModelAvailability(areConfigured: newsSources.modelsAreConfigured)
        let known = KnownArticles(records: records)
        articles = ArticleRoutes(
            headlines: HeadlineReader(
                newsAPI: newsSources.newsAPI, records: records,
                cache: cache, now: now, logger: logger),
            articles: known, search: records, availability: availability, health: health, now: now)
        summaries = SummaryRoutes(
            waiting: waiting, articles: known, documents: records, availability: availability)
        talks = TalkRoutes(waiting: waiting, conversations: conversations, availability: availability)
        preferences = PreferencesRoutes(preferences: records)
        feeds = FeedRoutes(records: records, explanations: explanations, now: now)
        account = AccountRoutes(store: store, accounts: records, startingCredits: configuration.startingCredits)
        tokens = TokenRoutes(authentication: configuration.authentication)
        let reader = StockReader(sources: sources, cache: cache)
        stocks = StockRoutes(reader: reader)
        watchlist = WatchlistRoutes(records: records, reader: reader)
        operations = OperationsRoutes(store: store, health: health, cache: cache, now: now)
        pipeline = RequestPipeline(
            authentication: configuration.authentication, identities: Identities(records), limiter: limiter,
            envelopes: envelopes, requests: operations.requests, logger: logger)
    }

    /// Serves what waits for changes; runs until the task is cancelled.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { await self.watcher.run() }
            group.addTask { await self.limiter.run() }
            group.addTask { await self.deleteOldDocuments() }
        }
    }

    /// Deletes documents of the cache that may not be used any more, from time to time.
    private func deleteOldDocuments() async {
        let portion = 500
        while (try? await Task.sleep(for: .seconds(600))) != nil {
            while (try? await documents.deleteDocuments(keptUntilBefore: now(), limit: portion)) == portion {}
        }
    }

    /// Tells other brokers at once what was counted, instead of within a second.
    func exchangeCounts() async { await limiter.exchange() }
}
