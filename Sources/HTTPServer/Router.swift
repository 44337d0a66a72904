package import HTTP

/// Chooses the handler of a request by method and path.
///
/// ```swift
/// var router = Router()
/// router.group("/api/v1", middleware: [identify]) { api in
///     api.get("/jobs/{id}") { request in … request.parameters["id"] … }
/// }
/// let server = HTTPServer(handler: router.handler)
/// ```
///
/// Literal segments win over parameters, whatever the order of declaration; paths match exactly, case and trailing slash
/// included. `HEAD` goes to the `GET` route. An encoded slash (`%2F`) belongs to its segment.
package struct Router: RouteBuilder {
    /// Answers paths that no route matches: 404.
    package var notFound: RequestHandler = { _ in Router.plain(404, "not found") }
    /// Answers paths that have routes for other methods only: 405. An `Allow` header is added if the answer has none.
    package var methodNotAllowed: @Sendable (ServerRequest, _ allowed: [HTTPMethod]) async -> ServerResponse = { _, _ in
        Router.plain(405, "method not allowed")
    }

    private var middleware: [Middleware] = []
    private var root = RouteGroup()

    package init() {}

    /// Wraps whatever the router answers, 404 and 405 included; the first added is the outermost.
    package mutating func use(_ middleware: @escaping Middleware) { self.middleware.append(middleware) }

    package mutating func on(
        _ method: HTTPMethod, _ pattern: String, middleware: [Middleware], handler: @escaping RequestHandler
    ) { root.on(method, pattern, middleware: middleware, handler: handler) }

    package mutating func group(
        _ prefix: String, middleware: [Middleware], _ declare: (inout RouteGroup) -> Void
    ) { root.group(prefix, middleware: middleware, declare) }

    /// Wraps the handler of each route declared so far, its middleware included, in one that knows the route.
    package mutating func wrapRoutes(_ wrapped: (Route, @escaping RequestHandler) -> RequestHandler) {
        root.wrapEntries { RouteEntry(route: $0.route, handler: wrapped($0.route, $0.handler)) }
    }

    /// What has been declared, in that order.
    package var routes: [Route] { root.entries.map(\.route) }

    /// A handler with the routes declared so far.
    package var handler: RequestHandler {
        let (table, notFound, methodNotAllowed) = (RouteTable(root.entries), notFound, methodNotAllowed)
        return wrap(
            { request in
                switch table.match(request.method, request.segments) {
                case .found(let handler, let parameters):
                    if parameters.isEmpty { return await handler(request) }
                    var request = request
                    request.parameters = parameters
                    return await handler(request)
                case .otherMethods(let allowed):
                    var response = await methodNotAllowed(request, allowed)
                    if response.headers["Allow"] == nil {
                        response.headers["Allow"] = allowed.map(\.rawValue).joined(separator: ", ")
                    }
                    return response
                case .none: return await notFound(request)
                }
            }, in: middleware)
    }

    private static func plain(_ status: Int, _ text: String) -> ServerResponse {
        ServerResponse(
            status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], bytes: Array("\(text)\n".utf8))
    }
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
