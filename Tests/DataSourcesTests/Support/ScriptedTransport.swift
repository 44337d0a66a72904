import HTTP
import Synchronization

/// Answers requests from a function and remembers them.
final class ScriptedTransport: HTTPTransport {
    private let requests = Mutex<[HTTPRequest]>([])
    private let answer: @Sendable (HTTPRequest) async throws(HTTPClientError) -> HTTPResponse

    init(_ answer: @escaping @Sendable (HTTPRequest) async throws(HTTPClientError) -> HTTPResponse) {
        self.answer = answer
    }

    /// The same answer for everything.
    convenience init(status: Int, headers: HTTPHeaders = [:], _ body: String) {
        self.init { _ in HTTPResponse(status: status, headers: headers, body: Array(body.utf8)) }
    }

    var sent: [HTTPRequest] { requests.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        requests.withLock { $0.append(request) }
        return try await answer(request)
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        throw .invalidURL("nothing is streamed here")
    }
}

extension HTTPResponse {
    static func ok(_ body: String) -> HTTPResponse { HTTPResponse(status: 200, body: Array(body.utf8)) }
}
