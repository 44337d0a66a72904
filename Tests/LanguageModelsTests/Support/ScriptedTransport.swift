import HTTP
import JobQueue
import JSON
import Synchronization

/// Responds to requests from a list and keeps them for inspection.
final class ScriptedTransport: HTTPTransport {
    enum Reply: Sendable {
        case answer(status: Int = 200, headers: HTTPHeaders = [:], body: String)
        /// A body in chunks, which an error may end.
        case pieces(status: Int = 200, headers: HTTPHeaders = [:], [[UInt8]], HTTPClientError? = nil)
        case failure(HTTPClientError)
        /// Never responds; ends when the task is cancelled.
        case silence
    }

    private let replies: Mutex<[Reply]>
    private let kept = Mutex<[HTTPRequest]>([])

    init(_ replies: Reply...) { self.replies = Mutex(replies) }
    init(_ replies: [Reply]) { self.replies = Mutex(replies) }

    var requests: [HTTPRequest] { kept.withLock(\.self) }

    /// The bodies of all requests.
    var bodies: [JSON] { requests.map { (try? JSON(parsing: $0.body)) ?? .null } }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        switch await next(request) {
        case .answer(let status, let headers, let body):
            return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        case .pieces(let status, let headers, let pieces, _):
            return HTTPResponse(status: status, headers: headers, body: pieces.flatMap(\.self))
        case .failure(let error): throw error
        case .silence: throw .cancelled
        }
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        switch await next(request) {
        case .answer(let status, let headers, let body):
            return Self.streaming(status, headers, [Array(body.utf8)], nil)
        case .pieces(let status, let headers, let pieces, let error):
            return Self.streaming(status, headers, pieces, error)
        case .failure(let error): throw error
        case .silence: throw .cancelled
        }
    }

    private func next(_ request: HTTPRequest) async -> Reply {
        kept.withLock { $0.append(request) }
        let reply = replies.withLock { $0.isEmpty ? .failure(.cannotConnect(host: "unscripted")) : $0.removeFirst() }
        if case .silence = reply {
            let (stream, _) = AsyncStream.makeStream(of: Never.self)
            for await _ in stream {}
        }
        return reply
    }

    private static func streaming(
        _ status: Int, _ headers: HTTPHeaders, _ pieces: [[UInt8]], _ error: HTTPClientError?
    ) -> HTTPStreamingResponse {
        let (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        for piece in pieces { continuation.yield(piece) }
        continuation.finish(throwing: error)
        return HTTPStreamingResponse(status: status, headers: headers, body: body)
    }
}

extension ScriptedTransport.Reply {
    /// A stream whose body arrives in one chunk.
    static func stream(_ body: String, headers: HTTPHeaders = [:]) -> Self {
        .pieces(headers: headers, [Array(body.utf8)])
    }

    /// A stream of two chunks, split at a byte.
    static func stream(_ body: String, cutAt place: Int) -> Self {
        let bytes = Array(body.utf8)
        return .pieces([Array(bytes[..<place]), Array(bytes[place...])])
    }
}

/// A budget store that grants every request unless it is configured otherwise, and keeps the requests.
final class ScriptedBudgetStore: BudgetStore {
    private struct State {
        var requests: [BudgetRequest] = []
        var waits: [String: (pause: Duration, times: Int)] = [:]
        var blocks: [String: Duration] = [:]
        var isUnreachable = false
    }

    private let state = Mutex(State())

    var requests: [BudgetRequest] { state.withLock(\.requests) }

    var isUnreachable: Bool {
        get { state.withLock(\.isUnreachable) }
        set { state.withLock { $0.isUnreachable = newValue } }
    }

    /// Grants nothing for a number of requests.
    func wait(_ pause: Duration, for budget: String, times: Int = .max) {
        state.withLock { $0.waits[budget] = (pause, times) }
    }

    func exchange(_ requests: [BudgetRequest]) async throws(StoreError) -> [BudgetReply] {
        if isUnreachable { throw .unavailable(reason: "unreachable") }
        return state.withLock { state in requests.map { Self.reply(to: $0, &state) } }
    }

    private static func reply(to request: BudgetRequest, _ state: inout State) -> BudgetReply {
        state.requests.append(request)
        for case .refused(let pause, _) in request.reports { state.blocks[request.budget] = pause }
        let timestamp = Timestamp(milliseconds: Int64(state.requests.count))
        var reply = BudgetReply(
            granted: request.calls.count, mark: BudgetMark(at: timestamp, call: 1), tellsLimits: true,
            timestamp: timestamp)
        if let pause = state.blocks[request.budget] {
            (reply.granted, reply.wait, reply.blockedFor) = (0, pause, pause)
        } else if !request.calls.isEmpty, let wait = state.waits[request.budget], wait.times > 0 {
            state.waits[request.budget] = (wait.pause, wait.times - 1)
            (reply.granted, reply.wait) = (0, wait.pause)
        }
        return reply
    }
}
