package import HTTP

/// A complete request, its body within the server's limit.
package struct ServerRequest: Sendable {
    package var method: HTTPMethod
    /// The path with percent escapes decoded, always starting with `/`.
    package var path: String
    /// The query's pairs in order, decoded; `a` without `=` has an empty value.
    package var query: [(name: String, value: String)]
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// The address of the peer, without the port.
    package var remoteAddress: String
    /// The address of the client: the peer's, or the one that a trusted proxy names.
    package var clientAddress: String
    /// Whether `HTTPServerConfiguration.checkHead` has accepted the head; it is asked for requests with a body.
    package var headWasChecked = false
    /// The parameters of the route: `/jobs/{id}` gives `id`.
    package var parameters: [String: String] = [:]
    /// The decoded segments of the path when one of them contains an encoded slash (`/stocks/BRK%2FB`). The router
    /// matches these, so that such a slash does not separate segments.
    var encodedSegments: [String]?

    package init(
        _ method: HTTPMethod, _ path: String, query: [(name: String, value: String)] = [], headers: HTTPHeaders = [:],
        body: [UInt8] = [], remoteAddress: String = "127.0.0.1"
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
        clientAddress = remoteAddress
    }

    /// The first value of a query parameter.
    package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// Decides about a request with a body by its head. It runs on the thread of the connection and must not block.
package typealias HeadCheck = @Sendable (ServerRequest) -> HeadDecision

/// The decision about a request with a body, before the body is read.
package enum HeadDecision: Sendable {
    /// Read the body, up to this many bytes and never more than the server's limit.
    case readBody(upTo: Int)
    /// Respond at once and close the connection; the body is not read.
    case refuse(ServerResponse)
}
