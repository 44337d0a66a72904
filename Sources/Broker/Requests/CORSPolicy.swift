internal import HTTP
internal import HTTPServer

/// The web pages of other origins that may call the API from a browser (Fetch standard, "CORS protocol").
///
/// Pages never send credentials that the browser keeps: users sign in with a token that the page's code sends.
package struct CORSPolicy: Sendable {
    /// As browsers send them: `https://app.example.com`, without a path.
    private let origins: Set<String>

    package init(origins: [String] = []) { self.origins = Set(origins) }

    /// Whether pages of the origin may call. Origins are compared by their bytes.
    func allows(_ origin: String) -> Bool { origins.contains(origin) }

    private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE"
    private static let requestHeaders = [
        "Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Last-Event-ID", "X-Request-ID",
        "Accept-Version", "Accept-Language", "X-Time-Zone", "traceparent",
    ].joined(separator: ", ")
    private static let exposedHeaders = [
        "X-Request-ID", "X-API-Version", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "ETag",
        "Location", "Retry-After", "Idempotent-Replayed", "Content-Disposition", "Deprecation", "Sunset", "Link",
    ].joined(separator: ", ")

    /// A handler that answers preflights and lets pages of the origins read the other answers.
    func sharing(_ handler: @escaping RequestHandler) -> RequestHandler {
        guard !origins.isEmpty else { return handler }
        return { request in
            if let answer = preflight(request) { return answer }
            return shared(await handler(request), with: request)
        }
    }

    /// A check whose refusals pages of the origins can read.
    func sharing(_ check: @escaping HeadCheck) -> HeadCheck {
        guard !origins.isEmpty else { return check }
        return { request in
            let decision = check(request)
            guard case .refuse(let response) = decision else { return decision }
            return .refuse(shared(response, with: request))
        }
    }

    private func preflight(_ request: ServerRequest) -> ServerResponse? {
        guard request.method.rawValue == "OPTIONS", request.headers["Access-Control-Request-Method"] != nil,
            let origin = request.headers["Origin"], allows(origin)
        else { return nil }
        return ServerResponse(
            status: 204,
            headers: [
                "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Methods": Self.methods,
                "Access-Control-Allow-Headers": Self.requestHeaders, "Access-Control-Max-Age": "600",
                "Vary": "Origin", "X-Content-Type-Options": "nosniff",
            ])
    }

    private func shared(_ response: ServerResponse, with request: ServerRequest) -> ServerResponse {
        var response = response
        response.headers.add("Vary", "Origin")
        guard let origin = request.headers["Origin"], allows(origin) else { return response }
        response.headers.add("Access-Control-Allow-Origin", origin)
        response.headers.add("Access-Control-Expose-Headers", Self.exposedHeaders)
        return response
    }
}
