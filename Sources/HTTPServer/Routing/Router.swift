package import HTTP

/// Chooses the handler of a request by method and path.
///
/// ```swift
/// var router = Router()
/// router.get("/health", health)
/// router.group("/api/v1") { api in
///     api.post("/jobs", jobs.submit)
///     api.get("/jobs/{id}") { request in … request.parameters["id"] … }
/// }
/// let server = HTTPServer(handler: router.handler)
/// ```
///
/// Literal segments win over parameters in any order of declaration, and a path belongs to one pattern: with
/// `GET /jobs/latest` and `DELETE /jobs/{id}` a `DELETE` of `/jobs/latest` is answered with 405. Paths match exactly, case and trailing slash
/// included. `HEAD` goes to the `GET` route. An encoded slash (`%2F`) belongs to its segment.
package struct Router: RouterMethods {
    /// Receives the response to a request and the time since the handler was called.
    package typealias ResponseObserver = @Sendable (ServerResponse, Duration) -> Void

    /// Answers paths that no route matches: 404.
    package var notFound: RequestHandler = { _ in Router.plain(404, "not found") }
    /// Answers paths that have routes for other methods only: 405. An `Allow` header is added if the response has none.
    package var methodNotAllowed: @Sendable (ServerRequest, _ allowed: [HTTPMethod]) async -> ServerResponse = { _, _ in
        Router.plain(405, "method not allowed")
    }
    /// Decides about a request with a body whose path no route matches, or routes for other methods only.
    package var unmatchedHead: @Sendable (ServerRequest, _ allowed: [HTTPMethod]) -> HeadDecision = { _, _ in
        .readBody(upTo: .max)
    }
    /// Makes the observer of each route, for metrics; called once for each route when `handler` is read.
    package var observer: ((Route) -> ResponseObserver)?

    private var root = RouteGroup()

    package init() {}

    package mutating func on(
        _ method: HTTPMethod, _ pattern: String, checkHead: HeadCheck?, _ handler: @escaping RequestHandler
    ) {
        root.on(method, pattern, checkHead: checkHead, handler)
    }

    package mutating func group(_ prefix: String, _ declare: (inout RouteGroup) -> Void) { root.group(prefix, declare) }

    /// All routes in the order of their declaration.
    package var routes: [Route] { root.entries.map(\.route) }

    /// A handler with the routes declared before this call.
    package var handler: RequestHandler {
        let (table, notFound, methodNotAllowed) = (RouteTable(observedEntries), notFound, methodNotAllowed)
        return { request in
            switch table.match(request.method, request.segments) {
            case .found(let entry, let parameters):
                if parameters.isEmpty { return await entry.handler(request) }
                var request = request
                request.parameters = parameters
                return await entry.handler(request)
            case .otherMethods(let allowed):
                var response = await methodNotAllowed(request, allowed)
                if response.headers["Allow"] == nil {
                    response.headers["Allow"] = allowed.map(\.rawValue).joined(separator: ", ")
                }
                return response
            case .none: return await notFound(request)
            }
        }
    }

    /// The routes' decisions about requests with a body, for the server's configuration.
    package var headCheck: HeadCheck {
        let (table, unmatched) = (RouteTable(observedEntries), unmatchedHead)
        return { request in
            switch table.match(request.method, request.segments) {
            case .found(let entry, _): return entry.checkHead?(request) ?? .readBody(upTo: .max)
            case .otherMethods(let allowed): return unmatched(request, allowed)
            case .none: return unmatched(request, [])
            }
        }
    }

    private var observedEntries: [RouteEntry] {
        guard let observer else { return root.entries }
        return root.entries.map { Self.observed($0, by: observer($0.route)) }
    }

    private static func observed(_ entry: RouteEntry, by observe: @escaping ResponseObserver) -> RouteEntry {
        var observed = entry
        observed.handler = { request in
            let start = ContinuousClock.now
            let response = await entry.handler(request)
            observe(response, .now - start)
            return response
        }
        guard let check = entry.checkHead else { return observed }
        observed.checkHead = { request in
            let start = ContinuousClock.now
            let decision = check(request)
            if case .refuse(let response) = decision { observe(response, .now - start) }
            return decision
        }
        return observed
    }

    private static func plain(_ status: Int, _ text: String) -> ServerResponse {
        ServerResponse(
            status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], bytes: Array("\(text)\n".utf8))
    }
}

