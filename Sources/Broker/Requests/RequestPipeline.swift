internal import HTTP
internal import HTTPServer
internal import JobQueue
internal import Observability

/// The way that every request passes: origin, identity, version, rate limit, route, envelope, log line.
struct RequestPipeline: Sendable {
    let authentication: Authentication
    let origin: OriginGuard
    let identities: Identities
    let limiter: RateLimiter
    let envelopes: Envelopes
    let requests: RequestMetrics
    let logger: Logger
    private let ids = RequestIDs()

    init(
        authentication: Authentication, identities: Identities, limiter: RateLimiter, envelopes: Envelopes,
        requests: RequestMetrics, logger: Logger
    ) {
        self.authentication = authentication
        if case .development = authentication {
            origin = OriginGuard(isDevelopment: true)
        } else {
            origin = OriginGuard(isDevelopment: false)
        }
        self.identities = identities
        self.limiter = limiter
        self.envelopes = envelopes
        self.requests = requests
        self.logger = logger
    }

    // MARK: For everybody

    /// A route that needs no user.
    func open(
        _ request: ServerRequest, _ route: () async throws(APIError) -> Reply
    ) async -> ServerResponse {
        let id = ids.id(of: request)
        do {
            try origin.check(request)
            return envelopes.success(try await route(), requestID: id)
        } catch {
            return envelopes.failure(error, requestID: id)
        }
    }

    /// A text for programs that watch the service or make clients of it; it needs no user and has no envelope.
    func openText(
        _ request: ServerRequest, _ contentType: String, _ text: () async -> String
    ) async -> ServerResponse {
        let id = ids.id(of: request)
        do {
            try origin.check(request)
            return envelopes.text(await text(), type: contentType, requestID: id)
        } catch {
            return envelopes.failure(error, requestID: id)
        }
    }

    // MARK: For users

    /// A route of `/api/v1`, whose answers have an envelope.
    func answer(
        _ request: ServerRequest, _ bucket: RateLimiter.Bucket = .general,
        _ route: (Call) async throws(APIError) -> Reply
    ) async -> ServerResponse {
        await respond(request, bucket) { call throws(APIError) in
            envelopes.success(try await route(call), requestID: call.requestID)
        }
    }

    /// An answer without an envelope, as the documents of the apps print it.
    func answerPlainly(
        _ request: ServerRequest, _ route: (Call) async throws(APIError) -> Reply
    ) async -> ServerResponse {
        await respond(request, .general) { call throws(APIError) in
            envelopes.plain(try await route(call), requestID: call.requestID)
        }
    }

    /// The whole way; the route makes the response itself.
    func respond(
        _ request: ServerRequest, _ bucket: RateLimiter.Bucket,
        _ route: (Call) async throws(APIError) -> ServerResponse
    ) async -> ServerResponse {
        let start = ContinuousClock.now
        let id = ids.id(of: request)
        var limits: [(String, String)] = []
        var user: UserID?
        var response: ServerResponse
        do {
            try origin.check(request)
            try checkVersion(request)
            let subject = try authentication.subject(of: request)
            let known = try await identities.user(subject)
            user = known
            if let verdict = limiter.count(known, bucket) {
                limits = verdict.headers
                guard verdict.isAllowed else { throw APIError.rateLimited(retryAfter: verdict.retryAfter) }
            }
            let isOperator = authentication.isOperator(subject)
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

    // MARK: Refusals

    /// What the server refuses before any route is asked, in the shape of the address.
    func errorResponse(_ error: ServerError, at path: String?) -> ServerResponse {
        let id = ids.next()
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

    /// An answer to what no route is for.
    func refuse(_ request: ServerRequest, _ error: APIError) -> ServerResponse {
        let id = ids.id(of: request)
        requests.others.count(error.status, .zero)
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
}

extension Duration {
    fileprivate var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
