internal import Basics
internal import HTTP
internal import HTTPServer
internal import JobQueue
internal import Observability
internal import Synchronization

/// The steps that each request passes: origin, version, user, rate limit, route, rendering, log line.
struct RequestPipeline: Sendable {
    let authentication: Authentication
    let origin: OriginGuard
    let users: UserCache
    let access: AccessList
    let apiKeys: APIKeyAccess
    let limiter: RateLimiter
    let plans: UserPlans
    let renderer: ResponseRenderer
    let requests: RequestMetrics
    let failures: FailureLog
    private let signIns: SignInLimiter
    private let keyRequests: MinuteCounter<String>
    private let logger: Logger
    let ids = RequestIDs()

    init(
        authentication: Authentication, cors: CORSPolicy, users: UserCache, access: AccessList,
        apiKeys: APIKeyAccess, limiter: RateLimiter, plans: UserPlans, signIns: SignInLimiter,
        renderer: ResponseRenderer,
        requests: RequestMetrics, failures: FailureLog,
        logger: Logger
    ) {
        self.authentication = authentication
        if case .development = authentication {
            origin = OriginGuard(isDevelopment: true, cors: cors)
        } else {
            origin = OriginGuard(isDevelopment: false, cors: cors)
        }
        self.users = users
        self.access = access
        self.apiKeys = apiKeys
        keyRequests = MinuteCounter(now: renderer.now)
        self.limiter = limiter
        self.plans = plans
        self.renderer = renderer
        self.requests = requests
        self.signIns = signIns
        self.failures = failures
        self.logger = logger
    }

    // MARK: Routes

    /// A route that needs no user.
    func open(
        query names: [String] = [],
        _ route: @escaping @Sendable (ServerRequest) async throws(APIError) -> APIResponse
    ) -> RequestHandler {
        { request in
            let id = ids.id(of: request)
            let format = ResponseFormat(path: request.path)
            do throws(APIError) {
                try origin.check(request)
                try checkVersion(request)
                try request.allowQuery(names)
                return renderer.success(try await route(request), as: format, requestID: id)
            } catch {
                return fail(request, error, id: id)
            }
        }
    }

    /// A route that gives tokens. The requests of an address are counted, before their bodies when they have one.
    func signIn(
        _ route: @escaping @Sendable (ServerRequest) async throws(APIError) -> APIResponse
    ) -> RequestHandler {
        open { request throws(APIError) in
            if !request.headWasChecked { try signIns.count(request.clientAddress) }
            return try await route(request)
        }
    }

    /// A route for users, whose requests count against a rate limit.
    func authenticated(
        _ limit: RateLimiter.Bucket, query names: [String],
        _ route: @escaping @Sendable (RequestContext) async throws(APIError) -> APIResponse
    ) -> RequestHandler {
        { request in
            await StoreTimeout.$current.withValue(Self.storeTimeout) { await respond(to: request, limit, names, route) }
        }
    }

    /// The longest time that a request waits for one operation of the store: a client hears within two seconds that the
    /// database is away.
    private static var storeTimeout: Duration { .milliseconds(1300) }

    /// The same for an operator's change, such as a pause while the disk is busy with a million submits. While the database
    /// is known to be away, an operator hears it as soon as anybody.
    private static var changeTimeout: Duration { .seconds(8) }

    /// A route for operators, who need a scope. Nothing is looked up before that is known.
    func admin(
        _ scope: Scope, query names: [String],
        _ route: @escaping @Sendable (AdminContext) async throws(APIError) -> APIResponse
    ) -> RequestHandler {
        { request in
            let timeout = request.method == .get ? Self.storeTimeout : Self.changeTimeout
            return await StoreTimeout.$current.withValue(timeout) {
                await respond(toOperator: request, scope, names, route)
            }
        }
    }