/// The methods that declare routes, common to a `Router` and its groups.
package protocol RouterMethods {
    /// Declares a route.
    ///
    /// - Parameters:
    ///   - method: The method; `GET` also answers `HEAD`.
    ///   - pattern: A pattern as `Route` describes it, without the prefix of the group. A malformed pattern is a
    ///     programming error and stops the process.
    ///   - checkHead: Decides about requests with a body before the body is read; without it every body is read.
    ///   - handler: Answers the requests.
    mutating func on(
        _ method: HTTPMethod, _ pattern: String, checkHead: HeadCheck?, _ handler: @escaping RequestHandler)

    /// Declares routes that share the start of their paths.
    ///
    /// - Parameters:
    ///   - prefix: A pattern without a trailing slash, or an empty string.
    ///   - declare: Declares the routes of the group.
    mutating func group(_ prefix: String, _ declare: (inout RouteGroup) -> Void)
}

extension RouterMethods {
    /// Declares a route that reads every body.
    package mutating func on(_ method: HTTPMethod, _ pattern: String, _ handler: @escaping RequestHandler) {
        on(method, pattern, checkHead: nil, handler)
    }

    /// Declares a route for `GET` and `HEAD`.
    package mutating func get(_ pattern: String, _ handler: @escaping RequestHandler) { on(.get, pattern, handler) }

    package mutating func post(_ pattern: String, _ handler: @escaping RequestHandler) { on(.post, pattern, handler) }

    package mutating func put(_ pattern: String, _ handler: @escaping RequestHandler) { on(.put, pattern, handler) }

    package mutating func delete(_ pattern: String, _ handler: @escaping RequestHandler) {
        on(.delete, pattern, handler)
    }
}

/// Routes that share the start of their paths.
package struct RouteGroup: RouterMethods {
    private let prefix: String
    private(set) var entries: [RouteEntry] = []

    init(prefix: String = "") { self.prefix = prefix }

    package mutating func on(
        _ method: HTTPMethod, _ pattern: String, checkHead: HeadCheck?, _ handler: @escaping RequestHandler
    ) {
        let route = Route(method, prefix + pattern)
        precondition(RoutePattern(route.pattern) != nil, "'\(route.pattern)' is not a pattern")
        entries.append(RouteEntry(route: route, handler: handler, checkHead: checkHead))
    }

    package mutating func group(_ prefix: String, _ declare: (inout RouteGroup) -> Void) {
        var group = RouteGroup(prefix: self.prefix + prefix)
        declare(&group)
        entries += group.entries
    }
}

/// A method and a pattern of paths.
///
/// A pattern is a path whose segments are literal (`jobs`), a parameter (`{id}`), or a parameter between literals
/// (`CIK{cik}.json`, `{model}:generateContent`). A parameter matches one segment, or the rest of one, and is never
/// empty. A trailing slash is part of the path: `/jobs` and `/jobs/` are different. A last segment `{path+}` matches all
/// segments that are left, and is `{path}` in `pattern`.
package struct Route: Sendable, Hashable {
    package let method: HTTPMethod
    package let pattern: String
    /// Whether the last parameter matches all segments that are left.
    package let takesRest: Bool

    package init(_ method: HTTPMethod, _ pattern: String) {
        self.method = method
        takesRest = pattern.hasSuffix("+}")
        self.pattern = takesRest ? pattern.dropLast(2) + "}" : pattern
    }
}

/// A route, its handler and its decision about requests with a body.
struct RouteEntry: Sendable {
    let route: Route
    var handler: RequestHandler
    var checkHead: HeadCheck?
}

extension ServerRequest {
    /// The path between its slashes; `/` is one empty segment.
    var segments: [Substring] {
        if let encodedSegments { return encodedSegments.map { Substring($0) } }
        return path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            Substring($0)
        }
    }
}
