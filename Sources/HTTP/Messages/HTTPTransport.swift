/// Something that carries HTTP requests: `HTTPClient` in production, a scripted one in tests.
package protocol HTTPTransport: Sendable {
    /// Sends a request and collects the whole answer. Any status is an answer, not an error.
    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse

    /// Sends a request and returns as soon as the head of the answer is here.
    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse
}

/// Why no (whole) answer came.
package enum HTTPClientError: Error, Equatable, Sendable {
    /// Not an absolute `http` or `https` URL.
    case invalidURL(String)
    /// A header (or the method) that cannot be sent: a line break, another control character, a name that is no token.
    case invalidHeader(name: String)
    case cannotResolve(host: String)
    case cannotConnect(host: String)
    /// The certificate does not hold, or no common TLS version.
    case insecure(host: String, reason: String)
    /// A limit of `HTTPLimits` in time passed.
    case timedOut(host: String)
    /// The body is longer than `HTTPLimits.body`.
    case bodyTooLarge(limit: Int)
    case tooManyRedirects(limit: Int)
    /// `HTTPDestination.publicInternet` and an address that is not public.
    case forbiddenAddress(host: String, address: String)
    /// `HTTPDestination.publicInternet` and a port on which no web server is expected.
    case forbiddenPort(host: String, port: Int)
    /// The connection ended before the answer did, or what came was not HTTP.
    case connectionLost(host: String, reason: String)
    /// The task was cancelled or the client was shut down.
    case cancelled
}

extension HTTPClientError: CustomStringConvertible {
    /// Safe to show: names the host, never the path or the query of a URL, which may hold keys.
    package var description: String {
        switch self {
        case .invalidURL: "not an absolute http or https URL"
        case .invalidHeader(let name): "the header \(name) holds what no header may hold"
        case .cannotResolve(let host): "the name \(host) cannot be resolved"
        case .cannotConnect(let host): "cannot connect to \(host)"
        case .insecure(let host, let reason): "no secure connection to \(host): \(reason)"
        case .timedOut(let host): "\(host) did not answer in time"
        case .bodyTooLarge(let limit): "the answer is larger than \(limit) bytes"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .forbiddenAddress(let host, _): "\(host) is not on the public internet"
        case .forbiddenPort(let host, let port): "port \(port) of \(host) is not one of the web"
        case .connectionLost(let host, let reason): "the connection to \(host) broke off: \(reason)"
        case .cancelled: "cancelled"
        }
    }
}
