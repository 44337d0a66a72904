internal import HTTP
package import HTTPServer
internal import JobQueue

extension Broker {
    /// Answers one request.
    package var handler: RequestHandler {
        cors.sharing(GzipEncoding.encoding(console.serving(router.handler, servesOperators: !hasAdminListener)))
    }

    /// Decides about a request with a body before the body is read.
    package var headCheck: HeadCheck { cors.sharing(console.serving(router.headCheck)) }

    /// Answers the requests of operators on their own listener, which is reached from inside the network alone.
    package var adminHandler: RequestHandler {
        cors.sharing(GzipEncoding.encoding(console.serving(adminRouter.handler, servesOperators: true)))
    }

    /// Decides about the bodies of operators' requests.
    package var adminHeadCheck: HeadCheck { cors.sharing(console.serving(adminRouter.headCheck)) }

    private var adminRouter: Router {
        var api = APIRouter(pipeline: pipeline)
        api.open(.get, "/health", operations.health)
        api.open(.get, "/ready", operations.ready)
        api.open(.get, "/metrics", operations.metrics)
        api.open(.get, "/openapi.json") { [self] request in
            operations.document(await description(for: request, onAdminListener: true))
        }
        api.open(.get, "/docs") { [self] request in
            operations.docs(await description(for: request, onAdminListener: true))
        }
        declareOperators(&api)
        return withRefusals(api.router)
    }

    /// The routes for operators: on their own listener where there is one.
    private func declareOperators(_ api: inout APIRouter) {
        api.group(ServerRequest.adminPrefix) { api in
            api.admin(.get, "/keys", .adminRead, apiKeys.list)
            api.admin(.post, "/keys", .keys, apiKeys.create)
            api.admin(.delete, "/keys/{id}", .keys, apiKeys.revoke)
            api.admin(.post, "/credits/grants", .creditsGrant, grants.grant)
            api.adminWebhooks("/webhooks", webhooks)
            api.admin(.get, "/overview", .adminRead, jobAdmin.overview)
            api.admin(.get, "/jobs", .adminRead, jobAdmin.list)
            api.admin(.get, "/jobs/{id}", .adminRead, jobAdmin.one)
            api.admin(.get, "/jobs/{id}/calls/{call}/request", .adminRead, callRequests.one)
            api.admin(.get, "/events", .adminRead, events.ofAnybody)
            api.admin(.post, "/jobs/{id}/cancel", .adminWrite, jobAdmin.cancel)
            api.admin(.post, "/jobs/{id}/retry", .adminWrite, jobAdmin.retry)
            api.admin(.post, "/operations", .adminWrite, bulk.start)
            api.admin(.get, "/operations/{id}", .adminRead, bulk.one)
            api.admin(.get, "/operations/{id}/results", .adminRead, bulk.results)
            api.admin(.get, "/pauses", .adminRead, pauses.list)
            api.admin(.post, "/pauses", .adminWrite, pauses.create)
            api.admin(.delete, "/pauses/{id}", .adminWrite, pauses.end)
            api.admin(.get, "/bundles", .adminRead, content.list)
            api.admin(.get, "/bundles/{hash}", .adminRead, content.one)
            api.admin(.get, "/bundles/{hash}/files/{path+}", .adminRead, content.file)
            api.admin(.get, "/bundles/{hash}/diff", .adminRead, content.diff)
            api.admin(.get, "/suite", .adminRead, suite.latest)
            api.admin(.post, "/suite/run", .adminWrite, suite.run)
            api.admin(.get, "/suite/{prompt}/{case}", .adminRead, suite.one)
            api.admin(.get, "/providers", .adminRead, providerAdmin.list)
            api.admin(.get, "/batches", .adminRead, providerAdmin.batches)
            api.admin(.get, "/batches/{batch}", .adminRead, providerAdmin.batch)
            api.admin(.get, "/audit", .adminRead, records.audit)
            api.admin(.get, "/costs", .adminRead, records.costs)
            api.admin(.get, "/ledger", .adminRead, records.ledgerOfAll)
            api.admin(.get, "/users", .adminRead, records.users)
            api.admin(.get, "/users/{user}", .adminRead, records.user)
            api.admin(.get, "/users/{user}/ledger", .adminRead, records.ledger)
            api.admin(.post, "/users/{user}/sign-out", .adminWrite, records.signOut)
            api.admin(.put, "/users/{user}/bar", .adminWrite, records.bar)
            api.admin(.get, "/workers", .adminRead, workerAdmin.list)
            api.admin(.post, "/workers/{id}/drain", .adminWrite, workerAdmin.drain)
            api.admin(.post, "/workers/{id}/resume", .adminWrite, workerAdmin.resume)
            api.admin(.put, "/users/{user}/plan", .adminWrite, planRoutes.choose)
            api.admin(.delete, "/users/{user}", .usersErase, erasures.user)
            api.admin(.post, "/users/{user}/export", .usersErase, exports.startForUser)
            api.admin(.get, "/users/{user}/export", .usersErase, exports.downloadOfUser)
        }
    }

