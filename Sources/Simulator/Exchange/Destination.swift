internal import HTTP
internal import HTTPServer

/// The service that a request is for, and the path in it.
struct Destination: Equatable, Sendable {
    var service: SimulatedService
    /// Without the service's own prefix.
    var path: String

    private static let prefixes: [(String, SimulatedService)] = [
        ("/anthropic", .claude), ("/claude", .claude), ("/gemini", .gemini), ("/openai", .openai), ("/sec", .sec),
        ("/newsapi", .newsAPI), ("/fmp", .fmp), ("/web", .web), ("/youtube", .youTube),
    ]

    /// Without a prefix the path decides, and the kind of key where several services have the same path.
    init?(_ request: ServerRequest) {
        for (prefix, service) in Self.prefixes where request.path.hasPrefix(prefix + "/") {
            self.init(service: service, path: String(request.path.dropFirst(prefix.count)))
            return
        }
        guard let service = Self.service(of: request) else { return nil }
        self.init(service: service, path: request.path)
    }

    init(service: SimulatedService, path: String) {
        self.service = service
        self.path = path
    }

    private static func service(of request: ServerRequest) -> SimulatedService? {
        let path = request.path
        if path.hasPrefix("/v1/messages") { return .claude }
        let isOpenAI = ["/v1/chat/", "/chat/", "/v1/batches", "/v1/files"].contains(where: path.hasPrefix)
        if isOpenAI { return .openai }
        if path.hasPrefix("/v1beta/") { return .gemini }
        if ["/files/", "/api/xbrl/", "/submissions/", "/Archives/"].contains(where: path.hasPrefix) { return .sec }
        guard path == "/v1/models" || path.hasPrefix("/v1/models/") else { return nil }
        if path.contains(":") || request.headers["x-goog-api-key"] != nil || request.query("key") != nil {
            return .gemini
        }
        return request.headers["anthropic-version"] != nil || request.headers["x-api-key"] != nil ? .claude : .openai
    }
}
