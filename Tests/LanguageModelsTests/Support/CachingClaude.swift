import Basics
import HTTP
import JSON
import Synchronization
import TestSupport

@testable import LanguageModels

/// A Messages API that keeps marked prefixes and bills them by class, as Anthropic documents it: a token is four bytes,
/// an entry can be read once the answer that wrote it has begun, and each prefix has a shortest length.
final class CachingClaude: HTTPTransport {
    struct Call: Sendable {
        var body: JSON
        var usage: TokenUsage
        /// Exact, in millionths of a micro-dollar.
        var price: Int128
    }

    private struct State {
        var entries: Set<String> = []
        var calls: [Call] = []
        var forgets = false
        var began = 0
    }

    private let minimum: Int64
    private let prices: PriceList
    private let clock: TimeSource
    /// Runs before the first content of an answer, with the number of the call from 0.
    private let beforeContent: @Sendable (Int) async -> Void
    private let state = Mutex(State())

    init(
        _ model: ModelDescription, minimum: Int64 = 1000, clock: TimeSource,
        beforeContent: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws {
        self.minimum = minimum
        prices = try model.prices ?? price("0", "0")
        self.clock = clock
        self.beforeContent = beforeContent
    }

    var calls: [Call] { state.withLock(\.calls) }
    var began: Int { state.withLock(\.began) }

    /// From now on the provider drops everything at once.
    func forget() { state.withLock { ($0.forgets, $0.entries) = (true, []) } }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        throw .cannotConnect(host: "calls are streamed")
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        let body = (try? JSON(parsing: request.body)) ?? .null
        let prefixes = Self.prefixes(of: body)
        let (number, usage): (Int, TokenUsage) = state.withLock { state in
            let usage = bill(prefixes, state.entries)
            state.calls.append(Call(body: body, usage: usage, price: prices.picodollars(of: usage, on: clock.today)))
            state.began += 1
            return (state.calls.count - 1, usage)
        }
        await beforeContent(number)
        state.withLock { state in
            guard !state.forgets else { return }
            for prefix in prefixes where prefix.isMarked && prefix.tokens >= minimum {
                state.entries.insert(prefix.hash)
            }
        }
        let (chunks, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        continuation.yield(Array(Self.answer(usage).utf8))
        continuation.finish()
        return HTTPStreamingResponse(status: 200, headers: [:], body: chunks)
    }

    private struct Prefix {
        var hash: String
        var tokens: Int64
        var isMarked: Bool
    }

    /// The prefixes up to each block, the shortest first; the last one is the whole prompt.
    private static func prefixes(of body: JSON) -> [Prefix] {
        let head = [body["model"] ?? .null, body["tools"] ?? .null, body["output_config"] ?? .null]
        var text = head.map(\.canonical).joined()
        var prefixes: [Prefix] = []
        func add(_ block: JSON) {
            var plain = block
            plain["cache_control"] = nil
            text += plain.canonical
            prefixes.append(
                Prefix(
                    hash: SHA256.hex(text), tokens: Int64(text.utf8.count / 4), isMarked: block["cache_control"] != nil)
            )
        }
        for block in body["system"]?.array ?? [] { add(block) }
        for message in body["messages"]?.array ?? [] { for block in message["content"]?.array ?? [] { add(block) } }
        return prefixes
    }

    private func bill(_ prefixes: [Prefix], _ entries: Set<String>) -> TokenUsage {
        let whole = prefixes.last?.tokens ?? 0
        let marked = prefixes.filter { $0.isMarked && $0.tokens >= minimum }
        guard let last = marked.last else { return TokenUsage(input: whole, output: 7) }
        let read = prefixes.last { $0.tokens <= last.tokens && entries.contains($0.hash) }?.tokens ?? 0
        return TokenUsage(input: whole - last.tokens, output: 7, cacheRead: read, cacheWrite5m: last.tokens - read)
    }

    private static func answer(_ usage: TokenUsage) -> String {
        func event(_ type: String, _ json: String) -> String { "event: \(type)\ndata: \(json)\n\n" }
        let start = """
            {"type":"message_start","message":{"id":"m","model":"claude-sonnet-5-5","content":[],"usage":{\
            "input_tokens":\(usage.input),"cache_read_input_tokens":\(usage.cacheRead),\
            "cache_creation_input_tokens":\(usage.cacheWrite5m),\
            "cache_creation":{"ephemeral_5m_input_tokens":\(usage.cacheWrite5m),"ephemeral_1h_input_tokens":0}}}}
            """
        return event("message_start", start)
            + event(
                "content_block_start",
                #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#)
            + event(
                "content_block_delta",
                #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Calm."}}"#)
            + event(
                "message_delta",
                """
                {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":\(usage.output)}}
                """)
            + event("message_stop", #"{"type":"message_stop"}"#)
    }
}