    /// Receives the address of each connection that the server refused because its client has too many.
    package func connectionRefused(_ address: String) { pipeline.failures.recordRefusedConnection(from: address) }

    /// Every route of the service.
    ///
    /// An open route needs no user. Each other route counts against the user's general rate limit, or against
    /// `jobReads` where clients poll.
    package var router: Router {
        var api = APIRouter(pipeline: pipeline)

        // For programs that watch the service or generate clients.
        api.open(.get, "/health", operations.health)
        api.open(.get, "/ready", operations.ready)
        if !hasAdminListener {
            api.open(.get, "/metrics") { [self] request async throws(APIError) in
                if try !pipeline.authentication.opensMetrics(to: request) {
                    try await pipeline.sender(of: request).require(.metrics)
                }
                return await operations.metrics(request)
            }
        }
        api.open(.get, "/openapi.json") { [self] request in
            operations.document(await description(for: request))
        }
        api.open(.get, "/docs") { [self] request in
            operations.docs(await description(for: request))
        }

        api.group("/api/v1") { api in
            api.signIn("/auth/token") { [sessions] request async throws(APIError) in
                guard let sessions else { throw .notFound("This address") }
                return try await sessions.signIn(request)
            }
            api.signIn("/auth/refresh") { [sessions] request async throws(APIError) in
                guard let sessions else { throw .notFound("This address") }
                return try await sessions.refresh(request)
            }
            if let sessions {
                api.open(.post, "/auth/logout", sessions.logout)
                api.get("/auth/sessions", sessions.list)
                api.delete("/auth/sessions/{id}", sessions.end)
            }
            api.open(.get, "/kinds", kinds.list)
            api.open(.get, "/kinds/{kind}", kinds.one)
            api.get("/users/me", account.me)
            api.delete("/users/me", erasures.own)
            api.post("/users/me/export", exports.start)
            api.get("/users/me/export", exports.download)
            api.open(.get, "/deletions/{id}", erasures.status)
            api.get("/credits", account.credits)
            api.get("/credits/ledger", credits.ledger)
            api.get("/credits/statement", credits.statement)

            api.post("/jobs", jobs.submit)
            api.get("/jobs", jobs.list)
            api.get("/jobs/{id}", limit: .jobReads, jobs.read)
            api.delete("/jobs/{id}", deletions.job)
            api.get("/jobs/{id}/input", limit: .jobReads, jobs.input)
            api.get("/jobs/{id}/result", limit: .jobReads, jobs.result)
            api.get("/jobs/{id}/events", limit: .jobReads, events.one)
            api.get("/events", limit: .jobReads, events.many)
            api.get("/jobs/{id}/receipt", credits.receipt)
            api.post("/jobs/{id}/cancel", jobs.cancel)
            api.post("/jobs/{id}/retry", jobs.retry)

            api.post("/research/generate", research.generate)
            api.post("/research/compare", comparisons.compare)
            api.get("/research/reports", research.list)
            api.get("/research/reports/{id}", limit: .jobReads, research.report)
            api.delete("/research/reports/{id}", deletions.report)
            api.get("/research/reports/{id}/status", limit: .jobReads, research.status)
            api.get("/research/reports/{id}/changes", research.changes)
            api.get("/personas", research.personas)

            api.get("/news/top-headlines", articles.topHeadlines)
            api.get("/news/search", articles.search)
            api.get("/news/availability", articles.availability)
            api.get("/news/articles/{id}", articles.article)
            api.post("/news/articles/{id}/summary", summaries.summary)
            api.post("/news/articles/{id}/chat", chats.chat)
            api.post("/education/chat", chats.education)
            api.get("/conversations", conversations.list)
            api.get("/conversations/{id}", conversations.one)
            api.delete("/conversations/{id}", deletions.conversation)

            api.get("/recall/due", recall.due)
            api.get("/recall/concepts", recall.concepts)
            api.get("/recall/export", recall.export)
            api.post("/recall/import", recall.import)
            api.get("/recall/{card}", recall.card)
            api.delete("/recall/{card}", recall.delete)
            api.post("/recall/{card}/answers", recall.answer)

            api.get("/stocks/search", stocks.search)
            api.get("/stocks/{ticker}", stocks.stock)
            api.get("/stocks/{ticker}/fundamentals", stocks.fundamentals)
            api.get("/stocks/{ticker}/prices", stocks.prices)
            api.get("/stocks/{ticker}/filings", filings.list)
            api.get("/filings/{accession}", filings.one)
            api.get("/watchlist", watchlist.list)
            api.put("/watchlist/{ticker}", watchlist.put)
            api.delete("/watchlist/{ticker}", watchlist.delete)

            api.webhooks("/webhooks", webhooks)
        }

        if !hasAdminListener { declareOperators(&api) }

        api.post("/api/analyze", analysis.analyze)
        api.post("/train-model", forecasts.train)
        api.post("/forecast-quality", forecasts.quality)

        api.group("/v1") { api in
            api.post("/interpret", analysis.interpret)
            api.get("/feed", feeds.general)
            api.get("/personalized-feed", feeds.personalized)
            api.get("/feed/story-groups", feeds.storyGroups)
            api.get("/brief/latest", feeds.latestBrief)
            api.get("/preferences", preferences.get)
            api.put("/preferences", preferences.put)
        }

        return withRefusals(api.router)
    }