    private func respond(
        toOperator request: ServerRequest, _ scope: Scope, _ names: [String],
        _ route: @Sendable (AdminContext) async throws(APIError) -> APIResponse
    ) async -> ServerResponse {
        let start = ContinuousClock.now
        let id = ids.id(of: request)
        var user: UserID?
        var limitHeaders: [(String, String)] = []
        var response: ServerResponse
        do throws(APIError) {
            try origin.check(request)
            try checkVersion(request)
            let sender = try await sender(of: request)
            try sender.require(scope)
            let actor: AuditActor
            if let key = sender.key {
                try count(key)
                actor = AuditActor(.key, id: key.id, name: key.name)
            } else {
                let subject = try sender.user()
                let known = try await users.user(subject, isOperator: true)
                user = known
                await plans.plan(of: known)
                if let decision = limiter.count(known, .general) {
                    limitHeaders = decision.headers
                    guard decision.isAllowed else { throw decision.refusal }
                }
                actor = AuditActor(.user, id: String(known.rawValue), name: subject)
            }
            try request.allowQuery(names)
            let context = AdminContext(
                request: request, scopes: sender.scopes, actor: actor, now: renderer.now(), requestID: id)
            let format = ResponseFormat(path: request.path)
            response = renderer.success(try await route(context), as: format, requestID: id)
        } catch {
            response = fail(request, error, id: id, user: user)
        }
        for (name, value) in limitHeaders { response.headers.add(name, value) }
        log(request, id, user, response.status, .now - start)
        return response
    }

    /// Counts an operator's request by an API key. Each broker counts by itself.
    private func count(_ key: APIKey) throws(APIError) {
        let limit = limiter.requestsPerMinute
        guard let refusal = keyRequests.count([(key.id, limit)]) else { return }
        throw .rateLimited(
            refusal.limit, "An API key may send", setting: "plans.yaml: requests_per_minute",
            retryAfter: refusal.pause.roundedUpSeconds)
    }

    private func respond(
        to request: ServerRequest, _ limit: RateLimiter.Bucket, _ names: [String],
        _ route: @Sendable (RequestContext) async throws(APIError) -> APIResponse
    ) async -> ServerResponse {
        let start = ContinuousClock.now
        let id = ids.id(of: request)
        var limitHeaders: [(String, String)] = []
        var user: UserID?
        var response: ServerResponse
        do throws(APIError) {
            try origin.check(request)
            try checkVersion(request)
            let sender = try await sender(of: request)
            let subject = try sender.user()
            let known = try await users.user(subject)
            user = known
            try await readPlan(of: known, sender)
            if let decision = limiter.count(known, limit) {
                limitHeaders = decision.headers
                guard decision.isAllowed else { throw decision.refusal }
            }
            try request.allowQuery(names)
            let context = RequestContext(
                request: request, user: known, subject: subject, isOperator: authentication.isOperator(subject),
                session: sender.claims?.session, requestID: id)
            let format = ResponseFormat(path: request.path)
            response = renderer.success(try await route(context), as: format, requestID: id)
        } catch {
            response = fail(request, error, id: id, user: user)
        }
        for (name, value) in limitHeaders { response.headers.add(name, value) }
        log(request, id, user, response.status, .now - start)
        return response
    }

    /// Reads the user's plan for the limits of the request. A tier that the request itself names is stored first; that
    /// of a session is as old as its sign-in, which stored it.
    private func readPlan(of user: UserID, _ sender: Sender) async throws(APIError) {
        if sender.claims?.session == nil, let tier = sender.tier {
            do {
                try await plans.note(tierOfRequest: tier, of: user)
            } catch {
                throw APIError(error)
            }
        }
        await plans.plan(of: user)
    }

    // MARK: Heads

    /// The longest body of a request that needs no user, and of one for tokens.
    static let longestOpenBody = 16 << 10

    /// Refuses the body of a request whose user is not signed in.
    func checkHead(_ request: ServerRequest) -> HeadDecision {
        decide(request) { () throws(APIError) in
            try checkVersion(request)
            guard let sender = try knownSender(of: request) else { return Self.longestOpenBody }
            _ = try sender.user()
            return .max
        }
    }

    /// Refuses the body of a request whose sender lacks a scope.
    func checkAdminHead(_ scope: Scope) -> HeadCheck {
        { request in
            decide(request) { () throws(APIError) in
                try checkVersion(request)
                try knownSender(of: request)?.require(scope)
                return Self.longestOpenBody
            }
        }
    }

    /// Refuses the body of a request that needs no user when it is long.
    func checkOpenHead(_ request: ServerRequest) -> HeadDecision {
        decide(request) { Self.longestOpenBody }
    }

