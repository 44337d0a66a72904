import HTTP
import Synchronization

/// A web whose pages a test sets; keeps what it was asked. Addresses that nothing is set for are `404`.
final class ScriptedWeb: HTTPTransport {
    typealias Page = @Sendable (HTTPRequest) throws(HTTPClientError) -> HTTPResponse

    private let pages = Mutex<[String: Page]>([:])
    private let asked = Mutex<[HTTPRequest]>([])

    var requests: [HTTPRequest] { asked.withLock(\.self) }

    /// Sets the page of all addresses that begin so.
    func set(_ prefix: String, _ page: @escaping Page) { pages.withLock { $0[prefix] = page } }

    func set(_ prefix: String, _ body: String, type: String = "application/xml") {
        set(prefix) { _ in HTTPResponse(status: 200, headers: ["Content-Type": type], body: Array(body.utf8)) }
    }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        asked.withLock { $0.append(request) }
        let page = pages.withLock { pages in
            pages.filter { request.url.hasPrefix($0.key) }.max { $0.key.count < $1.key.count }?.value
        }
        guard let page else { return HTTPResponse(status: 404) }
        return try page(request)
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        throw .cannotConnect(host: "scripted.example")
    }
}