    private func description(
        for request: ServerRequest, onAdminListener: Bool = false
    ) async -> OperationsRoutes.Subject {
        OperationsRoutes.Subject(
            routes: (onAdminListener ? adminRouter : router).routes, bundle: bundle.value,
            authentication: pipeline.authentication, onAdminListener: onAdminListener,
            forOperators: await pipeline.mayReadAsOperator(request))
    }

    private func withRefusals(_ routes: Router) -> Router {
        var router = routes
        router.notFound = { [self] request in await pipeline.refuseUnknown(request, .notFound("This address")) }
        router.methodNotAllowed = { [self] request, allowed in
            await pipeline.refuseUnknown(request, .methodNotAllowed(allowed.map(\.rawValue)))
        }
        router.unmatchedHead = { [self] request, allowed in
            let error =
                allowed.isEmpty ? APIError.notFound("This address") : .methodNotAllowed(allowed.map(\.rawValue))
            return pipeline.checkUnknownHead(request, error)
        }
        router.observer = { [operations] route in operations.requests.observer(of: route) }
        return router
    }

    /// The response to a request that the server refuses before it reaches a route, in the format of its path.
    package func errorResponse(_ error: ServerError, at path: String?) -> ServerResponse {
        pipeline.errorResponse(error, at: path)
    }
}

/// Declares routes whose requests pass the pipeline.
private struct APIRouter {
    typealias Handler = @Sendable (RequestContext) async throws(APIError) -> APIResponse
    typealias AdminHandler = @Sendable (AdminContext) async throws(APIError) -> APIResponse
    typealias OpenHandler = @Sendable (ServerRequest) async throws(APIError) -> APIResponse

    private(set) var router = Router()
    private let pipeline: RequestPipeline
    private var prefix = ""

