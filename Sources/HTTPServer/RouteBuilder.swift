package import HTTP

/// Something that routes are declared on: a `Router` or a group of one.
package protocol RouteBuilder {
    /// Declares a route, its pattern as `Route` describes it but without the group's prefix; a malformed one is a mistake in
    /// the program and stops it. The middleware is for this route alone, the outermost first, inside the group's.
    mutating func on(
        _ method: HTTPMethod, _ pattern: String, middleware: [Middleware], handler: @escaping RequestHandler)

    /// Declares routes that share the start of their paths and some middleware. The prefix is itself a pattern, without a
    /// trailing slash, or empty; the middleware, the outermost first, stands inside that of surrounding groups.
    mutating func group(_ prefix: String, middleware: [Middleware], _ declare: (inout RouteGroup) -> Void)
}

extension RouteBuilder {
    package mutating func on(_ method: HTTPMethod, _ pattern: String, handler: @escaping RequestHandler) {
        on(method, pattern, middleware: [], handler: handler)
    }

    /// Also answers `HEAD`.
    package mutating func get(
        _ pattern: String, middleware: [Middleware] = [], handler: @escaping RequestHandler
    ) { on(.get, pattern, middleware: middleware, handler: handler) }

    package mutating func post(
        _ pattern: String, middleware: [Middleware] = [], handler: @escaping RequestHandler
    ) { on(.post, pattern, middleware: middleware, handler: handler) }

    package mutating func put(
        _ pattern: String, middleware: [Middleware] = [], handler: @escaping RequestHandler
    ) { on(.put, pattern, middleware: middleware, handler: handler) }

    package mutating func delete(
        _ pattern: String, middleware: [Middleware] = [], handler: @escaping RequestHandler
    ) { on(.delete, pattern, middleware: middleware, handler: handler) }

    package mutating func group(_ prefix: String, _ declare: (inout RouteGroup) -> Void) {
        group(prefix, middleware: [], declare)
    }
}

/// Routes that share the start of their paths and some middleware.
package struct RouteGroup: RouteBuilder {
    private let prefix: String
    private let middleware: [Middleware]
    private(set) var entries: [RouteEntry] = []

    init(prefix: String = "", middleware: [Middleware] = []) {
        self.prefix = prefix
        self.middleware = middleware
    }

    package mutating func on(
        _ method: HTTPMethod, _ pattern: String, middleware inner: [Middleware], handler: @escaping RequestHandler
    ) {
        let route = Route(method, prefix + pattern)
        precondition(RoutePattern(route.pattern) != nil, "'\(route.pattern)' is not a pattern")
        entries.append(RouteEntry(route: route, handler: wrap(handler, in: middleware + inner)))
    }

    mutating func wrapEntries(_ wrapped: (RouteEntry) -> RouteEntry) { entries = entries.map(wrapped) }

    package mutating func group(
        _ prefix: String, middleware inner: [Middleware], _ declare: (inout RouteGroup) -> Void
    ) {
        var group = RouteGroup(prefix: self.prefix + prefix, middleware: middleware + inner)
        declare(&group)
        entries += group.entries
    }
}

/// The handler inside the middleware, the first outermost.
func wrap(_ handler: @escaping RequestHandler, in middleware: [Middleware]) -> RequestHandler {
    middleware.reversed().reduce(handler) { next, middleware in
        { request in await middleware(request, next) }
    }
}