    /// Counts a request for tokens, and refuses its body above the limit.
    func checkSignInHead(_ request: ServerRequest) -> HeadDecision {
        decide(request) { () throws(APIError) in
            try signIns.count(request.clientAddress)
            return Self.longestOpenBody
        }
    }

    /// `check` returns the longest body.
    private func decide(_ request: ServerRequest, _ check: () throws(APIError) -> Int) -> HeadDecision {
        do throws(APIError) {
            try origin.checkHead(request)
            return .readBody(upTo: try check())
        } catch {
            let id = ids.id(of: request)
            let response = fail(request, error, id: id)
            log(request, id, nil, response.status, .zero)
            return .refuse(response)
        }
    }

    // MARK: Refusals

    private func fail(_ request: ServerRequest, _ error: APIError, id: String, user: UserID? = nil) -> ServerResponse {
        let response = renderer.failure(error, as: ResponseFormat(path: request.path), requestID: id)
        failures.record(error, status: response.status, of: request, id: id, user: user)
        return response
    }

    /// The response to a request that the server refuses before it reaches a route, in the format of its path.
    func errorResponse(_ error: ServerError, at path: String?) -> ServerResponse {
        let id = ids.next()
        let rendered: APIError =
            switch error.status {
            case 413:
                if case .bodyTooLarge(let limit) = error { .tooLarge(limit: limit) } else { .tooLarge(limit: 1 << 20) }
            case 500: .internal
            case 503: .unavailable(error)
            default: .badRequest("The request cannot be read: \(error).")
            }
        var response = renderer.failure(rendered, as: ResponseFormat(path: path), requestID: id)
        response.status = error.status
        if let path { failures.record(rendered, status: error.status, path: path, id: id) }
        return response
    }

    /// The response to a request that matches no route.
    func refuse(_ request: ServerRequest, _ error: APIError) -> ServerResponse {
        let id = ids.id(of: request)
        var error = error
        do throws(APIError) {
            try origin.checkHead(request)
        } catch let refusal {
            error = refusal
        }
        requests.others.count(error.status, .zero)
        log(request, id, nil, error.status, .zero)
        return fail(request, error, id: id)
    }

    /// The response to a request that matches no route. Below the operators' prefix it first takes sign-in and a scope,
    /// so that nobody else learns which addresses there are.
    func refuseUnknown(_ request: ServerRequest, _ error: APIError) async -> ServerResponse {
        guard request.isForOperators else { return refuse(request, error) }
        do throws(APIError) {
            try await sender(of: request).require(.adminRead)
        } catch let refusal {
            return refuse(request, refusal)
        }
        return refuse(request, error)
    }

    /// Decides about the body of a request that matches no route.
    func checkUnknownHead(_ request: ServerRequest, _ error: APIError) -> HeadDecision {
        guard request.isForOperators else { return .refuse(refuse(request, error)) }
        do throws(APIError) {
            // A key that may be new is looked up when the short body has been read.
            guard let sender = try knownSender(of: request) else { return .readBody(upTo: Self.longestOpenBody) }
            try sender.require(.adminRead)
        } catch let refusal {
            return .refuse(refuse(request, refusal))
        }
        return .refuse(refuse(request, error))
    }

    private func checkVersion(_ request: ServerRequest) throws(APIError) {
        guard let wanted = request.headers["Accept-Version"] else { return }
        guard ["1", "1.0"].contains(wanted) else {
            throw .badRequest(
                "Accept-Version \(wanted.prefix(scalars: 20)) is not supported; this is \(ResponseRenderer.apiVersion)."
            )
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
}

extension Duration {
    fileprivate var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}

/// Gives each request an id, which connects its response, its log lines and its job.
final class RequestIDs: Sendable {
    /// The halves of the last UUID: the first is the process's own, the second counts (RFC 9562, section 5.8).
    private let high = UInt64.random(in: .min ... .max) & ~0xF000 | 0x8000
    private let low = Mutex(UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF))

    /// The client's `X-Request-ID` when it has 1 to 64 printable ASCII characters, else a new id.
    func id(of request: ServerRequest) -> String {
        if let given = request.headers["X-Request-ID"], (1...64).contains(given.utf8.count),
            given.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        {
            return given
        }
        return next()
    }

    func next() -> String {
        let low = low.withLock { low in
            low += 1
            return low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        }
        return UUIDText(high: high, low: low).description
    }
}