    init(pipeline: RequestPipeline) { self.pipeline = pipeline }

    /// Declares routes that share the start of their paths.
    mutating func group(_ prefix: String, _ declare: (inout APIRouter) -> Void) {
        self.prefix = prefix
        declare(&self)
        self.prefix = ""
    }

    mutating func get(_ path: String, limit: RateLimiter.Bucket = .general, _ handler: @escaping Handler) {
        on(.get, path, limit: limit, handler)
    }

    mutating func post(_ path: String, _ handler: @escaping Handler) {
        on(.post, path, handler)
    }

    mutating func put(_ path: String, _ handler: @escaping Handler) {
        on(.put, path, handler)
    }

    mutating func patch(_ path: String, _ handler: @escaping Handler) {
        on(.patch, path, handler)
    }

    mutating func delete(_ path: String, _ handler: @escaping Handler) {
        on(.delete, path, handler)
    }

    /// The routes of the endpoints that hear of all users, and of the deliveries to them.
    mutating func adminWebhooks(_ path: String, _ routes: WebhookRoutes) {
        admin(.post, path + "/endpoints", .webhooks, routes.create)
        admin(.get, path + "/endpoints", .adminRead, routes.list)
        admin(.get, path + "/endpoints/{id}", .adminRead, routes.one)
        admin(.patch, path + "/endpoints/{id}", .webhooks, routes.change)
        admin(.delete, path + "/endpoints/{id}", .webhooks, routes.delete)
        admin(.post, path + "/endpoints/{id}/test", .webhooks, routes.test)
        admin(.post, path + "/endpoints/{id}/rotate", .webhooks, routes.rotate)
        admin(.post, path + "/endpoints/{id}/replay", .webhooks, routes.replayAll)
        admin(.get, path + "/deliveries", .adminRead, routes.deliveries)
        admin(.post, path + "/deliveries/{id}/replay", .webhooks, routes.replay)
    }

    /// The routes of endpoints and deliveries below a path.
    mutating func webhooks(_ path: String, _ routes: WebhookRoutes) {
        post(path + "/endpoints", routes.create)
        get(path + "/endpoints", routes.list)
        get(path + "/endpoints/{id}", routes.one)
        patch(path + "/endpoints/{id}", routes.change)
        delete(path + "/endpoints/{id}", routes.delete)
        post(path + "/endpoints/{id}/test", routes.test)
        post(path + "/endpoints/{id}/rotate", routes.rotate)
        post(path + "/endpoints/{id}/replay", routes.replayAll)
        get(path + "/deliveries", routes.deliveries)
        post(path + "/deliveries/{id}/replay", routes.replay)
    }

    private mutating func on(
        _ method: HTTPMethod, _ path: String, limit: RateLimiter.Bucket = .general, _ handler: @escaping Handler
    ) {
        let names = APINotes.bundled.queryNames(of: Route(method, prefix + path))
        router.on(
            method, prefix + path, checkHead: pipeline.checkHead,
            pipeline.authenticated(limit, query: names, handler))
    }

    /// A route for operators with a scope.
    mutating func admin(_ method: HTTPMethod, _ path: String, _ scope: Scope, _ handler: @escaping AdminHandler) {
        let names = APINotes.bundled.queryNames(of: Route(method, prefix + path))
        router.on(
            method, prefix + path, checkHead: pipeline.checkAdminHead(scope),
            pipeline.admin(scope, query: names, handler))
    }

    /// A route that needs no user.
    mutating func open(_ method: HTTPMethod, _ path: String, _ handler: @escaping OpenHandler) {
        let names = APINotes.bundled.queryNames(of: Route(method, prefix + path))
        router.on(
            method, prefix + path, checkHead: pipeline.checkOpenHead, pipeline.open(query: names, handler))
    }

    /// A `POST` for tokens.
    mutating func signIn(_ path: String, _ handler: @escaping OpenHandler) {
        router.on(.post, prefix + path, checkHead: pipeline.checkSignInHead, pipeline.signIn(handler))
    }
}
