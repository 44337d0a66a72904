import HTTP
import JSON
import JobQueue
import Synchronization
import TestSupport

/// A clock of the store and the provider that only a test moves.
final class BatchClock: Sendable {
    private let time = Mutex(Timestamp(milliseconds: 1_800_000_000_000))
    /// The time that passes with each reading.
    private let pause = Mutex(Duration.zero)

    var now: Timestamp {
        let pause = pause.withLock(\.self)
        return time.withLock { time in
            time = time + pause
            return time
        }
    }

    func advanceAtEachReading(by duration: Duration) { pause.withLock { $0 = duration } }

    func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}

/// Anthropic's endpoints for batches, with a clock of its own and faults. It bills each line that it answers.
final class BatchProvider: HTTPTransport {
    /// The outcome of a creation for its caller.
    enum Fault: Sendable, CaseIterable {
        case none
        /// The batch is created, and the answer is lost.
        case lostAnswer
        /// The request is lost.
        case lostRequest
        case overloaded
        case rateLimited
    }

    struct Created: Sendable {
        var id: String
        var at: Timestamp
        var lines: [String]
    }

    struct State: Sendable {
        var created: [Created] = []
        /// The answers by the id of the line, as they were billed.
        var billed: [String: Int] = [:]
        var faults: [Fault] = []
        /// The ids of lines that get no answer in their first batch, by the type of their result.
        var failing: [String: String] = [:]
        var refusesCreations = false
    }

    let clock: BatchClock
    /// The time that the provider takes for a batch.
    let duration: Duration
    private let state: Mutex<State>

    init(clock: BatchClock, duration: Duration = .seconds(300), faults: [Fault] = []) {
        self.clock = clock
        self.duration = duration
        var state = State()
        state.faults = faults
        self.state = Mutex(state)
    }

    var now: State { state.withLock(\.self) }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let path = String(request.url.split(separator: "?")[0].dropFirst("http://claude".count))
        let body = (try? JSON(parsing: request.body)) ?? .null
        let answer: Result<HTTPResponse, HTTPClientError> = state.withLock { state in
            switch (request.method, path) {
            case (.post, "/v1/messages/batches"): create(body, &state)
            case (.get, "/v1/messages/batches"):
                .success(
                    Self.answer([
                        "data": .array(state.created.reversed().map(object)), "has_more": false,
                    ]))
            case (.get, _) where path.hasSuffix("/results"): .success(results(path.split(separator: "/")[3], &state))
            default: .success(read(path.split(separator: "/").last ?? "", state))
            }
        }
        return try answer.get()
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        let response = try await send(request)
        let (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        // In pieces that end anywhere.
        for start in stride(from: 0, to: response.body.count, by: 100) {
            continuation.yield(Array(response.body[start..<min(start + 100, response.body.count)]))
        }
        continuation.finish()
        return HTTPStreamingResponse(status: response.status, headers: [:], body: body)
    }

    private func create(_ body: JSON, _ state: inout State) -> Result<HTTPResponse, HTTPClientError> {
        let fault = state.faults.isEmpty ? .none : state.faults.removeFirst()
        switch fault {
        case .lostRequest: return .failure(.connectionLost(host: "claude", reason: "scripted"))
        case .overloaded: return .success(Self.error(529, "overloaded_error"))
        case .rateLimited: return .success(Self.error(429, "rate_limit_error"))
        case .none, .lostAnswer: break
        }
        if state.refusesCreations { return .success(Self.error(400, "invalid_request_error")) }
        let lines = (body["requests"]?.array ?? []).compactMap { $0["custom_id"]?.string }
        let batch = Created(id: "msgbatch_\(state.created.count)", at: clock.now, lines: lines)
        state.created.append(batch)
        guard fault == .none else { return .failure(.timedOut(host: "claude")) }
        return .success(Self.answer(object(batch)))
    }

    private func read(_ id: Substring, _ state: State) -> HTTPResponse {
        state.created.first { $0.id == id }.map { Self.answer(object($0)) } ?? Self.error(404, "not_found_error")
    }

    private func hasEnded(_ batch: Created) -> Bool { clock.now - batch.at >= duration }

    private func object(_ batch: Created) -> JSON {
        [
            "id": JSON(batch.id), "type": "message_batch",
            "processing_status": hasEnded(batch) ? "ended" : "in_progress",
            "request_counts": [
                "processing": JSON(hasEnded(batch) ? 0 : batch.lines.count),
                "succeeded": JSON(hasEnded(batch) ? batch.lines.count : 0), "errored": 0, "canceled": 0, "expired": 0,
            ],
        ]
    }

    private func results(_ id: Substring, _ state: inout State) -> HTTPResponse {
        guard let batch = state.created.first(where: { $0.id == id }), hasEnded(batch) else {
            return Self.error(404, "not_found_error")
        }
        var text = ""
        for line in batch.lines.shuffled() {
            let result: JSON
            switch state.failing[line] {
            case "errored"?:
                result = [
                    "type": "errored",
                    "error": ["type": "error", "error": ["type": "overloaded_error", "message": "x"]],
                ]
            case "missing"?: continue
            case let type?: result = ["type": JSON(type)]
            case nil:
                state.billed["\(batch.id)/\(line)", default: 0] = 1
                result = ["type": "succeeded", "message": Self.message("answer to \(line)")]
            }
            let object: JSON = ["custom_id": JSON(line), "result": result]
            text += object.compact + "\n"
        }
        return HTTPResponse(status: 200, body: Array(text.utf8))
    }

    static func message(_ text: String) -> JSON {
        [
            "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test",
            "content": [["type": "text", "text": JSON(text)]], "stop_reason": "end_turn",
            "usage": ["input_tokens": 1000, "output_tokens": 100, "service_tier": "batch"],
        ]
    }

    private static func answer(_ body: JSON) -> HTTPResponse { HTTPResponse(status: 200, body: body.utf8) }

    private static func error(_ status: Int, _ type: String) -> HTTPResponse {
        let body: JSON = ["type": "error", "error": ["type": JSON(type), "message": "scripted"]]
        return HTTPResponse(status: status, body: body.utf8)
    }
}
