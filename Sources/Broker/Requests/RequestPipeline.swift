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
    let limiter: RateLimiter
    let renderer: ResponseRenderer
    let requests: RequestMetrics
    let logger: Logger
    private let ids = RequestIDs()

    init(
        authentication: Authentication, users: UserCache, limiter: RateLimiter, renderer: ResponseRenderer,
        requests: RequestMetrics, logger: Logger
    ) {
        self.authentication = authentication
        if case .development = authentication {
            origin = OriginGuard(isDevelopment: true)
        } else {
            origin = OriginGuard(isDevelopment: false)
        }
        self.users = users
        self.limiter = limiter
        self.renderer = renderer
        self.requests = requests
        self.logger = logger
    }

    // MARK: Routes

    /// A route that needs no user.
    func open(
        _ route: @escaping @Sendable (ServerRequest) async throws(APIError) -> APIResponse
    ) -> RequestHandler {
        { request in
            let id = ids.id(of: request)
            let format = ResponseFormat(path: request.path)
            do throws(APIError) {
                try origin.check(request)
                return renderer.success(try await route(request), as: format, requestID: id)
            } catch {
                return renderer.failure(error, as: format, requestID: id)
            }
        }
    }

    /// A route for users, whose requests count against a rate limit.
    func authenticated(
        _ limit: RateLimiter.Bucket,
        _ route: @escaping @Sendable (RequestContext) async throws(APIError) -> APIResponse
    ) -> RequestHandler {
        { request in await respond(to: request, limit, route) }
    }

    private func respond(
        to request: ServerRequest, _ limit: RateLimiter.Bucket,
        _ route: @Sendable (RequestContext) async throws(APIError) -> APIResponse
    ) async -> ServerResponse {
        let start = ContinuousClock.now
        let id = ids.id(of: request)
        let format = ResponseFormat(path: request.path)
        var limitHeaders: [(String, String)] = []
        var user: UserID?
        var response: ServerResponse
        do throws(APIError) {
            try origin.check(request)
            try checkVersion(request)
            let subject = try authentication.subject(of: request)
            let known = try await users.user(subject)
            user = known
            if let decision = limiter.count(known, limit) {
                limitHeaders = decision.headers
                guard decision.isAllowed else { throw .rateLimited(retryAfter: decision.retryAfter) }
            }
            let context = RequestContext(
                request: request, user: known, subject: subject, isOperator: authentication.isOperator(subject),
                requestID: id)
            response = renderer.success(try await route(context), as: format, requestID: id)
        } catch {
            response = renderer.failure(error, as: format, requestID: id)
        }
        for (name, value) in limitHeaders { response.headers.add(name, value) }
        log(request, id, user, response.status, .now - start)
        return response
    }

    // MARK: Refusals

    /// The response to a request that the server refuses before it reaches a route, in the format of its path.
    func errorResponse(_ error: ServerError, at path: String?) -> ServerResponse {
        let id = ids.next()
        let rendered: APIError =
            switch error.status {
            case 413: .tooLarge(limit: 1 << 20)
            case 503: .overloaded
            default: .badRequest("The request cannot be read: \(error).")
            }
        var response = renderer.failure(rendered, as: ResponseFormat(path: path), requestID: id)
        response.status = error.status
        return response
    }

    /// The response to a request that matches no route.
    func refuse(_ request: ServerRequest, _ error: APIError) -> ServerResponse {
        let id = ids.id(of: request)
        requests.others.count(error.status, .zero)
        log(request, id, nil, error.status, .zero)
        return renderer.failure(error, as: ResponseFormat(path: request.path), requestID: id)
    }

    private func checkVersion(_ request: ServerRequest) throws(APIError) {
        guard let wanted = request.headers["Accept-Version"] else { return }
        guard ["1", "1.0"].contains(wanted) else {
            throw .badRequest(
                "Accept-Version \(wanted.prefix(20)) is not supported; this is \(ResponseRenderer.apiVersion).")
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

/// Prevents web pages that a person visits from spending that person's credits.
///
/// A page may send simple requests to any address, loopback included. It cannot set the content type
/// `application/json` without a preflight, which no route answers. In development, where users do not sign in, the
/// `Host` must be loopback (a rebound name is not) and the browser must not mark the request as cross-site.
struct OriginGuard: Sendable {
    let isDevelopment: Bool

    func check(_ request: ServerRequest) throws(APIError) {
        if !request.body.isEmpty, ["POST", "PUT", "DELETE", "PATCH"].contains(request.method.rawValue) {
            let type = request.headers["Content-Type"] ?? ""
            let essence = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
            guard essence == "application/json" else { throw .unsupportedMediaType }
        }
        guard isDevelopment else { return }
        guard let host = request.headers["Host"], Self.isLoopback(host) else {
            throw .forbidden("In development the Host must be localhost, 127.0.0.1 or [::1].")
        }
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" {
            throw .forbidden("In development cross-site requests are refused.")
        }
    }

    private static let loopback = ["127.0.0.1", "localhost", "[::1]"]

    private static func isLoopback(_ host: String) -> Bool {
        let bytes = host.utf8
        let bracket = bytes.first == UInt8(ascii: "[") ? bytes.firstIndex(of: UInt8(ascii: "]")) : nil
        let end = bracket.map { bytes.index(after: $0) } ?? bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        let port = bytes[end...]
        let isPort = port.dropFirst().allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard port.isEmpty || (port.first == UInt8(ascii: ":") && isPort) else { return false }
        let name = host[..<end]
        return loopback.contains { $0 == name } || loopback.contains(name.lowercased())
    }
}

/// Gives each request an id, which connects its response, its log lines and its job.
final class RequestIDs: Sendable {
    private let number = Mutex<UInt64>(0)
    private let prefix = String(UInt64.random(in: .min ... .max), radix: 36)

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
        let number = number.withLock { number in
            number += 1
            return number
        }
        return prefix + "-" + String(number, radix: 36)
    }
}
