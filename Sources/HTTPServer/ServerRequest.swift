public import HTTP

/// A request as a handler sees it: complete, its body within the server's limit.
public struct ServerRequest: Sendable {
    public var method: HTTPMethod
    /// The path with percent escapes decoded, always starting with `/`.
    public var path: String
    /// The query's pairs in order, decoded; `a` without `=` has an empty value.
    public var query: [(name: String, value: String)]
    public var headers: HTTPHeaders
    public var body: [UInt8]
    /// The address of the peer, without the port.
    public var remoteAddress: String
    /// What the router captured: `/jobs/{id}` gives `id`.
    public var parameters: [String: String] = [:]
    /// The decoded segments of the path when one of them contains an encoded slash (`/stocks/BRK%2FB`); the router goes by
    /// them, so that such a slash separates nothing.
    var encodedSegments: [String]?

    public init(
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
    public func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
