/// Carries HTTP requests: `HTTPClient` in production, a scripted transport in tests.
package protocol HTTPTransport: Sendable {
    /// Sends a request and collects the response. Any status is a response, not an error.
    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse

    /// Sends a request and returns as soon as the head of the response has arrived.
    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse
}

/// The reason why there is no complete response.
package enum HTTPClientError: Error, Equatable, Sendable {
    /// Not an absolute `http` or `https` URL.
    case invalidURL(String)
    /// A header or method that cannot be sent: it contains a control character, or its name is not a token.
    case invalidHeader(name: String)
    case cannotResolve(host: String)
    case cannotConnect(host: String)
    /// The certificate is not valid, or there is no common TLS version.
    case insecure(host: String, reason: String)
    /// A time limit of `HTTPLimits` passed.
    case timedOut(host: String)
    /// The body is longer than `HTTPLimits.body`.
    case bodyTooLarge(limit: Int)
    case tooManyRedirects(limit: Int)
    /// `HTTPDestination.publicInternet` and an address that is not public.
    case forbiddenAddress(host: String, address: String)
    /// `HTTPDestination.publicInternet` and a port on which no web server is expected.
    case forbiddenPort(host: String, port: Int)
    /// The connection ended before the response did, or the response is not HTTP.
    case connectionLost(host: String, reason: String)
    /// The task was cancelled or the client was shut down.
    case cancelled
}

extension HTTPClientError: CustomStringConvertible {
    /// Safe to show: contains the host, never the path or query of a URL, which may contain keys.
    package var description: String {
        switch self {
        case .invalidURL: "not an absolute http or https URL"
        case .invalidHeader(let name): "the header \(name) contains a forbidden character"
        case .cannotResolve(let host): "the name \(host) cannot be resolved"
        case .cannotConnect(let host): "cannot connect to \(host)"
        case .insecure(let host, let reason): "no secure connection to \(host): \(reason)"
        case .timedOut(let host): "\(host) did not answer in time"
        case .bodyTooLarge(let limit): "the response is larger than \(limit) bytes"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .forbiddenAddress(let host, _): "\(host) is not on the public internet"
        case .forbiddenPort(let host, let port): "port \(port) of \(host) is not a port of the web"
        case .connectionLost(let host, let reason): "the connection to \(host) was lost: \(reason)"
        case .cancelled: "cancelled"
        }
    }
}

/// A complete response, its body decompressed.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// The URL of the response after redirects.
    package var url: String

    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: String = "") {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }

    package var isSuccess: Bool { (200..<300).contains(status) }

    /// The body as UTF-8, with U+FFFD for invalid bytes.
    package var text: String { String(decoding: body, as: UTF8.self) }
}

/// A response whose head has arrived and whose body follows.
package struct HTTPStreamingResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    /// The body in chunks as they arrive. A slow reader slows the sender down; dropping the sequence or cancelling the
    /// task closes the connection. Throws `HTTPClientError`.
    package var body: AsyncThrowingStream<[UInt8], any Error>

    package init(status: Int, headers: HTTPHeaders, body: AsyncThrowingStream<[UInt8], any Error>) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package var isSuccess: Bool { (200..<300).contains(status) }
}
