public import HTTP

/// What a handler answers.
public struct ServerResponse: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        /// Chunks sent as they come, with backpressure: the stream is asked for the next chunk only when the
        /// last one is on its way. Ends when the sequence ends, the client leaves or the server shuts down; in the
        /// last two cases the task that iterates the sequence is cancelled.
        case stream(@Sendable () -> any AsyncSequence<[UInt8], Never> & Sendable)
    }

    public var status: Int
    public var headers: HTTPHeaders
    public var body: Body
    /// Whether the connection breaks off at the end of a stream, so that the client knows that it was not whole: for a
    /// stream that fails, and for simulators of services that do.
    public var breaksOff = false

    public init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public init(status: Int = 200, headers: HTTPHeaders = [:], bytes: [UInt8]) {
        self.init(status: status, headers: headers, body: .bytes(bytes))
    }
}

/// Answers requests. Handlers do not throw: an error is rendered where its meaning is known.
public typealias RequestHandler = @Sendable (ServerRequest) async -> ServerResponse

/// Wraps a handler with something that concerns many routes: identity, limits, logging.
public typealias Middleware = @Sendable (ServerRequest, _ next: RequestHandler) async -> ServerResponse
