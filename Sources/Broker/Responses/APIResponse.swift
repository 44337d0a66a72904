internal import DossierAPI
internal import HTTP
internal import HTTPServer
internal import JSON
internal import JobQueue

/// A route's answer, before it is encoded in the form of its API.
struct APIResponse: Sendable {
    enum Body: Sendable {
        case json(JSON)
        /// A text that is not JSON of the API, with its content type.
        case text(String, type: String)
        case events(AsyncStream<ServerEvent>)
        /// A file in chunks, under a name that the client may keep it by.
        case download(any AsyncSequence<[UInt8], any Error> & Sendable, name: String)
        case empty
    }

    var status: Int
    var headers: [(String, String)] = []
    var body: Body
    var pagination: JSON?
    /// Whether the cache held everything; `nil` where no cache is involved.
    var cacheHit: Bool?

    init(
        _ data: JSON, status: Int = 200, headers: [(String, String)] = [], pagination: JSON? = nil,
        cacheHit: Bool? = nil
    ) {
        body = .json(data)
        self.status = status
        self.headers = headers
        self.pagination = pagination
        self.cacheHit = cacheHit
    }

    private init(status: Int = 200, headers: [(String, String)] = [], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    static func text(_ text: String, type: String) -> APIResponse { APIResponse(body: .text(text, type: type)) }

    static func events(_ events: AsyncStream<ServerEvent>) -> APIResponse { APIResponse(body: .events(events)) }

    static func download(
        _ chunks: some AsyncSequence<[UInt8], any Error> & Sendable, name: String
    ) -> APIResponse {
        APIResponse(body: .download(chunks, name: name))
    }

    /// An answer that a client may keep and has to ask about: `304` where the client names the tag.
    static func revalidated(_ data: JSON, tag: String, _ context: RequestContext) -> APIResponse {
        let headers = [("ETag", tag), ("Cache-Control", "private, no-cache")]
        return context.knows(tag) ? notModified(headers: headers) : APIResponse(data, headers: headers)
    }

    static func noContent(headers: [(String, String)]) -> APIResponse {
        APIResponse(status: 204, headers: headers, body: .empty)
    }

    static func notModified(headers: [(String, String)]) -> APIResponse {
        APIResponse(status: 304, headers: headers, body: .empty)
    }
}

/// Renders responses and errors as HTTP: in the envelope of the native API, or as the other documents print them.
struct ResponseRenderer: Sendable {
    static let apiVersion = "1.0"

    let now: @Sendable () -> Timestamp

    func success(_ response: APIResponse, as format: ResponseFormat, requestID: String) -> ServerResponse {
        let standard = standardHeaders(requestID).filter { name, _ in !response.headers.contains { $0.0 == name } }
        let headers = standard + response.headers
        switch response.body {
        case .json(let data):
            let body = format == .envelope ? envelope(data, response, requestID) : data
            return json(response.status, body, headers)
        case .text(let text, let type):
            return ServerResponse(
                status: response.status, headers: HTTPHeaders([("Content-Type", type)] + headers),
                bytes: Array(text.utf8))
        case .events(let events): return .events(events, headers: HTTPHeaders(headers))
        case .download(let chunks, let name):
            let own = [
                ("Content-Type", "application/octet-stream"),
                ("Content-Disposition", "attachment; filename=\"\(name)\""),
            ]
            return ServerResponse(
                status: response.status, headers: HTTPHeaders(own + headers), body: .download { chunks })
        case .empty: return ServerResponse(status: response.status, headers: HTTPHeaders(headers))
        }
    }

    func failure(_ error: APIError, as format: ResponseFormat, requestID: String) -> ServerResponse {
        var headers = standardHeaders(requestID) + error.headers
        if let retryAfter = error.retryAfter { headers.append(("Retry-After", String(retryAfter))) }
        let body = format.body(of: error) ?? ["success": false, "error": error.json, "meta": meta(requestID)]
        return json(format.status(of: error), body, headers)
    }

    private func json(_ status: Int, _ body: JSON, _ headers: [(String, String)]) -> ServerResponse {
        ServerResponse(
            status: status, headers: HTTPHeaders([("Content-Type", "application/json; charset=utf-8")] + headers),
            bytes: body.utf8)
    }

    private func envelope(_ data: JSON, _ response: APIResponse, _ requestID: String) -> JSON {
        var body: JSONObject = ["success": true, "data": data]
        if let pagination = response.pagination { body["pagination"] = pagination }
        body["meta"] = meta(requestID, cacheHit: response.cacheHit)
        return .object(body)
    }

    private func standardHeaders(_ requestID: String) -> [(String, String)] {
        [
            ("X-API-Version", Self.apiVersion), ("X-Request-ID", requestID), ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ]
    }

    private func meta(_ requestID: String, cacheHit: Bool? = nil) -> JSON {
        var meta: JSONObject = [
            "request_id": JSON(requestID), "timestamp": JSON(now().iso8601),
            "version": JSON(Self.apiVersion),
        ]
        if let cacheHit { meta["cache_hit"] = JSON(cacheHit) }
        return .object(meta)
    }
}
