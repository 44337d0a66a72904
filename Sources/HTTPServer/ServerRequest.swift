package import HTTP

/// A request as a handler sees it: complete, its body within the server's limit.
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
    /// What the router captured: `/jobs/{id}` gives `id`.
    package var parameters: [String: String] = [:]
    /// The decoded segments of the path when one of them contains an encoded slash (`/stocks/BRK%2FB`); the router goes by
    /// them, so that such a slash separates nothing.
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
    }

    /// The first value of a query parameter.
    package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
