import Basics
import HTTP
import JSON
import JobQueue
import Synchronization

/// A Claude that keeps continuous token buckets, tells them in every head, and refuses what is beyond them. It works in
/// real time.
final class StrictClaude: HTTPTransport {
    struct Limit: Sendable {
        /// Per minute.
        var rate: Double
        var size: Double
    }

    struct Count: Sendable {
        var accepted = 0
        var refused = 0
        var input = 0.0
        var output = 0.0
    }

    private struct State {
        var levels: [String: Double]
        var at: Duration
        var count = Count()
    }

    /// Bytes of a prompt for each token that this server counts.
    private static let bytesPerToken = 4.0

    let limits: [String: Limit]
    private let time = TimeSource.system
    private let state: Mutex<State>

    /// - Parameter limits: By the names in headers: `requests`, `input-tokens`, `output-tokens`.
    init(_ limits: [String: Limit]) {
        self.limits = limits
        state = Mutex(State(levels: limits.mapValues(\.size), at: TimeSource.system.uptime()))
    }

    var count: Count { state.withLock(\.count) }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse { throw .cancelled }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        guard (try? await time.sleep(.milliseconds(Int.random(in: 1...60)))) != nil else { throw .cancelled }
        let tokens = (Double(request.body.count) / Self.bytesPerToken).rounded(.up)
        let (refusal, headers) = state.withLock { receive(tokens, &$0) }
        if let refusal {
            let body = #"{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}"#
            var headers = headers
            headers["retry-after"] = String(refusal)
            return Self.response(429, headers, [Array(body.utf8)])
        }
        guard (try? await time.sleep(.milliseconds(Int.random(in: 100...400)))) != nil else { throw .cancelled }
        return HTTPStreamingResponse(status: 200, headers: headers, body: answer(input: Int(tokens)))
    }

    private static func response(_ status: Int, _ headers: HTTPHeaders, _ pieces: [[UInt8]]) -> HTTPStreamingResponse {
        let (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        for piece in pieces { continuation.yield(piece) }
        continuation.finish()
        return HTTPStreamingResponse(status: status, headers: headers, body: body)
    }

    private func receive(_ tokens: Double, _ state: inout State) -> (refusal: Int?, HTTPHeaders) {
        refill(&state)
        let needs = ["requests": 1, "input-tokens": tokens, "output-tokens": 0.001]
        var refusal: Int?
        for (name, need) in needs {
            guard let limit = limits[name], let level = state.levels[name], level < min(need, limit.size) else {
                continue
            }
            refusal = max(refusal ?? 1, Int(((min(need, limit.size) - level) / limit.rate * 60).rounded(.up)))
        }
        if refusal == nil {
            state.count.accepted += 1
            state.count.input += tokens
            state.levels["requests", default: 0] -= 1
            state.levels["input-tokens", default: 0] -= tokens
        } else {
            state.count.refused += 1
        }
        var headers: HTTPHeaders = [:]
        for (name, limit) in limits {
            let level = max(0, state.levels[name] ?? 0)
            let remaining = name == "requests" ? level.rounded(.down) : (level / 1000).rounded() * 1000
            let full = Int64((limit.size - level) / limit.rate * 60_000) + time.wallMilliseconds()
            headers["anthropic-ratelimit-\(name)-limit"] = String(Int(limit.rate))
            headers["anthropic-ratelimit-\(name)-remaining"] = String(Int(remaining))
            headers["anthropic-ratelimit-\(name)-reset"] = Self.text(of: full)
        }
        return (refusal, headers)
    }

    private func refill(_ state: inout State) {
        let now = time.uptime()
        let minutes = (now - state.at) / .seconds(60)
        for (name, limit) in limits {
            state.levels[name] = min(limit.size, (state.levels[name] ?? 0) + limit.rate * minutes)
        }
        state.at = now
    }

    private func answer(input: Int) -> AsyncThrowingStream<[UInt8], any Error> {
        let (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        let output = Int.random(in: 100...500)
        func event(_ json: JSON) { continuation.yield(Array("data: \(json.compact)\n\n".utf8)) }
        event(["type": "message_start", "message": ["id": "m", "usage": ["input_tokens": JSON(Int64(input))]]])
        event(["type": "content_block_start", "index": 0, "content_block": ["type": "text", "text": "A"]])
        let writer = Task { [time, continuation] in
            try? await time.sleep(.milliseconds(Int.random(in: 400...1500)))
            state.withLock { state in
                refill(&state)
                state.levels["output-tokens", default: 0] -= Double(output)
                state.count.output += Double(output)
            }
            let end: JSON = [
                "type": "message_delta", "delta": ["stop_reason": "end_turn"],
                "usage": ["output_tokens": JSON(Int64(output))],
            ]
            continuation.yield(Array("data: \(end.compact)\n\ndata: {\"type\":\"message_stop\"}\n\n".utf8))
            continuation.finish()
        }
        continuation.onTermination = { if case .cancelled = $0 { writer.cancel() } }
        return body
    }

    private static func text(of milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = CalendarDate(secondsSinceEpoch: seconds)
        let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
        return "\(day)T\(two(hour)):\(two(minute)):\(two(second)).\(String(1000 + milliseconds % 1000).dropFirst())Z"
    }
}
