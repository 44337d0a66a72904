internal import Caching
internal import DataSources
internal import HTTP
public import HTTPServer
internal import JSON
public import JobQueue
public import Logging
internal import Metrics
public import Records
internal import Synchronization
public import Telemetry

/// The records that routes read and write.
public typealias BrokerRecords = AccountRepository & DocumentRepository & ArticleRepository & ArticleSearchRepository
    & StoryRepository & ConversationRepository & ExplanationRepository & PreferencesRepository & ArticleSignalRepository
    & BriefRepository & WatchlistRepository & RateCountRepository

/// Answers clients: takes in jobs, tells how they are doing and hands out results. It never calls a model.
///
/// Every request passes the same way: origin, identity, version, rate limit, route, envelope, log line.
public final class Broker: Sendable {
    private let configuration: BrokerConfiguration
    private let identities: Identities
    private let limiter: RateLimiter
    private let origin: OriginGuard
    private let envelopes: Envelopes
    private let logger: Logger
    private let watcher: JobWatcher
    private let health: HealthRoutes
    private let jobs: JobRoutes
    private let events: JobEvents
    private let research: ResearchRoutes
    private let analyze: AnalyzeRoutes
    private let news: NewsRoutes
    private let articles: ArticleRoutes
    private let summaries: SummaryRoutes
    private let talks: TalkRoutes
    private let conversations: ConversationRoutes
    private let preferences: PreferencesRoutes
    private let feeds: FeedRoutes
    private let account: AccountRoutes
    private let tokens: TokenRoutes
    private let stocks: StockRoutes
    private let watchlist: WatchlistRoutes
    private let operations: OperationsRoutes
    private let documents: any DocumentRepository
    private let now: @Sendable () -> Int64
    private let requestNumber = Mutex<UInt64>(0)
    private let requestPrefix: String

