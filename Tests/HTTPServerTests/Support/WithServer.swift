import HTTPServer

/// Runs a server on a free port for as long as the body takes.
func withServer<Value>(
    _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(), handler: @escaping RequestHandler,
    _ body: (HTTPServer, Int) async throws -> Value
) async throws -> Value {
    let server = HTTPServer(configuration: configuration, handler: handler)
    let port = try server.start().port
    do {
        let value = try await body(server, port)
        await server.shutdown(grace: .zero)
        return value
    } catch {
        await server.shutdown(grace: .zero)
        throw error
    }
}

/// One request on a connection of its own.
func ask(_ port: Int, _ text: String, toHead isHead: Bool = false) async throws -> WireResponse {
    let client = try WireClient(port)
    try await client.send(text)
    return try await client.response(toHead: isHead)
}

/// A `GET` of a path.
func get(_ path: String, headers: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: test\r\n\(headers)\r\n" }

extension ServerResponse {
    init(_ text: String) { self.init(bytes: Array(text.utf8)) }
}
