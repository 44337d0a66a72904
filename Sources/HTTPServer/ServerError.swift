import HTTP

/// What the server itself refuses, before or instead of a handler.
package enum ServerError: Error, Equatable, Sendable {
    /// 400; the reason is a phrase of ours, never the client's text.
    case malformedRequest(String)
    /// 408: the head or body did not arrive within its deadline.
    case requestTimeout
    /// 413
    case bodyTooLarge(limit: Int)
    /// 431
    case headTooLarge(limit: Int)
    /// 500: a handler's answer cannot be sent (a status outside 200–599, a header with a line break).
    case unsendableResponse(String)
    /// 503: more connections than the configuration allows.
    case overloaded
    /// 503: the server is stopping.
    case shuttingDown

    package var status: Int {
        switch self {
        case .malformedRequest: 400
        case .requestTimeout: 408
        case .bodyTooLarge: 413
        case .headTooLarge: 431
        case .unsendableResponse: 500
        case .overloaded, .shuttingDown: 503
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
        case .overloaded: "too many connections"
        case .shuttingDown: "the server is stopping"
        }
    }
}