    /// Makes a broker; `bundle` holds the prompts, personas and kinds for new jobs, `stocks` whom it asks about stocks,
    /// `now` gives milliseconds since 1970.
    public init(
        configuration: BrokerConfiguration, store: any JobStore & StoreTallies, records: any BrokerRecords,
        bundle: CurrentBundle, news newsSources: NewsSources = NewsSources(),
        stocks sources: StockSources = StockSources(),
        now: @escaping @Sendable () -> Int64 = Logger.systemMilliseconds, logger: Logger, tracer: Tracer? = nil
    ) {
        self.configuration = configuration
        self.logger = logger
        self.now = now
        documents = records
        identities = Identities(records)
        limiter = RateLimiter(limit: configuration.rateLimit, records: records, now: now)
        if case .development = configuration.authentication {
            origin = OriginGuard(isDevelopment: true)
        } else {
            origin = OriginGuard(isDevelopment: false)
        }
        let cache = DocumentCache<DataSourceError>(repository: records, now: now)
        envelopes = Envelopes(now: now)
        watcher = JobWatcher(store: store)
        let explanations = Explanations(
            store: store, records: records, stories: StoredStories(records), bundle: bundle,
            holdings: { user throws(RecordsError) in
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
        let waiting = AwaitedJobs(jobs: jobs, patience: configuration.patience)
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
        requestPrefix = String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// Serves what waits for changes; runs until the task is cancelled.
    public func run() async {
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

    /// Answers one request.
    public var handler: RequestHandler { router.handler }

    // MARK: Routes

    public var router: Router {
        var router = Router()
        router.get("/health") { [self] request in
            await open(request) { () throws(APIError) in health.health }
        }
        router.get("/ready") { [self] request in
            await open(request) { () throws(APIError) in try await health.ready() }
        }
        router.get("/metrics") { [self] request in
            await openText(request, PrometheusText.contentType) { await operations.metrics() }
        }
        router.get("/openapi.json") { [self] request in
            await openText(request, "application/json; charset=utf-8") {
                operations.document { self.router.routes }
            }
        }
        router.group("/api/v1", middleware: []) { api in
            api.post("/auth/token") { [self] request in
                await open(request) { () throws(APIError) in try tokens.exchange(request) }
            }
            api.post("/auth/refresh") { [self] request in
                await open(request) { () throws(APIError) in try tokens.refresh(request) }
            }
            api.post("/jobs") { [self] in await answer($0) { call throws(APIError) in try await jobs.submit(call) } }
            api.get("/jobs") { [self] in await answer($0) { call throws(APIError) in try await jobs.list(call) } }
            api.get("/jobs/{id}") { [self] in await poll($0) }
            api.get("/jobs/{id}/result") { [self] in
                await answer($0, .jobReads) { call throws(APIError) in try await jobs.result(call) }
            }
            api.get("/jobs/{id}/events") { [self] in
                await respond($0, .jobReads) { call throws(APIError) in try await events.one(call) }
            }
            api.get("/events") { [self] in
                await respond($0, .jobReads) { call throws(APIError) in try await events.many(call) }
            }
            api.post("/jobs/{id}/cancel") { [self] in
                await answer($0) { call throws(APIError) in try await jobs.cancel(call) }
            }
            api.post("/jobs/{id}/retry") { [self] in
                await answer($0) { call throws(APIError) in try await jobs.retry(call) }
            }
            api.post("/research/generate") { [self] in
                await answer($0) { call throws(APIError) in try await research.generate(call) }
            }
            api.get("/research/reports") { [self] in
                await answer($0) { call throws(APIError) in try await research.list(call) }
            }
            api.get("/research/reports/{id}") { [self] in
                await answer($0, .jobReads) { call throws(APIError) in try await research.report(call) }
            }
            api.get("/research/reports/{id}/status") { [self] in
                await answer($0, .jobReads) { call throws(APIError) in try await research.status(call) }
            }
            api.get("/personas") { [self] in await answer($0) { call in research.personas(call) } }
            api.get("/news/top-headlines") { [self] in
                await answer($0) { call throws(APIError) in try await articles.topHeadlines(call) }
            }
            api.get("/news/search") { [self] in
                await answer($0) { call throws(APIError) in try await articles.find(call) }
            }
            api.get("/news/availability") { [self] in
                await answer($0) { call throws(APIError) in try await articles.availability(call) }
            }
            api.get("/news/articles/{id}") { [self] in
                await answer($0) { call throws(APIError) in try await articles.article(call) }
            }
            api.post("/news/articles/{id}/summary") { [self] in
                await answer($0) { call throws(APIError) in try await summaries.summary(call) }
            }
            api.post("/news/articles/{id}/chat") { [self] in
                await answer($0) { call throws(APIError) in try await talks.chat(call) }
            }
            api.post("/education/chat") { [self] in
                await answer($0) { call throws(APIError) in try await talks.education(call) }
            }
            api.get("/conversations") { [self] in
                await answer($0) { call throws(APIError) in try await conversations.list(call) }
            }
            api.get("/conversations/{id}") { [self] in
                await answer($0) { call throws(APIError) in try await conversations.one(call) }
            }
            api.get("/credits") { [self] in
                await answer($0) { call throws(APIError) in try await account.credits(call) }
            }
            api.get("/stocks/search") { [self] in
                await answer($0) { call throws(APIError) in try await stocks.search(call) }
            }
            api.get("/stocks/{ticker}") { [self] in
                await answer($0) { call throws(APIError) in try await stocks.stock(call) }
            }
            api.get("/stocks/{ticker}/fundamentals") { [self] in
                await answer($0) { call throws(APIError) in try await stocks.fundamentals(call) }
            }
            api.get("/watchlist") { [self] in
                await answer($0) { call throws(APIError) in try await watchlist.list(call) }
            }
            api.put("/watchlist/{ticker}") { [self] in
                await answer($0) { call throws(APIError) in try await watchlist.put(call) }
            }
            api.delete("/watchlist/{ticker}") { [self] in
                await answer($0) { call throws(APIError) in try await watchlist.delete(call) }
            }
            api.get("/users/me") { [self] in await answer($0) { call throws(APIError) in try await account.me(call) } }
        }
        router.post("/api/analyze") { [self] in
            await answerPlainly($0) { call throws(APIError) in try await analyze.analyze(call) }
        }
        router.post("/v1/interpret") { [self] in
            await answerPlainly($0) { call throws(APIError) in try await news.interpret(call) }
        }
        router.get("/v1/feed") { [self] in
            await answerPlainly($0) { call throws(APIError) in try await feeds.general(call) }
        }
        router.get("/v1/personalized-feed") { [self] in
            await answerPlainly($0) { call throws(APIError) in try await feeds.personalized(call) }
        }
        router.get("/v1/feed/story-groups") { [self] in
            await answerPlainly($0) { call throws(APIError) in try await feeds.storyGroups(call) }
        }
        router.get("/v1/brief/latest") { [self] in
            await answerPlainly($0) { call throws(APIError) in try await feeds.latestBrief(call) }
        }
        router.get("/v1/preferences") { [self] in
            await answerPlainly($0) { call throws(APIError) in try await preferences.get(call) }
        }
        router.put("/v1/preferences") { [self] in
            await answerPlainly($0) { call throws(APIError) in try await preferences.put(call) }
        }
        router.notFound = { [self] request in refuse(request, .notFound("This address")) }
        router.methodNotAllowed = { [self] request, allowed in
            refuse(request, .methodNotAllowed(allowed.map(\.rawValue)))
        }
        router.wrapRoutes { [operations] route, handler in operations.requests.counting(route, handler) }
        return router
    }

    /// What the server refuses before any route is asked, in the shape of the address.
    public func errorResponse(_ error: ServerError, at path: String?) -> ServerResponse {
        let id = newRequestID()
        let rendered: APIError =
            switch error.status {
            case 413: .tooLarge(limit: 1 << 20)
            case 503: .overloaded
            default: .badRequest("The request cannot be read: \(error).")
            }
        var response = envelopes.failure(rendered, as: ErrorShape(path: path), requestID: id)
        response.status = error.status
        return response
    }

    // MARK: The way of a request

    /// A route that needs no user.
    private func open(
        _ request: ServerRequest, _ route: () async throws(APIError) -> Reply
    ) async -> ServerResponse {
        let id = requestID(of: request)
        do {
            try origin.check(request)
            return envelopes.success(try await route(), requestID: id)
        } catch {
            return envelopes.failure(error, requestID: id)
        }
    }

    /// A text for programs that watch the service or make clients of it; it needs no user and has no envelope.
    private func openText(
        _ request: ServerRequest, _ contentType: String, _ text: () async -> String
    ) async -> ServerResponse {
        let id = requestID(of: request)
        do {
            try origin.check(request)
            return envelopes.text(await text(), type: contentType, requestID: id)
        } catch {
            return envelopes.failure(error, requestID: id)
        }
    }

    private func answer(
        _ request: ServerRequest, _ bucket: RateLimiter.Bucket = .general,
        _ route: (Call) async throws(APIError) -> Reply
    ) async -> ServerResponse {
        await respond(request, bucket) { call throws(APIError) in
            envelopes.success(try await route(call), requestID: call.requestID)
        }
    }

    /// An answer without an envelope, as the documents of the apps print it.
    private func answerPlainly(
        _ request: ServerRequest, _ route: (Call) async throws(APIError) -> Reply
    ) async -> ServerResponse {
        await respond(request, .general) { call throws(APIError) in
            envelopes.plain(try await route(call), requestID: call.requestID)
        }
    }

    private func poll(_ request: ServerRequest) async -> ServerResponse {
        await respond(request, .jobReads) { call throws(APIError) in
            switch try await jobs.read(call) {
            case .job(let reply): envelopes.success(reply, requestID: call.requestID)
            case .notModified(let headers): envelopes.empty(304, headers: headers, requestID: call.requestID)
            }
        }
    }

    private func respond(
        _ request: ServerRequest, _ bucket: RateLimiter.Bucket,
        _ route: (Call) async throws(APIError) -> ServerResponse
    ) async -> ServerResponse {
        let start = ContinuousClock.now
        let id = requestID(of: request)
        var limits: [(String, String)] = []
        var user: UserID?
        var response: ServerResponse
        do {
            try origin.check(request)
            try checkVersion(request)
            let subject = try configuration.authentication.subject(of: request)
            let known = try await identities.user(subject)
            user = known
            if let verdict = limiter.count(known, bucket) {
                limits = verdict.headers
                guard verdict.isAllowed else { throw APIError.rateLimited(retryAfter: verdict.retryAfter) }
            }
            let isOperator = configuration.authentication.isOperator(subject)
            response = try await route(
                Call(request: request, user: known, subject: subject, isOperator: isOperator, requestID: id))
        } catch {
            let error = error as? APIError ?? .internal
            response = envelopes.failure(error, as: ErrorShape(path: request.path), requestID: id)
        }
        for (name, value) in limits { response.headers.add(name, value) }
        log(request, id, user, response.status, .now - start)
        return response
    }

    private func refuse(_ request: ServerRequest, _ error: APIError) -> ServerResponse {
        let id = requestID(of: request)
        operations.requests.others.count(error.status, .zero)
        log(request, id, nil, error.status, .zero)
        return envelopes.failure(error, as: ErrorShape(path: request.path), requestID: id)
    }

    private func checkVersion(_ request: ServerRequest) throws(APIError) {
        guard let wanted = request.headers["Accept-Version"] else { return }
        guard ["1", "1.0"].contains(wanted) else {
            throw .badRequest("Accept-Version \(wanted.prefix(20)) is not served; this is \(Envelopes.apiVersion).")
        }
    }

    private func log(_ request: ServerRequest, _ id: String, _ user: UserID?, _ status: Int, _ time: Duration) {
        guard logger.writes(.debug) else { return }
        logger.debug(
            "request",
            [
                "request_id": .string(id), "method": .string(request.method.rawValue), "path": .string(request.path),
                "status": .integer(Int64(status)), "user": .integer(user?.rawValue ?? 0),
                "microseconds": .integer(time.wholeMicroseconds),
            ])
    }

    // MARK: Request ids

    /// The client's `X-Request-ID` when it is a sensible one, else a new id.
    private func requestID(of request: ServerRequest) -> String {
        if let given = request.headers["X-Request-ID"], (1...64).contains(given.utf8.count),
            given.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        {
            return given
        }
        return newRequestID()
    }

    private func newRequestID() -> String {
        let number = requestNumber.withLock { number in
            number += 1
            return number
        }
        return requestPrefix + "-" + String(number, radix: 36)
    }
}

extension Duration {
    fileprivate var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
