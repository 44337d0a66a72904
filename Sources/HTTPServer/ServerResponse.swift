package import HTTP

/// What a handler answers.
package struct ServerResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Chunks sent as they come, with backpressure: the stream is asked for the next chunk only when the
        /// last one is on its way. Ends when the sequence ends, the client leaves or the server shuts down; in the
        /// last two cases the task that iterates the sequence is cancelled.
        case stream(@Sendable () -> any AsyncSequence<[UInt8], Never> & Sendable)
    }

    package var status: Int
    package var headers: HTTPHeaders
    package var body: Body
    /// Whether the connection breaks off at the end of a stream, so that the client knows that it was not whole: for a
    /// stream that fails, and for simulators of services that do.
    package var breaksOff = false

    package init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(status: Int = 200, headers: HTTPHeaders = [:], bytes: [UInt8]) {
        self.init(status: status, headers: headers, body: .bytes(bytes))
    }
}

/// Answers requests. Handlers do not throw: an error is rendered where its meaning is known.
package typealias RequestHandler = @Sendable (ServerRequest) async -> ServerResponse
