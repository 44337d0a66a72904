package import HTTP

/// The response of a handler.
package struct ServerResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Chunks that are sent as they come, with backpressure: the next chunk is requested only when the last one is
        /// being sent. The stream ends when the sequence ends, the client disconnects or the server shuts down; in the
        /// last two cases the task that iterates the sequence is cancelled.
        case stream(@Sendable () -> any AsyncSequence<[UInt8], Never> & Sendable)
        /// Chunks of a file, with the same backpressure. Unless the sequence ends without an error, the connection is
        /// aborted, so that the client does not take a part for the whole.
        case download(@Sendable () -> any AsyncSequence<[UInt8], any Error> & Sendable)
    }

    package var status: Int
    package var headers: HTTPHeaders
    package var body: Body
    /// Whether the connection is aborted at the end of a stream, so that the client knows that it is incomplete: for a
    /// stream that fails, and for simulators of services that do.
    package var abortsConnection = false

    package init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(status: Int = 200, headers: HTTPHeaders = [:], bytes: [UInt8]) {
        self.init(status: status, headers: headers, body: .bytes(bytes))
    }
}

/// Responds to requests. Handlers do not throw: an error is rendered where its meaning is known.
package typealias RequestHandler = @Sendable (ServerRequest) async -> ServerResponse

/// An error of the server itself, before or instead of a handler's response.
package enum ServerError: Error, Equatable, Sendable {
    /// 400; the reason is a fixed phrase, never the client's text.
    case malformedRequest(String)
    /// 408: the head or body did not arrive within its deadline.
    case requestTimeout
    /// 413
    case bodyTooLarge(limit: Int)
    /// 431
    case headTooLarge(limit: Int)
    /// 500: a handler's response cannot be sent (a status outside 200–599, a header with a line break).
    case unsendableResponse(String)
    /// 503: more connections than the configuration allows.
    case overloaded(limit: Int)
    /// 503: one address has more connections than the configuration allows.
    case tooManyConnections(limit: Int)
    /// 503: the bodies that are arriving have used up their memory, in all or of one address.
    case tooManyBodies(limit: Int)
    /// 503: the server is stopping.
    case shuttingDown

    package var status: Int {
        switch self {
        case .malformedRequest: 400
        case .requestTimeout: 408
        case .bodyTooLarge: 413
        case .headTooLarge: 431
        case .unsendableResponse: 500
        case .overloaded, .tooManyConnections, .tooManyBodies, .shuttingDown: 503
        }
    }

    /// The error as one line of text.
    package var plainResponse: ServerResponse {
        ServerResponse(
            status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], bytes: Array("\(self)\n".utf8))
    }
}

extension ServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformedRequest(let reason): "malformed request: \(reason)"
        case .requestTimeout: "the request did not arrive in time"
        case .bodyTooLarge(let limit): "the body is larger than \(limit) bytes"
        case .headTooLarge(let limit): "the headers are larger than \(limit) bytes"
        case .unsendableResponse: "the answer could not be sent"
        case .overloaded(let limit): "all clients may have \(limit) connections"
        case .tooManyConnections(let limit): "one address may have \(limit) connections"
        case .tooManyBodies(let limit): "bodies that are arriving may have \(limit) bytes together"
        case .shuttingDown: "the server is stopping"
        }
    }
}
